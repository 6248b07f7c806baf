import { useEffect, useRef, useState } from 'react'
import { formatNumber } from '../../../contract/numbers.ts'
import { MESSAGE_LENGTH, sendContactMessage } from '../../../contract/outreach/contact.ts'
import { Button } from '../../../design/Button.tsx'
import { withErrorBoundary } from '../../../design/ErrorBoundary.tsx'
import { TextArea, TextField } from '../../../design/Field.tsx'
import { Form } from '../../../design/Form.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { useEndpointForm } from '../../lib/endpointForm.ts'
import styles from './ContactForm.module.css'

/** Shows all messages in the form, so that the public page needs no toasts. */
export const ContactForm = withErrorBoundary(Writing)

function Writing() {
  const [sent, setSent] = useState<Receipt | null>(null)
  const { shell, field, form } = useEndpointForm({
    endpoint: sendContactMessage,
    draft: 'contact',
    failures: 'form',
    onDone: ({ msg }, { email }) => setSent({ msg, email: email.trim() }),
    onFailure: ({ status, code }) => console.error(`The message was not sent: ${status} ${code}`),
  })
  useFocusOnAnother(sent, () => form.setFocus('message'))

  const startAnother = () => {
    form.setValue('message', '')
    setSent(null)
  }
  if (sent !== null) return <Sent receipt={sent} onAnother={startAnother} />
  return (
    <Form
      {...shell}
      formError={shell.formError === null ? null : describeUnsent(shell.formError)}
      submitLabel="Send message"
      label="Write to support"
    >
      <div className="pair">
        <TextField label="Name" autoComplete="name" {...field('name')} />
        <TextField
          label="Email"
          type="email"
          inputMode="email"
          autoComplete="email"
          hint="We answer to this address."
          {...field('email')}
        />
      </div>
      <TextArea
        label="Message"
        rows={7}
        hint={describeLength(String(form.watch('message') ?? ''), MESSAGE_LENGTH)}
        {...field('message')}
      />
    </Form>
  )
}

/** Focuses the message field after "Write another message", because that button was removed. */
function useFocusOnAnother(sent: Receipt | null, focusMessage: () => void) {
  const before = useRef(sent)
  useEffect(() => {
    if (before.current !== null && sent === null) focusMessage()
    before.current = sent
  })
}

interface Receipt {
  msg: string
  email: string
}

/** Replaces the form after sending, and takes the focus. */
function Sent({ receipt: { msg, email }, onAnother }: { receipt: Receipt; onAnother: () => void }) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    place.current?.focus({ preventScroll: true })
    place.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <div ref={place} className={styles.sent} tabIndex={-1}>
      <Notice
        tone="success"
        live
        title={msg}
        actions={
          <Button size="small" onClick={onAnother}>
            Write another message
          </Button>
        }
      >
        You gave <span translate="no">{email}</span> as your address. If it is wrong, no answer can reach you:
        then write once more.
      </Notice>
    </div>
  )
}

/** The limit, and near it the length so far. */
export function describeLength(text: string, max: number): string {
  const length = text.trim().length
  if (length < max * 0.9) return `Up to ${formatNumber(max)} characters.`
  if (length <= max) return `${formatNumber(length)} of ${formatNumber(max)} characters.`
  return `${formatNumber(length)} characters: ${formatNumber(length - max)} too many.`
}

export function describeUnsent(msg: string): string {
  return `Your message was not sent. ${msg} What you wrote is still here.`
}
