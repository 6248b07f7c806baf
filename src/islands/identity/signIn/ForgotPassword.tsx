import { useState } from 'react'
import { forgotPassword } from '../../../contract/identity/passwords.ts'
import { withErrorBoundary } from '../../../design/ErrorBoundary.tsx'
import { TextField } from '../../../design/Field.tsx'
import { Form } from '../../../design/Form.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { toast } from '../../../design/toasts.ts'
import { useEndpointForm } from '../../lib/endpointForm.ts'

export const ForgotPassword = withErrorBoundary(ForgotPasswordForm)

function ForgotPasswordForm() {
  const [requestedFor, setRequestedFor] = useState<string | null>(null)
  const { shell, field } = useEndpointForm({
    endpoint: forgotPassword,
    onDone: ({ msg }, { email }) => {
      toast.success(msg)
      setRequestedFor(email.trim())
    },
  })
  return (
    <Form {...shell} submitLabel="Request Reset Link" wide label="Forgot password">
      <TextField label="Email" type="email" autoComplete="username" {...field('email')} />
      {requestedFor !== null && (
        <Notice tone="success" title="Link sent" live>
          If {requestedFor} has an account, a link to choose a new password is on its way. If it does not
          arrive in a few minutes, check your spam folder or request it again.
        </Notice>
      )}
    </Form>
  )
}
