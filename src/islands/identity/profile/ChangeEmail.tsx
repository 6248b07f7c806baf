import { useState } from 'react'
import {
  cancelEmailChange,
  type EmailChange,
  requestEmailChange,
} from '../../../contract/identity/emailChange.ts'
import { Button } from '../../../design/Button.tsx'
import { DateTime } from '../../../design/DateTime.tsx'
import { Facts } from '../../../design/Facts.tsx'
import { TextField } from '../../../design/Field.tsx'
import { Form } from '../../../design/Form.tsx'
import { Panel } from '../../../design/Panel.tsx'
import { PasswordField } from '../../../design/PasswordField.tsx'
import { Status } from '../../../design/Status.tsx'
import { toast } from '../../../design/toasts.ts'
import { AccountName } from '../../lib/AccountName.tsx'
import { ApiFailure } from '../../lib/ApiFailure.ts'
import { useAction } from '../../lib/action.ts'
import { call } from '../../lib/api.ts'
import { useEndpointForm } from '../../lib/endpointForm.ts'
import { takeFocus } from '../../lib/takeFocus.ts'
import styles from './Profile.module.css'
import { WithdrawalProof } from './WithdrawalProof.tsx'

interface ChangeEmailProps {
  email: string
  /** The new address of a pending change, if both mails are to be sent again. */
  pendingEmail?: string | undefined
  onRequested: () => void
  onDone: () => void
}

export function ChangeEmail({ email, pendingEmail, onRequested, onDone }: ChangeEmailProps) {
  const [newEmail, setNewEmail] = useState<string | null>(null)
  return newEmail === null ? (
    <RequestForm
      email={email}
      pendingEmail={pendingEmail}
      onRequested={(newEmail) => {
        setNewEmail(newEmail)
        onRequested()
      }}
    />
  ) : (
    <WhatNext email={email} newEmail={newEmail} onDone={onDone} />
  )
}

interface RequestFormProps extends Pick<ChangeEmailProps, 'email' | 'pendingEmail'> {
  onRequested: (newEmail: string) => void
}

function RequestForm({ email, pendingEmail, onRequested }: RequestFormProps) {
  const { shell, field } = useEndpointForm({
    endpoint: requestEmailChange,
    defaultValues: pendingEmail === undefined ? {} : { email: pendingEmail },
    focus: pendingEmail === undefined ? 'email' : 'password',
    failures: 'form',
    beside: { wrong_password: 'password' },
    onDone: (_, typed) => onRequested(typed.email.trim()),
  })
  return (
    <Form {...shell} submitLabel="Send Both Mails" label="Change e-mail address">
      <p className="small soft">
        You sign in with{' '}
        <strong translate="no" className={styles.address}>
          {email}
        </strong>
        . It changes when you have confirmed it in both mailboxes, the present one and the new one.
        <span>{pendingEmail !== undefined && ' Links that we mailed earlier stop working.'}</span>
      </p>
      <TextField label="New email" type="email" autoComplete="email" {...field('email')} />
      <AccountName email={email} />
      <PasswordField label="Password" autoComplete="current-password" {...field('password')} />
    </Form>
  )
}

function WhatNext({
  email,
  newEmail,
  onDone,
}: Pick<ChangeEmailProps, 'email' | 'onDone'> & { newEmail: string }) {
  return (
    <div className={styles.next} ref={takeFocus} tabIndex={-1}>
      <p role="status">
        We sent a link to each mailbox. Open both within 24 hours and press “Confirm the change”, in any
        order:
      </p>
      <ul className={styles.mailboxes}>
        <li>
          <span className="small soft">Your present mailbox</span>
          <strong translate="no" className={styles.address}>
            {email}
          </strong>
        </li>
        <li>
          <span className="small soft">The new one</span>
          <strong className={styles.address}>{newEmail}</strong>
        </li>
      </ul>
      <p className="small soft">
        Then you sign in with the new address, and your other sessions end. <WithdrawalProof />
      </p>
      <p className="small soft">
        No link in the new mailbox? Then the address may already have an account. You can cancel the change in
        your profile.
      </p>
      <Button variant="primary" wide onClick={onDone}>
        Okay
      </Button>
    </div>
  )
}

interface PendingEmailChangeProps {
  change: EmailChange
  onResend: () => void
  /** The change was cancelled, or is no longer pending. */
  onEnded: () => void
}

export function PendingEmailChange({ change, onResend, onEnded }: PendingEmailChangeProps) {
  const cancelling = useAction(() => cancel(onEnded))
  return (
    <Panel title="Your e-mail address is not changed yet">
      <p className="small soft">
        Confirm the change in both mailboxes. If you did not ask for it, cancel it and change your password.
      </p>
      <Facts
        facts={[
          { label: 'New address', value: change.newEmail },
          {
            label: 'Your present mailbox',
            value: <Confirmation isConfirmed={change.isConfirmedByPresent} />,
          },
          { label: 'The new mailbox', value: <Confirmation isConfirmed={change.isConfirmedByNew} /> },
          { label: 'The links work until', value: <DateTime at={change.expiresAt} /> },
        ]}
      />
      <div className="row">
        <Button size="small" aria-haspopup="dialog" onClick={onResend}>
          Send Both Mails Again
        </Button>
        <Button size="small" busy={cancelling.busy} onClick={cancelling.start}>
          Cancel the Change
        </Button>
      </div>
    </Panel>
  )
}

function Confirmation({ isConfirmed }: { isConfirmed: boolean }) {
  return isConfirmed ? (
    <Status status="approved" label="Confirmed" />
  ) : (
    <Status status="pending" label="Not confirmed yet" />
  )
}

async function cancel(onEnded: () => void): Promise<void> {
  try {
    const { msg } = await call(cancelEmailChange)
    toast.success(msg)
    onEnded()
  } catch (failure) {
    // Conflict: it was confirmed or cancelled elsewhere.
    if (failure instanceof ApiFailure && failure.status === 409) onEnded()
    throw failure
  }
}
