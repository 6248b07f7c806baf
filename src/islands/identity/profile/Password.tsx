import { useState } from 'react'
import { passwordChangeForm } from '../../../contract/identity/passwords.ts'
import { patchUserInfo } from '../../../contract/identity/profile.ts'
import type { SessionAnswer } from '../../../contract/identity/signIn.ts'
import { Button } from '../../../design/Button.tsx'
import { Form } from '../../../design/Form.tsx'
import { Modal } from '../../../design/Modal.tsx'
import { Panel } from '../../../design/Panel.tsx'
import { PasswordField } from '../../../design/PasswordField.tsx'
import { toast } from '../../../design/toasts.ts'
import { AccountName } from '../../lib/AccountName.tsx'
import { useEndpointForm } from '../../lib/endpointForm.ts'
import { StrengthMeter } from './StrengthMeter.tsx'
import { WithdrawalProof } from './WithdrawalProof.tsx'

interface PasswordProps {
  session: SessionAnswer | null
  /** The password was changed, which ends the other sessions. */
  onChanged: () => void
}

export function Password({ session, onChanged }: PasswordProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Panel title="Password">
      <p className="small soft">
        We store only a hash of it, so nobody here can read it. Use a password that you use nowhere else.
      </p>
      <div className="row">
        <Button aria-haspopup="dialog" onClick={() => setOpen(true)}>
          Change Password
        </Button>
      </div>
      <Modal open={isOpen} onClose={() => setOpen(false)} title="Update Password">
        <UpdatePassword
          name={session?.name ?? ''}
          email={session?.email ?? ''}
          onDone={() => {
            setOpen(false)
            onChanged()
          }}
        />
      </Modal>
    </Panel>
  )
}

interface UpdatePasswordProps {
  /** For password managers, and to rate passwords that contain them as weak. */
  name: string
  email: string
  onDone: () => void
}

function UpdatePassword({ name, email, onDone }: UpdatePasswordProps) {
  const { shell, field, form } = useEndpointForm({
    endpoint: patchUserInfo,
    schema: passwordChangeForm,
    bodyOf: ({ currentPassword, newPassword }) => ({
      ...(currentPassword && { currentPassword }),
      ...(newPassword && { newPassword }),
    }),
    focus: 'currentPassword',
    failures: 'form',
    beside: { wrong_password: 'currentPassword' },
    // Blank fields are not sent, so for a blank form the server names no field.
    explained: ['validation_failed'],
    onFailure: ({ msg, code, fields }) => {
      toast.error(msg)
      if (code === 'validation_failed' && fields === undefined)
        form.setError('currentPassword', { message: 'Please give your current password' })
    },
    onDone: ({ msg }) => {
      toast.success(msg)
      onDone()
    },
  })
  return (
    <Form {...shell} submitLabel="Update Password" label="Update Password">
      <p className="small soft">
        Your other sessions end, and we confirm the change by mail. <WithdrawalProof />
      </p>
      <AccountName email={email} />
      <PasswordField label="Current password" autoComplete="current-password" {...field('currentPassword')} />
      <PasswordField label="New password" autoComplete="new-password" {...field('newPassword')} />
      <StrengthMeter password={String(form.watch('newPassword') ?? '')} known={[name, email]} />
      <PasswordField label="Confirm new password" autoComplete="new-password" {...field('confirmPassword')} />
    </Form>
  )
}
