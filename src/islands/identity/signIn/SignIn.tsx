import { type InputEvent as TypedEvent, useEffect, useEffectEvent, useState } from 'react'
import { login } from '../../../contract/identity/signIn.ts'
import { withErrorBoundary } from '../../../design/ErrorBoundary.tsx'
import { CodeField, TextField } from '../../../design/Field.tsx'
import { Form } from '../../../design/Form.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { PasswordField } from '../../../design/PasswordField.tsx'
import { toastOnNextPage } from '../../../design/toasts.ts'
import { forgetDrafts } from '../../lib/drafts.ts'
import { useEndpointForm } from '../../lib/endpointForm.ts'
import { pathAfterSignIn } from '../../lib/next.ts'
import { PasskeyOrCode, usePasskeyProof } from '../../lib/passkey.tsx'
import { signIn } from '../../lib/session.ts'
import { isStorageBlocked } from '../../lib/storage.ts'
import { useSearchParams } from '../../lib/url.ts'
import { pendingEmail } from '../signUp/pendingEmail.ts'
import { ResendButton } from '../signUp/ResendButton.tsx'

export const SignIn = withErrorBoundary(SignInForm)

function SignInForm() {
  const query = useSearchParams()
  const next = query?.get('next') ?? null
  /** Accepted second factors; null until the server asks for one. */
  const [methods, setMethods] = useState<readonly string[] | null>(null)
  const passkey = usePasskeyProof()
  const asksCode = methods !== null && !passkey.isChosen
  const [unverified, setUnverified] = useState<string | null>(null)
  const [closed, setClosed] = useState<string | null>(null)
  const [isBlocked, setBlocked] = useState(false)
  useEffect(() => setBlocked(isStorageBlocked()), [])
  const { shell, field, form } = useEndpointForm({
    endpoint: login,
    beside: { invalid_code: 'code', too_many_codes: 'code' },
    explained: ['two_factor_required', 'invalid_passkey', 'account_closed'],
    onDone: (session) => {
      // The next page would lead back here, because it would not find the session.
      if (isStorageBlocked()) return setBlocked(true)
      signIn(session)
      forgetDrafts(session.email)
      toastOnNextPage('Login Successful')
      location.assign(pathAfterSignIn(session.role, next, location.origin))
    },
    onFailure: (failure) => {
      const { code, msg } = failure
      passkey.onFailure(failure)
      setClosed(code === 'account_closed' ? msg : null)
      setUnverified(code === 'email_not_verified' ? String(form.getValues('email')) : null)
      if (code === 'two_factor_required') setMethods(failure.methods ?? ['totp'])
      // The form already asked for the code, so the field was left blank.
      if (code === 'two_factor_required' && asksCode) form.setError('code', { message: msg })
    },
  })
  // After registration or verification in this tab, only the password is left to type.
  const fillIn = useEffectEvent(() => {
    const email = pendingEmail()
    if (email === null || form.getValues('email')) return
    form.setValue('email', email)
    form.setFocus('password')
  })
  useEffect(() => fillIn(), [])
  const focusCode = useEffectEvent(() => form.setFocus('code'))
  useEffect(() => {
    if (asksCode) focusCode()
  }, [asksCode])
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
        {passkey.isChosen && (
          <Notice live title="One more step">
            Follow your browser to confirm with your passkey.
          </Notice>
        )}
        {asksCode && (
          <CodeField
            label="Authentication code"
            kind="text"
            hint={codeWords(methods, passkey.isOffered)}
            onInput={sendSixthDigit}
            {...field('code')}
          />
        )}
        {methods !== null && (
          <p className="small">
            <a href="/recover-second-factor">Lost your second factor and the recovery codes?</a>
          </p>
        )}
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
    </>
  )
}

function StorageBlocked() {
  return (
    <Notice tone="danger" live title="Your browser blocks storage for this site">
      To stay signed in, this site must store your session in this browser. Allow cookies and site data for it
      in the settings of your browser, or leave private browsing. Then load this page again.
    </Notice>
  )
}

function Why({ why, next }: { why: string | null | undefined; next: string | null }) {
  if (why === 'ended') return <Notice>Your session has ended. Sign in to continue where you were.</Notice>
  if (why === 'logged-out') return <Notice>You logged out in another tab.</Notice>
  return next === null ? null : <Notice>Please sign in to continue.</Notice>
}

/** Sends a code of the app with its sixth typed digit. Pasted and filled-in codes wait for the button. */
function sendSixthDigit({ nativeEvent, currentTarget }: TypedEvent<HTMLInputElement>): void {
  const isTyped = nativeEvent.data?.length === 1
  if (isTyped && /^\d{6}$/.test(currentTarget.value)) currentTarget.form?.requestSubmit()
}

function codeWords(methods: readonly string[], hasPasskeys: boolean): string {
  if (methods.includes('totp'))
    return 'From your authenticator app, sent with its sixth digit, or a recovery code.'
  const code = 'Enter one of your recovery codes.'
  return hasPasskeys ? code : `This browser has no passkeys. ${code}`
}
