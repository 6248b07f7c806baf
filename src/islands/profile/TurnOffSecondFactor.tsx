import { useEffect, useEffectEvent } from 'react'
import { twoFactorDisable } from '../../contract/auth.ts'
import { CodeField } from '../../design/CodeField.tsx'
import { Form } from '../../design/Form.tsx'
import { Notice } from '../../design/Notice.tsx'
import { PasswordField } from '../../design/PasswordField.tsx'
import { AccountName } from '../lib/AccountName.tsx'
import { useEndpointForm } from '../lib/endpointForm.ts'

/** Asks for password and code, since whoever sits before an open session may be somebody else. */
export function TurnOffSecondFactor({ email, onDone }: { email: string; onDone: () => void }) {
  const { shell, field, form } = useEndpointForm({
    endpoint: twoFactorDisable,
    failures: 'form',
    explained: ['wrong_password', 'invalid_code'],
    onFailure: ({ code, msg }) => {
      if (code === 'wrong_password') form.setError('password', { message: msg })
      if (code === 'invalid_code') form.setError('code', { message: msg })
    },
    onDone,
  })
  const focusFirst = useEffectEvent(() => form.setFocus('password'))
  useEffect(() => focusFirst(), [])
  return (
    <Form {...shell} submitLabel="Turn Off" submitVariant="danger" label="Turn off the second factor">
      <Notice tone="caution" title="Your password alone will open your account">
        Your recovery codes stop working, and for the next 72 hours each withdrawal asks for a code by e-mail.
      </Notice>
      <AccountName email={email} />
      <PasswordField label="Password" autoComplete="current-password" {...field('password')} />
      <CodeField
        label="Code"
        kind="text"
        hint="From your authenticator app, or one of your recovery codes."
        {...field('code')}
      />
    </Form>
  )
}
