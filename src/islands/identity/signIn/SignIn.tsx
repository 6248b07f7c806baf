import { useEffect, useEffectEvent, useState } from 'react'
import { login } from '../../../contract/identity/signIn.ts'
import { withErrorBoundary } from '../../../design/ErrorBoundary.tsx'
import { TextField } from '../../../design/Field.tsx'
import { Form } from '../../../design/Form.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { PasswordField } from '../../../design/PasswordField.tsx'
import { useEndpointForm } from '../../lib/endpointForm.ts'
import { PasskeyOrCode } from '../../lib/passkey.tsx'
import { isStorageBlocked } from '../../lib/storage.ts'
import { useSearchParams } from '../../lib/url.ts'
import { readPendingEmail } from '../signUp/pendingEmail.ts'
import { ResendButton } from '../signUp/ResendButton.tsx'
import { enter, StorageBlocked } from './enter.tsx'
import { MailSignInLink } from './MailSignInLink.tsx'
import { FACTOR_FAILURES, SecondFactor, useSecondFactor } from './SecondFactor.tsx'
import { SignInWithPasskey } from './SignInWithPasskey.tsx'

export const SignIn = withErrorBoundary(SignInForm)

function SignInForm() {
  const query = useSearchParams()
  const next = query?.get('next') ?? null
  const factor = useSecondFactor()
  const { passkey } = factor
  const [unverified, setUnverified] = useState<string | null>(null)
  const [closed, setClosed] = useState<string | null>(null)
  /** The refusal after too many tries. */
  const [limited, setLimited] = useState<string | null>(null)
  const [isBlocked, setBlocked] = useState(false)
  useEffect(() => setBlocked(isStorageBlocked()), [])
  const { shell, field, form } = useEndpointForm({
    endpoint: login,
    beside: FACTOR_FAILURES.beside,
    explained: [...FACTOR_FAILURES.explained, 'account_closed', 'too_many_requests'],
    onDone: (session) => {
      // The next page would lead back here, because it would not find the session.
      if (isStorageBlocked()) return setBlocked(true)
      enter(session, next)
    },
    onFailure: (failure) => {
      const { code, msg } = failure
      factor.onFailure(failure)
      // The toast goes, and the message stays beside the field.
      if (code === 'invalid_credentials') form.setError('password', { message: msg })
      setClosed(code === 'account_closed' ? msg : null)
      setLimited(code === 'too_many_requests' ? msg : null)
      setUnverified(code === 'email_not_verified' ? String(form.getValues('email')) : null)
      // The form already asked for the code, so the field was left blank.
      if (code === 'two_factor_required' && factor.asksCode) form.setError('code', { message: msg })
    },
  })
  // After registration or verification in this tab, only the password is left to type. A person who is already typing is not interrupted.
  const fillIn = useEffectEvent(() => {
    const email = readPendingEmail()
    const isTyping = document.activeElement instanceof HTMLInputElement
    if (email === null || form.getValues('email') || isTyping) return
    form.setValue('email', email)
    form.setFocus('password')
  })
  useEffect(() => fillIn(), [])
  return (
    <>
      {isBlocked ? <StorageBlocked /> : <Why why={query?.get('why')} next={next} />}
      <Form
        {...passkey.shellOf(shell, (answer) => form.setValue('passkey', answer))}
        submitLabel={passkey.isChosen ? 'Use Your Passkey' : 'Sign in'}
        wide
        label="Sign in"
        actions={<PasskeyOrCode passkey={passkey} wide />}
      >
        <TextField label="Email" type="email" autoComplete="username" {...field('email')} />
        <PasswordField label="Password" autoComplete="current-password" {...field('password')} />
        <SecondFactor factor={factor} code={field('code')} focusCode={() => form.setFocus('code')} />
        {closed !== null && (
          <Notice live tone="caution">
            {closed}
          </Notice>
        )}
        {unverified !== null && (
          <Notice live actions={<ResendButton email={unverified} />}>
            We sent the link to {unverified}. Check your spam folder, or request it again.
          </Notice>
        )}
      </Form>
      <SignInWithPasskey onDone={(session) => enter(session, next)} />
      <MailSignInLink
        limited={limited}
        email={() => String(form.getValues('email') ?? '')}
        onProblem={(message) => {
          form.setError('email', { message })
          form.setFocus('email')
        }}
      />
    </>
  )
}

function Why({ why, next }: { why: string | null | undefined; next: string | null }) {
  if (why === 'ended') return <Notice>Your session has ended. Sign in to continue where you were.</Notice>
  if (why === 'joined')
    return (
      <Notice tone="success" title="Your operator account is open">
        Sign in with your new password. Next, turn on a second factor: an authenticator app or a passkey. Then
        the console opens.
      </Notice>
    )
  if (why === 'logged-out') return <Notice>You logged out in another tab.</Notice>
  return next === null ? null : <Notice>Please sign in to continue.</Notice>
}
