import { useEffect, useEffectEvent, useState } from 'react'
import { askForEmailChange } from '../../../contract/identity/emailChange.ts'
import { Button } from '../../../design/Button.tsx'
import { Form } from '../../../design/Form.tsx'
import { PasswordField } from '../../../design/PasswordField.tsx'
import { TextField } from '../../../design/TextField.tsx'
import { AccountName } from '../../lib/AccountName.tsx'
import { useEndpointForm } from '../../lib/endpointForm.ts'
import styles from './ChangeEmail.module.css'
import { takeFocus } from './takeFocus.ts'

interface ChangeEmailProps {
  /** The present address. */
  email: string
  /** The new address of a change that waits: asked for again, it starts anew. */
  again?: string | undefined
  /** Both mails are on their way. */
  onAsked: () => void
  onDone: () => void
}

/** Asks for another e-mail address, and then says what both mailboxes have to do about it. */
export function ChangeEmail({ email, again, onAsked, onDone }: ChangeEmailProps) {
  const [asked, setAsked] = useState<string | null>(null)
  return asked === null ? (
    <Ask
      email={email}
      again={again}
      onAsked={(asked) => {
        setAsked(asked)
        onAsked()
      }}
    />
  ) : (
    <WhatNext email={email} asked={asked} onDone={onDone} />
  )
}

interface AskProps extends Pick<ChangeEmailProps, 'email' | 'again'> {
  onAsked: (asked: string) => void
}

function Ask({ email, again, onAsked }: AskProps) {
  const { shell, field, form } = useEndpointForm({
    endpoint: askForEmailChange,
    defaultValues: again === undefined ? {} : { email: again },
    failures: 'form',
    explained: ['wrong_password'],
    onFailure: ({ code, msg }) => {
      if (code === 'wrong_password') form.setError('password', { message: msg })
    },
    onDone: (_, typed) => onAsked(typed.email.trim()),
  })
  const focusFirst = useEffectEvent(() => form.setFocus(again === undefined ? 'email' : 'password'))
  useEffect(() => focusFirst(), [])
  return (
    <Form {...shell} submitLabel="Send Both Mails" label="Change e-mail address">
      <p className="small soft">
        You sign in with <strong className={styles.address}>{email}</strong>. It changes once that mailbox and
        the new one have both confirmed it.
        {again !== undefined && ' Links that were mailed for it earlier stop working.'}
      </p>
      <TextField label="New email" type="email" autoComplete="email" {...field('email')} />
      <AccountName email={email} />
      <PasswordField label="Password" autoComplete="current-password" {...field('password')} />
    </Form>
  )
}

function WhatNext({ email, asked, onDone }: Pick<ChangeEmailProps, 'email' | 'onDone'> & { asked: string }) {
  return (
    <div className={styles.next} ref={takeFocus} tabIndex={-1}>
      <p role="status">
        We have mailed a link to each of the two mailboxes. Within 24 hours, open both and press “Confirm the
        change”, in either order:
      </p>
      <ul className={styles.mailboxes}>
        <li>
          <span className="small soft">Your present mailbox</span>
          <strong className={styles.address}>{email}</strong>
        </li>
        <li>
          <span className="small soft">The new one</span>
          <strong className={styles.address}>{asked}</strong>
        </li>
      </ul>
      <p className="small soft">
        Until then nothing changes. Afterwards you sign in with the new address, every session but this one
        has ended, and for 72 hours each withdrawal asks for a code.
      </p>
      <p className="small soft">
        No link in the new mailbox? If the address has an account already, its owner is told so instead. Your
        profile shows how far it is, and calls it off.
      </p>
      <Button variant="primary" wide onClick={onDone}>
        Okay
      </Button>
    </div>
  )
}
