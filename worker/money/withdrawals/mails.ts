import { formatCents } from '../../../src/contract/money.ts'
import { site } from '../../../src/site.ts'
import type { Actor } from '../../http/actor.ts'
import type { ActorCall } from '../../http/call.ts'
import { lockParts } from '../../identity/credentials/lockToken.ts'
import { CODE_MINUTES, withoutCodes } from '../../identity/mailedCodes/codes.ts'
import { composeMail, linkTo, momentOf } from '../../lib/mail/compose.ts'
import type { Mail } from '../../lib/mail/outbox.ts'
import { isRecentChange } from './decide.ts'
import type { NewWithdrawal } from './facts.ts'

/** `withoutCodes` keeps other numbers from looking like the code. */
export function codeMail(
  to: Pick<Actor, 'email' | 'displayName'>,
  { amountCents, destination }: NewWithdrawal,
  code: string,
): Mail {
  const amount = formatCents(amountCents)
  return composeMail(to.email, 'Confirm your withdrawal', withoutCodes(to.displayName), [
    `You asked to withdraw ${amount} to ${withoutCodes(destination.words)}.`,
    ...(destination.facts === '' ? [] : [withoutCodes(destination.facts)]),
    `The code is ${code}`,
    `It confirms this amount to this destination only, works once and for ${CODE_MINUTES} minutes. Nobody from ${site.brand} will ever ask you for it.`,
    `If you did not ask for this, give the code to nobody, change your password and write to ${withoutCodes(site.supportEmail)}.`,
  ])
}

/**
 * Tells the owner until when and why a withdrawal is delayed, what avoids the delay, and how to stop the withdrawal. The delay
 * gives the owner time to read this mail.
 */
export async function delayMail(
  { env, actor, nowMs }: ActorCall,
  ref: string,
  { amountCents, destination }: NewWithdrawal,
  heldUntilMs: number,
): Promise<Mail> {
  return composeMail(actor.email, `Your withdrawal ${ref} waits for a day`, actor.displayName, [
    `we have your request to withdraw ${formatCents(amountCents)} to ${destination.words}.`,
    ...(destination.facts === '' ? [] : [destination.facts]),
    `It is not paid before ${momentOf(heldUntilMs)}: the destination was new, and ${why(actor, nowMs)}`,
    actor.twoFactor
      ? 'A new destination that you confirm with a second factor has no such wait, unless something changed in the three days before.'
      : 'Turn a second factor on. Three days later, a new destination that you confirm with it has no such wait.',
    { label: 'Your security settings', href: linkTo(env, '/dashboard/profile') },
    `If it was not you, lock your account before that moment and write to us at ${site.supportEmail}.`,
    ...(await lockParts(env, actor, nowMs)),
  ])
}

function why({ twoFactor, securityChangedAtMs }: Actor, nowMs: number): string {
  return twoFactor && isRecentChange(securityChangedAtMs, nowMs)
    ? 'your password, e-mail address or second factor was changed in the last three days. Somebody else could have done that.'
    : 'it was confirmed without a second factor. Whoever reads your mails could have done that.'
}
