import type { StepUpReason } from '../../../contract/money/withdrawals.ts'

const REASONS: Record<StepUpReason, string> = {
  new_destination: 'You have not confirmed a withdrawal to this destination before.',
  new_device: 'You have not confirmed a withdrawal on this device before.',
  recent_security_change: 'Your password, e-mail address or second factor was changed in the last 72 hours.',
  large_share:
    'Together with what you asked for in the last 24 hours, it is more than half of what you have.',
}

/** Why proof is asked for, in sentences. Reasons we have no words for are left out. */
export function reasonWords(reasons: readonly string[]): string[] {
  return reasons.flatMap((reason) => (isReason(reason) ? [REASONS[reason]] : []))
}

/** What a passkey does here. */
export const PASSKEY_WORDS =
  'Your browser asks for your passkey, with its PIN, your finger or your face. It confirms this withdrawal only. A new destination then does not wait, unless your password, e-mail address or second factor changed in the last 72 hours.'

/** Where the code comes from. */
export function methodWords(methods: readonly string[]): string {
  const mailed = 'we have just e-mailed to you. It confirms this withdrawal only, for 10 minutes.'
  if (!methods.includes('totp')) return `Enter the six digits ${mailed}`
  const app = 'Enter the code that your authenticator app shows'
  return methods.includes('email') ? `${app}, or the six digits ${mailed}` : `${app}.`
}

function isReason(word: string): word is StepUpReason {
  return Object.hasOwn(REASONS, word)
}
