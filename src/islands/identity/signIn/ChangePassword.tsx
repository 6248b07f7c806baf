import { useState } from 'react'
import { newPasswordForm, resetPassword } from '../../../contract/identity/passwords.ts'
import { ButtonLink } from '../../../design/Button.tsx'
import { withErrorBoundary } from '../../../design/ErrorBoundary.tsx'
import { Form } from '../../../design/Form.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { PasswordField } from '../../../design/PasswordField.tsx'
import { saveToastForNextPage } from '../../../design/toasts.ts'
import { AccountName } from '../../lib/AccountName.tsx'
import { useEndpointForm } from '../../lib/endpointForm.ts'
import { clearSession } from '../../lib/session.ts'
import { useSearchParams } from '../../lib/url.ts'

export const ChangePassword = withErrorBoundary(ChangePasswordForm)

function ChangePasswordForm() {
  const query = useSearchParams()
  const email = query?.get('email') ?? ''
  const token = query?.get('token') ?? ''
  const [isInvalid, setInvalid] = useState(false)
  const { shell, field } = useEndpointForm({
    endpoint: resetPassword,
    schema: newPasswordForm,
    bodyOf: (typed) => ({ ...typed, email, token }),
    onDone: ({ msg }) => {
      // The server has ended every session of the account, including this one.
      clearSession()
      saveToastForNextPage(msg)
      location.assign('/sign-in')
    },
    onFailure: ({ code }) => setInvalid(code === 'invalid_token'),
  })
  if (query !== null && (email === '' || token === ''))
    return (
      <Notice tone="caution" actions={<NewLink />}>
        This link is incomplete. Please open it from the mail again or request a new one.
      </Notice>
    )
  return (
    <Form {...shell} submitLabel="Change Password" wide label="Change password">
      <AccountName email={email} />
      <PasswordField
        label="New password"
        autoComplete="new-password"
        hint="At least 8 characters"
        {...field('password')}
      />
      <PasswordField label="Confirm new password" autoComplete="new-password" {...field('confirmPassword')} />
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
    <ButtonLink href="/forgot-password" size="small">
      Request a new link
    </ButtonLink>
  )
}
