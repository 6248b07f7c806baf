import { useState } from 'react'
import type { PasskeyQuestion } from '../../../contract/fields.ts'
import type { StepUpReason } from '../../../contract/money/withdrawals.ts'
import { type ApiFailure, isAboutCode } from '../../lib/ApiFailure.ts'

/** The proof that the server asks for before it takes a withdrawal. */
export interface ProofAsked {
  methods: readonly string[]
  reasons: readonly string[]
  /** How often a code was sent for it. */
  timesSent: number
  /** What a passkey is asked, where there is one. */
  passkey?: PasskeyQuestion | undefined
}

/** What the step-up changes in the form that it belongs to: the proof travels in the same form as all else. */
interface WithdrawalForm {
  getValues: (name: 'code') => unknown
  setValue: (name: 'code' | 'passkey', value: string) => void
  setError: (name: string, error: { message: string }) => void
  clearErrors: (name: 'code') => void
  setFocus: (name: 'code') => void
}

export interface StepUp {
  /** Null while no proof is asked for. */
  asked: ProofAsked | null
  isIdentityMissing: boolean
  /** For `useEndpointForm`. */
  options: { explained: readonly string[]; failures: 'toast' | 'form' }
  /** For its `onFailure`. */
  meet: (failure: ApiFailure, form: WithdrawalForm) => void
  /** Whether a code was given; says so beside the field when not. */
  isCodeGiven: (form: WithdrawalForm) => boolean
  /** The withdrawal was filed, or given up. */
  end: (form: WithdrawalForm) => void
}

/** Refusals after which the screen has to learn how things stand. */
export const OUTDATED = ['account_frozen', 'too_many_open', 'insufficient_funds']

const EXPLAINED = ['step_up_required', 'invalid_code', 'too_many_codes', 'insufficient_funds', 'kyc_required']

/** Where a withdrawal's form stands with the proof that may be asked of it, and what a refusal does to that. */
export function useStepUp(): StepUp {
  const [asked, setAsked] = useState<ProofAsked | null>(null)
  const [isIdentityMissing, setIdentityMissing] = useState(false)
  return {
    asked,
    isIdentityMissing,
    options: { explained: EXPLAINED, failures: asked === null ? 'toast' : 'form' },
    meet(failure, form) {
      setIdentityMissing(failure.code === 'kyc_required')
      setAsked((before) => askedAfter(before, failure))
      if (failure.code === 'step_up_required') form.setValue('code', '')
      // It was for this one try.
      form.setValue('passkey', '')
      const beside = fieldOf(failure)
      if (beside !== null) form.setError(beside, { message: failure.msg })
    },
    isCodeGiven(form) {
      if (String(form.getValues('code') ?? '').trim() !== '') return true
      form.setError('code', { message: 'Please enter the code' })
      form.setFocus('code')
      return false
    },
    end(form) {
      setAsked(null)
      setIdentityMissing(false)
      form.setValue('code', '')
      form.setValue('passkey', '')
      form.clearErrors('code')
    },
  }
}

/** What is asked for after a refusal: the dialog goes when it is no longer the code that is missing. */
export function askedAfter(before: ProofAsked | null, failure: ApiFailure): ProofAsked | null {
  switch (failure.code) {
    case 'step_up_required':
      return {
        methods: failure.methods ?? [],
        reasons: failure.reasons ?? [],
        timesSent: (before?.timesSent ?? 0) + 1,
        passkey: failure.passkey,
      }
    case 'invalid_passkey':
      return before && { ...before, passkey: failure.passkey }
    case 'insufficient_funds':
    case 'kyc_required':
      return null
    default:
      // What is said beside another field can't be seen behind the dialog.
      return failure.fields === undefined ? before : null
  }
}

function fieldOf({ code }: ApiFailure): 'amount' | 'code' | null {
  if (isAboutCode(code)) return 'code'
  return code === 'insufficient_funds' ? 'amount' : null
}

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
