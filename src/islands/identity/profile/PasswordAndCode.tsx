import { type ReactNode, useEffect, useEffectEvent } from 'react'
import type * as z from 'zod/mini'
import type { Endpoint } from '../../../contract/endpoint.ts'
import { passwordAndProof } from '../../../contract/identity/factors.ts'
import { Form } from '../../../design/Form.tsx'
import { PasswordField } from '../../../design/PasswordField.tsx'
import { AccountName } from '../../lib/AccountName.tsx'
import { PasskeyOrCode } from '../../lib/passkey.tsx'
import { useConfirmedForm } from './confirmedForm.ts'
import { SecondStep } from './SecondStep.tsx'

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
