import { useSyncExternalStore } from 'react'
import { resendVerification } from '../../../contract/identity/signIn.ts'
import { withErrorBoundary } from '../../../design/ErrorBoundary.tsx'
import { TextField } from '../../../design/Field.tsx'
import { Form } from '../../../design/Form.tsx'
import { toast } from '../../../design/toasts.ts'
import { useEndpointForm } from '../../lib/endpointForm.ts'
import { readPendingEmail } from './pendingEmail.ts'
import { ResendButton } from './ResendButton.tsx'

export const CheckEmail = withErrorBoundary(Awaiting)

function Awaiting() {
  const email = useSyncExternalStore(
    () => () => {},
    readPendingEmail,
    () => null,
  )
  return (
    <div className="stack">
      <p>
        We sent a verification link to{' '}
        <span>{email === null ? 'your address' : <strong translate="no">{email}</strong>}</span>. Open it,
        then sign in.
      </p>
      <p className="soft small">
        If it does not arrive in a few minutes, check your spam folder or request it again.
      </p>
      {email === null ? <ResendForm /> : <ResendButton email={email} />}
    </div>
  )
}

function ResendForm() {
  const { shell, field } = useEndpointForm({
    endpoint: resendVerification,
    onDone: ({ msg }) => toast.success(msg),
  })
  return (
    <Form {...shell} submitLabel="Send the link again" wide label="Send the link again">
      <TextField label="Email" type="email" autoComplete="email" {...field('email')} />
    </Form>
  )
}
