import { useEffect, useRef, useState } from 'react'
import { MESSAGE_LENGTH, sendContactMessage } from '../../../contract/outreach/contact.ts'
import { ErrorBoundary } from '../../../design/ErrorBoundary.tsx'
import { Form } from '../../../design/Form.tsx'
import { TextArea } from '../../../design/TextArea.tsx'
import { TextField } from '../../../design/TextField.tsx'
import { useEndpointForm } from '../../lib/endpointForm.ts'
import { type Receipt, Sent } from './Sent.tsx'
import { lengthWords, notSentWords } from './words.ts'

/** Takes a message to support. What it says about itself stays on the page, so that it needs no toasts. */
export function ContactForm() {
  return (
    <ErrorBoundary>
      <Writing />
    </ErrorBoundary>
  )
}

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

  if (sent !== null) {
    const startAnother = () => {
      form.setValue('message', '')
      setSent(null)
    }
    return <Sent receipt={sent} onAnother={startAnother} />
  }
  return (
    <Form
      {...shell}
      formError={shell.formError === null ? null : notSentWords(shell.formError)}
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
          hint="The answer goes there."
          {...field('email')}
        />
      </div>
      <TextArea
        label="Message"
        rows={7}
        hint={lengthWords(String(form.watch('message') ?? ''), MESSAGE_LENGTH)}
        {...field('message')}
      />
    </Form>
  )
}

/** Who starts another message goes on in its field: the button that they pressed is gone. */
function useFocusOnAnother(sent: Receipt | null, focusMessage: () => void) {
  const before = useRef(sent)
  useEffect(() => {
    if (before.current !== null && sent === null) focusMessage()
    before.current = sent
  })
}
