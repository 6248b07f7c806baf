import { useState } from 'react'
import type * as z from 'zod/mini'
import type { PasskeyQuestion } from '../../../contract/fields.ts'
import type { StepUpReason } from '../../../contract/money/withdrawals.ts'
import type { FormProps } from '../../../design/Form.tsx'
import type { ApiFailure } from '../../lib/ApiFailure.ts'
import { type EndpointForm, type EndpointFormOptions, useEndpointForm } from '../../lib/endpointForm.ts'
import type { FieldAttributes, FormState } from '../../lib/form.ts'

/** The proof that the server requires before it accepts a withdrawal, or a change of the address book. */
export interface ProofRequest {
  methods: readonly string[]
  reasons: readonly string[]
  /** How often a code was sent for it. */
  timesSent: number
  /** The passkey challenge, if the account has a passkey. */
  passkey?: PasskeyQuestion | undefined
}

/** The fields of a withdrawal form that the proof needs. */
interface ProofFields {
  amount?: unknown
  code?: unknown
  passkey?: unknown
}

/** The part of the withdrawal form that the proof dialog uses. The proof is sent with the same form. */
interface ProofForm {
  getValues: (name: 'code') => unknown
  setValue: (name: 'code' | 'passkey', value: string) => void
  setError: (name: string, error: { message: string }) => void
  clearErrors: (name: 'code') => void
  setFocus: (name: 'code') => void
}

export interface StepUp {
  /** Null while no proof is required. */
  request: ProofRequest | null
  /** The withdrawal's own form, which is sent again with the proof. */
  shell: Pick<FormProps, 'onSubmit' | 'pending' | 'formError'>
  form: ProofForm
  code: FieldAttributes
  /** Ends the step-up after the withdrawal was filed or cancelled. */
  end: () => void
}

export interface StepUpForm<S extends z.ZodMiniType> extends EndpointForm<S> {
  stepUp: StepUp
  /** The missing condition for which the server refused the last request. */
  missing: 'identity' | 'address' | null
}

/** A withdrawal form that handles the server's request for a proof. */
export function useStepUpForm<
  B extends z.ZodMiniType,
  A,
  S extends z.ZodMiniType<unknown, ProofFields> = B & z.ZodMiniType<unknown, ProofFields>,
>(options: EndpointFormOptions<B, A, S>): StepUpForm<S> {
  const [request, setRequest] = useState<ProofRequest | null>(null)
  const [missing, setMissing] = useState<StepUpForm<S>['missing']>(null)
  const made = useEndpointForm<B, A, S>({
    failures: request === null ? 'toast' : 'form',
    ...options,
    beside: {
      insufficient_funds: toFieldName<S>('amount'),
      invalid_code: toFieldName<S>('code'),
      too_many_codes: toFieldName<S>('code'),
    },
    explained: ['step_up_required', ...Object.keys(MISSING), ...(options.explained ?? [])],
    onFailure: (failure) => {
      setMissing(MISSING[failure.code] ?? null)
      setRequest((before) => requestAfter(before, failure))
      if (failure.code === 'step_up_required') form.setValue('code', '')
      // A passkey answer works once.
      form.setValue('passkey', '')
      options.onFailure?.(failure)
    },
    onDone: (answer, values) => {
      end()
      return options.onDone(answer, values)
    },
  })
  const form = toProofForm(made.form)
  const end = () => {
    setRequest(null)
    setMissing(null)
    form.setValue('code', '')
    form.setValue('passkey', '')
    form.clearErrors('code')
  }
  return {
    ...made,
    // While the dialog is open, it shows the error.
    shell: { ...made.shell, formError: request ? null : made.shell.formError },
    stepUp: { request, shell: made.shell, form, code: made.field(toFieldName<S>('code')), end },
    missing,
  }
}

const MISSING: Readonly<Record<string, 'identity' | 'address'>> = {
  kyc_required: 'identity',
  address_required: 'address',
}

/** Safe, because `S` is constrained to accept each field of `ProofFields`. */
function toFieldName<S extends z.ZodMiniType>(name: keyof ProofFields) {
  return name as keyof z.input<S> & string
}

/** Safe for the same reason. */
function toProofForm<S extends z.ZodMiniType<unknown, ProofFields>>(form: FormState<S>): ProofForm {
  return form as unknown as ProofForm
}

/** The state after a refusal. Null closes the dialog, when something other than the proof is wrong. */
export function requestAfter(before: ProofRequest | null, failure: ApiFailure): ProofRequest | null {
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
    case 'address_required':
      return null
    default:
      // Errors beside other fields would be hidden behind the dialog.
      return failure.fields === undefined ? before : null
  }
}

/** Whether a proof by these methods leaves a new destination delayed. The server decides again. */
export function isDelayed({ reasons, methods }: Pick<ProofRequest, 'reasons' | 'methods'>): boolean {
  const isFactor = methods.some((method) => method === 'totp' || method === 'passkey')
  return reasons.includes('new_destination') && (!isFactor || reasons.includes('recent_security_change'))
}

const REASONS: Record<StepUpReason, string> = {
  new_destination: 'You have not confirmed a withdrawal to this destination before.',
  new_device: 'You have not confirmed a withdrawal on this device before.',
  recent_security_change:
    'In the last 72 hours, your password, e-mail address or second factor was changed, or you signed in with a mailed link.',
  large_share:
    'Together with what you asked for in the last 24 hours, it is more than half of what you have.',
  address_book: 'Your address book decides whom you pay. Nobody else may change it.',
  plan: 'This plan pays out regularly. Only you may make or change it.',
}

/** Unknown reasons are left out. */
export function describeReasons(reasons: readonly string[]): string[] {
  return reasons.flatMap((reason) => (isReason(reason) ? [REASONS[reason]] : []))
}

/** The action that a proof confirms. */
type Subject = 'withdrawal' | 'plan' | 'address'

export const PASSKEY_WORDS: Record<Subject, string> = {
  withdrawal:
    'Your browser asks for your passkey, with its PIN, your finger or your face. It confirms this withdrawal only. A new destination then does not wait, unless your password, e-mail address or second factor changed in the last 72 hours.',
  plan: 'Your browser asks for your passkey, with its PIN, your finger or your face. It confirms this plan only, with its amount, dates and destination.',
  address:
    'Your browser asks for your passkey, with its PIN, your finger or your face. It confirms this address and its name only.',
}

export function describeMethods(methods: readonly string[], subject: Subject = 'withdrawal'): string {
  const mailed = `we have just e-mailed to you. It confirms this ${subject} only, for 10 minutes.`
  const link = subject === 'address' ? '' : ' Or use the link in that mail.'
  if (!methods.includes('totp')) return `Enter the six digits ${mailed}${link}`
  const app = 'Enter the code that your authenticator app shows'
  return methods.includes('email') ? `${app}, or the six digits ${mailed}${link}` : `${app}.`
}

function isReason(word: string): word is StepUpReason {
  return Object.hasOwn(REASONS, word)
}
