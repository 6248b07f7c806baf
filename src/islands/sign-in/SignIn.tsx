import { useEffect, useEffectEvent, useState } from 'react'
import { login } from '../../contract/auth.ts'
import { CodeField } from '../../design/CodeField.tsx'
import { toastOnNextPage } from '../../design/carriedToast.ts'
import { ErrorBoundary } from '../../design/ErrorBoundary.tsx'
import { Form } from '../../design/Form.tsx'
import { Notice } from '../../design/Notice.tsx'
import { PasswordField } from '../../design/PasswordField.tsx'
import { TextField } from '../../design/TextField.tsx'
import { ResendButton } from '../check-email/ResendButton.tsx'
import { useEndpointForm } from '../lib/endpointForm.ts'
import { pathAfterSignIn } from '../lib/next.ts'
import { useQuery } from '../lib/query.ts'
import { signIn } from '../lib/session.ts'

export function SignIn() {
  return (
    <ErrorBoundary>
      <SignInForm />
    </ErrorBoundary>
  )
}

function SignInForm() {
  const next = useQuery()?.get('next') ?? null
  const [asksCode, setAsksCode] = useState(false)
  const [unverified, setUnverified] = useState<string | null>(null)
  const { shell, field, form } = useEndpointForm({
    endpoint: login,
    explained: ['two_factor_required', 'invalid_code'],
    onDone: (session) => {
      signIn(session)
      toastOnNextPage('Login Successful')
      location.assign(pathAfterSignIn(session.role, next, location.origin))
    },
    onFailure: ({ code, msg }) => {
      setUnverified(code === 'email_not_verified' ? String(form.getValues('email')) : null)
      if (code === 'two_factor_required') setAsksCode(true)
      // Asked for already: then it was left blank.
      if (code === 'invalid_code' || (code === 'two_factor_required' && asksCode))
        form.setError('code', { message: msg })
    },
  })
  const focusCode = useEffectEvent(() => form.setFocus('code'))
  useEffect(() => {
    if (asksCode) focusCode()
  }, [asksCode])
  return (
    <>
      {next !== null && <Notice>Please sign in to continue.</Notice>}
      <Form {...shell} submitLabel="Sign in" wide label="Sign in">
        <TextField label="Email" type="email" autoComplete="username" {...field('email')} />
        <PasswordField label="Password" autoComplete="current-password" {...field('password')} />
        {asksCode && (
          <CodeField
            label="Authentication code"
            kind="text"
            hint="From your authenticator app, or one of your recovery codes."
            {...field('code')}
          />
        )}
        {unverified !== null && (
          <Notice live actions={<ResendButton email={unverified} />}>
            The mail went to {unverified}. Look among unwanted mail too, or have it sent again.
          </Notice>
        )}
      </Form>
    </>
  )
}
