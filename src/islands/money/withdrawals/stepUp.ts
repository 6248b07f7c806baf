import { useState } from 'react'
import type * as z from 'zod/mini'
import type { PasskeyQuestion } from '../../../contract/fields.ts'
import type { StepUpReason } from '../../../contract/money/withdrawals.ts'
import type { FormProps } from '../../../design/Form.tsx'
import type { ApiFailure } from '../../lib/ApiFailure.ts'
import { type EndpointForm, type EndpointFormOptions, useEndpointForm } from '../../lib/endpointForm.ts'
import type { FieldAttributes, FormState } from '../../lib/form.ts'

/** The proof that the server asks for before it takes a withdrawal. */
export interface ProofAsked {
  methods: readonly string[]
  reasons: readonly string[]
  /** How often a code was sent for it. */
  timesSent: number
  /** The passkey challenge, if the account has a passkey. */
  passkey?: PasskeyQuestion | undefined
}

/** The fields of a withdrawal's form that the proof concerns. */
interface Proven {
  amount?: unknown
  code?: unknown
  passkey?: unknown
}

/** What the proof dialog does in the form that it belongs to: the proof is sent with the same form as all else. */
interface ProofForm {
  getValues: (name: 'code') => unknown
  setValue: (name: 'code' | 'passkey', value: string) => void
  setError: (name: string, error: { message: string }) => void
  clearErrors: (name: 'code') => void
  setFocus: (name: 'code') => void
}

export interface StepUp {
  /** Null while no proof is asked for. */
  asked: ProofAsked | null
  /** The withdrawal's own form, which is sent again with the proof. */
  shell: Pick<FormProps, 'onSubmit' | 'pending' | 'formError'>
  form: ProofForm
  code: FieldAttributes
  /** The withdrawal was filed, or given up. */
  end: () => void
}

export interface StepUpForm<S extends z.ZodMiniType> extends EndpointForm<S> {
  stepUp: StepUp
  isIdentityMissing: boolean
}

/** A form whose withdrawal the server may ask a proof for. */
export function useStepUpForm<
  B extends z.ZodMiniType,
  A,
  S extends z.ZodMiniType<unknown, Proven> = B & z.ZodMiniType<unknown, Proven>,
>(options: EndpointFormOptions<B, A, S>): StepUpForm<S> {
  const [asked, setAsked] = useState<ProofAsked | null>(null)
  const [isIdentityMissing, setIdentityMissing] = useState(false)
  const made = useEndpointForm<B, A, S>({
    failures: asked === null ? 'toast' : 'form',
    ...options,
    beside: {
      insufficient_funds: named<S>('amount'),
      invalid_code: named<S>('code'),
      too_many_codes: named<S>('code'),
    },
    explained: ['step_up_required', 'kyc_required', ...(options.explained ?? [])],
    onFailure: (failure) => {
      setIdentityMissing(failure.code === 'kyc_required')
      setAsked((before) => askedAfter(before, failure))
      if (failure.code === 'step_up_required') form.setValue('code', '')
      // A passkey's answer serves for one try.
      form.setValue('passkey', '')
      options.onFailure?.(failure)
    },
    onDone: (answer, values) => {
      end()
      return options.onDone(answer, values)
    },
  })
  const form = proofFormOf(made.form)
  const end = () => {
    setAsked(null)
    setIdentityMissing(false)
    form.setValue('code', '')
    form.setValue('passkey', '')
    form.clearErrors('code')
  }
  return {
    ...made,
    // While the dialog is open, it shows what failed.
    shell: { ...made.shell, formError: asked ? null : made.shell.formError },
    stepUp: { asked, shell: made.shell, form, code: made.field(named<S>('code')), end },
    isIdentityMissing,
  }
}

/** `S` takes each field of `Proven`: its constraint says so. */
function named<S extends z.ZodMiniType>(name: keyof Proven) {
  return name as keyof z.input<S> & string
}

/** As `named`, for the whole form. */
function proofFormOf<S extends z.ZodMiniType<unknown, Proven>>(form: FormState<S>): ProofForm {
  return form as unknown as ProofForm
}

/** The state after a refusal: the dialog closes when something other than the proof is wrong. */
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
      // Errors beside other fields would be hidden behind the dialog.
      return failure.fields === undefined ? before : null
  }
}

const REASONS: Record<StepUpReason, string> = {
  new_destination: 'You have not confirmed a withdrawal to this destination before.',
  new_device: 'You have not confirmed a withdrawal on this device before.',
  recent_security_change: 'Your password, e-mail address or second factor was changed in the last 72 hours.',
  large_share:
    'Together with what you asked for in the last 24 hours, it is more than half of what you have.',
}

/** Unknown reasons are left out. */
export function reasonWords(reasons: readonly string[]): string[] {
  return reasons.flatMap((reason) => (isReason(reason) ? [REASONS[reason]] : []))
}

export const PASSKEY_WORDS =
  'Your browser asks for your passkey, with its PIN, your finger or your face. It confirms this withdrawal only. A new destination then does not wait, unless your password, e-mail address or second factor changed in the last 72 hours.'

export function methodWords(methods: readonly string[]): string {
  const mailed = 'we have just e-mailed to you. It confirms this withdrawal only, for 10 minutes.'
  if (!methods.includes('totp')) return `Enter the six digits ${mailed}`
  const app = 'Enter the code that your authenticator app shows'
  return methods.includes('email') ? `${app}, or the six digits ${mailed}` : `${app}.`
}

function isReason(word: string): word is StepUpReason {
  return Object.hasOwn(REASONS, word)
}
