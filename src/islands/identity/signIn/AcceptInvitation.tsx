import { useState } from 'react'
import { acceptInvitation, invitationForm } from '../../../contract/identity/registration.ts'
import { withErrorBoundary } from '../../../design/ErrorBoundary.tsx'
import { Form } from '../../../design/Form.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { PasswordField } from '../../../design/PasswordField.tsx'
import { useEndpointForm } from '../../lib/endpointForm.ts'
import { clearSession } from '../../lib/session.ts'
import { useSearchParams } from '../../lib/url.ts'

export const AcceptInvitation = withErrorBoundary(AcceptInvitationForm)

function AcceptInvitationForm() {
  const query = useSearchParams()
  const token = query?.get('token') ?? ''
  const [isInvalid, setInvalid] = useState(false)
  const { shell, field } = useEndpointForm({
    endpoint: acceptInvitation,
    schema: invitationForm,
    bodyOf: (typed) => ({ ...typed, token }),
    onDone: () => {
      // The session on this browser belongs to another account.
      clearSession()
      location.assign('/sign-in?next=%2Foperator%2Faccount%23security&why=joined')
    },
    onFailure: ({ code }) => setInvalid(code === 'invalid_token'),
  })
  if (query !== null && token === '')
    return <Notice tone="caution">This link is incomplete. Please open it from the mail again.</Notice>
  return (
    <Form {...shell} submitLabel="Accept the invitation" wide label="Accept the invitation">
      <PasswordField
        label="Password"
        autoComplete="new-password"
        hint="At least 8 characters"
        {...field('password')}
      />
      <PasswordField label="Confirm password" autoComplete="new-password" {...field('confirmPassword')} />
      {isInvalid && (
        <Notice live>
          An invitation works once, for three days. Ask an administrator to invite you again.
        </Notice>
      )}
    </Form>
  )
}
