import { useEffect, useEffectEvent } from 'react'
import { type Passkey, removePasskey } from '../../../contract/identity/passkeys.ts'
import { Form } from '../../../design/Form.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { PasswordField } from '../../../design/PasswordField.tsx'
import { AccountName } from '../../lib/AccountName.tsx'
import { PasskeyOrCode } from '../../lib/passkey.tsx'
import { useConfirmedForm } from './confirmedForm.ts'
import { SecondStep } from './SecondStep.tsx'

interface RemovePasskeyProps {
  passkey: Passkey
  email: string
  /** No other second factor is on. */
  isLast: boolean
  onDone: () => void
}

/** Asks for password and proof, since whoever sits before an open session may be somebody else. */
export function RemovePasskey({ passkey, email, isLast, onDone }: RemovePasskeyProps) {
  const { shell, field, form, proof } = useConfirmedForm({
    endpoint: removePasskey,
    params: { id: passkey._id },
    onDone,
  })
  const focusFirst = useEffectEvent(() => form.setFocus('password'))
  useEffect(() => focusFirst(), [])
  return (
    <Form
      {...shell}
      submitLabel="Remove"
      submitVariant="danger"
      label="Remove the passkey"
      actions={<PasskeyOrCode passkey={proof.passkey} />}
    >
      <Notice tone="caution" title={`${passkey.name} will no longer open your account`}>
        {isLast
          ? 'Your password alone will. Your recovery codes stop working, and for the next 72 hours each withdrawal asks for a code by e-mail.'
          : 'For the next 72 hours each withdrawal asks for proof. Delete it on the device as well.'}
      </Notice>
      <AccountName email={email} />
      <PasswordField label="Password" autoComplete="current-password" {...field('password')} />
      <SecondStep proof={proof} code={field('code')} />
    </Form>
  )
}
