import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import type * as z from 'zod/mini'
import type { Endpoint } from '../../../contract/endpoint.ts'
import { passwordAndProof } from '../../../contract/identity/factors.ts'
import { CodeField, type CodeFieldProps } from '../../../design/CodeField.tsx'
import { Form } from '../../../design/Form.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { PasswordField } from '../../../design/PasswordField.tsx'
import { AccountName } from '../../lib/AccountName.tsx'
import { isAboutCode } from '../../lib/ApiFailure.ts'
import { type EndpointForm, type EndpointFormOptions, useEndpointForm } from '../../lib/endpointForm.ts'
import { PasskeyOrCode, type PasskeyProof, usePasskeyProof } from '../../lib/passkey.tsx'

/** What such a form asks for, whatever else. */
interface Confirmed {
  password?: unknown
  code?: unknown
  passkey?: unknown
}

type Options<B extends z.ZodMiniType, A, S extends z.ZodMiniType> = Omit<
  EndpointFormOptions<B, A, S>,
  'explained' | 'failures' | 'onFailure'
> & {
  /** The code is asked for from the start, not only once the server says that it is missing. */
  asksAtOnce?: boolean
}

export interface ConfirmedForm<S extends z.ZodMiniType> extends EndpointForm<S> {
  proof: {
    passkey: PasskeyProof
    /** A second factor is asked for. */
    isAsked: boolean
    /** An authenticator app can give the code. */
    byApp: boolean
  }
}

const EXPLAINED = [
  'wrong_password',
  'invalid_code',
  'too_many_codes',
  'invalid_passkey',
  'second_factor_required',
]

/** A form in a dialog that takes the password and, once the server asks for it, a code or a passkey. */
export function useConfirmedForm<
  B extends z.ZodMiniType,
  A,
  S extends z.ZodMiniType<unknown, Confirmed> = B & z.ZodMiniType<unknown, Confirmed>,
>({ asksAtOnce = false, ...options }: Options<B, A, S>): ConfirmedForm<S> {
  const passkey = usePasskeyProof()
  const [isAsked, setAsked] = useState(asksAtOnce)
  const [methods, setMethods] = useState<readonly string[]>(['totp'])
  const made = useEndpointForm<B, A, S>({
    ...options,
    failures: 'form',
    explained: EXPLAINED,
    onFailure: (failure) => {
      const { code, msg } = failure
      passkey.meet(failure)
      if (failure.methods !== undefined) setMethods(failure.methods)
      if (code === 'wrong_password') made.form.setError('password', { message: msg })
      if (isAboutCode(code)) made.form.setError('code', { message: msg })
      if (code !== 'second_factor_required') return
      // Asked for already: then it was left blank.
      if (isAsked && !passkey.isChosen && failure.passkey === undefined)
        made.form.setError('code', { message: 'Please enter the code' })
      setAsked(true)
    },
  })
  const shell = passkey.shellOf(made.shell, (answer) => made.form.setValue(fieldNamed<S>('passkey'), answer))
  return { ...made, shell, proof: { passkey, isAsked, byApp: methods.includes('totp') } }
}

/** `S` takes each field of `Confirmed`: its constraint says so. */
function fieldNamed<S extends z.ZodMiniType>(name: keyof Confirmed) {
  return name as keyof z.input<S> & string
}

interface PasswordAndCodeProps<Answer> {
  endpoint: Endpoint<
    z.ZodMiniType<unknown, z.input<typeof passwordAndProof>>,
    z.ZodMiniType<undefined>,
    Answer
  >
  /** For password managers. */
  email: string
  /** The account has a passkey: it is asked for in the place of the code, or the other way round. */
  hasPasskey: boolean
  /** What the form does, for screen readers. */
  label: string
  submitLabel: string
  submitVariant: 'primary' | 'danger'
  /** What comes of it. */
  children: ReactNode
  onDone: (answer: Answer) => void
}

/** Asks for the password and a code or a passkey, since whoever sits before an open session may be somebody else. */
export function PasswordAndCode<Answer>(props: PasswordAndCodeProps<Answer>) {
  const { endpoint, email, hasPasskey, label, submitLabel, submitVariant, children, onDone } = props
  const { shell, field, form, proof } = useConfirmedForm({
    endpoint,
    schema: passwordAndProof,
    asksAtOnce: !hasPasskey,
    onDone,
  })
  const focusFirst = useEffectEvent(() => form.setFocus('password'))
  useEffect(() => focusFirst(), [])
  return (
    <Form
      {...shell}
      submitLabel={submitLabel}
      submitVariant={submitVariant}
      label={label}
      actions={<PasskeyOrCode passkey={proof.passkey} />}
    >
      {children}
      <AccountName email={email} />
      <PasswordField label="Password" autoComplete="current-password" {...field('password')} />
      <SecondStep proof={proof} code={field('code')} />
    </Form>
  )
}

interface SecondStepProps {
  proof: ConfirmedForm<never>['proof']
  code: Omit<CodeFieldProps, 'label'>
}

/** The proof of the second factor in a form, once it is asked for: a word about the passkey, or the field for a code. */
export function SecondStep({ proof, code }: SecondStepProps) {
  if (!proof.isAsked) return null
  if (proof.passkey.isChosen)
    return (
      <Notice live title="One more step">
        Confirm with a passkey that you have already: your browser shows how.
      </Notice>
    )
  return (
    <CodeField
      label="Code"
      kind="text"
      hint={
        proof.byApp
          ? 'From your authenticator app, or one of your recovery codes.'
          : 'One of your recovery codes.'
      }
      {...code}
    />
  )
}
