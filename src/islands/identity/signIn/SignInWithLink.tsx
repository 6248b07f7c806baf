import { useEffect, useState } from 'react'
import { linkProofForm, signInWithLink } from '../../../contract/identity/signIn.ts'
import { ButtonLink } from '../../../design/Button.tsx'
import { withErrorBoundary } from '../../../design/ErrorBoundary.tsx'
import { Form } from '../../../design/Form.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { useEndpointForm } from '../../lib/endpointForm.ts'
import { PasskeyOrCode } from '../../lib/passkey.tsx'
import { isStorageBlocked } from '../../lib/storage.ts'
import { useSearchParams } from '../../lib/url.ts'
import { enter, StorageBlocked } from './enter.tsx'
import { FACTOR_FAILURES, SecondFactor, useSecondFactor } from './SecondFactor.tsx'

export const SignInWithLink = withErrorBoundary(SignInWithLinkForm)

// The button signs in, not the visit: programs that check mails open their links.
function SignInWithLinkForm() {
  const query = useSearchParams()
  const email = query?.get('email') ?? ''
  const token = query?.get('token') ?? ''
  const factor = useSecondFactor()
  const { passkey } = factor
  const [isInvalid, setInvalid] = useState(false)
  const [isBlocked, setBlocked] = useState(false)
  useEffect(() => setBlocked(isStorageBlocked()), [])
  const { shell, field, form } = useEndpointForm({
    endpoint: signInWithLink,
    schema: linkProofForm,
    bodyOf: (typed) => ({ ...typed, email, token }),
    beside: FACTOR_FAILURES.beside,
    explained: FACTOR_FAILURES.explained,
    failures: 'form',
    onDone: (session) => enter(session, null),
    onFailure: (failure) => {
      const { code, msg } = failure
      factor.onFailure(failure)
      setInvalid(code === 'invalid_token')
      if (code === 'two_factor_required' && factor.asksCode) form.setError('code', { message: msg })
    },
  })
  // The link would be used up without a session.
  if (isBlocked) return <StorageBlocked />
  if (query !== null && (email === '' || token === ''))
    return (
      <Notice tone="caution" actions={<NewLink />}>
        This link is incomplete. Please open it from the mail again or request a new one.
      </Notice>
    )
  return (
    <Form
      {...passkey.shellOf(shell, (answer) => form.setValue('passkey', answer))}
      submitLabel={passkey.isChosen ? 'Use Your Passkey' : 'Sign in'}
      wide
      label="Sign in"
      actions={<PasskeyOrCode passkey={passkey} wide />}
    >
      <p>
        You sign in as <strong translate="no">{email}</strong>.
      </p>
      <SecondFactor factor={factor} code={field('code')} focusCode={() => form.setFocus('code')} />
      {isInvalid && (
        <Notice actions={<NewLink />} live>
          A link works once, and for a limited time.
        </Notice>
      )}
    </Form>
  )
}

function NewLink() {
  return (
    <ButtonLink href="/sign-in" size="small">
      Request a new link
    </ButtonLink>
  )
}
