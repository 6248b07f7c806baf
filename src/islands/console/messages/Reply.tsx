import { useState } from 'react'
import {
  buildReplyClosing,
  type ContactMessage,
  formatReplySubject,
  replyFields,
  replyToMessage,
} from '../../../contract/console/messages.ts'
import { isolate } from '../../../contract/isolate.ts'
import { MESSAGE_LENGTH } from '../../../contract/outreach/contact.ts'
import { Facts } from '../../../design/Facts.tsx'
import { TextArea } from '../../../design/Field.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { SelectField } from '../../../design/SelectField.tsx'
import { site } from '../../../site.ts'
import { ConfirmedForm, useConfirmedForm } from '../cases/ConfirmedForm.tsx'
import type { QueueDecisionProps } from '../cases/queueKind.ts'
import styles from './Messages.module.css'
import { listTemplates } from './templates.ts'

/** Writes a reply, from a template or not, and shows the mail before it is sent. The tab keeps an unsent reply. */
export function Reply(props: QueueDecisionProps<ContactMessage>) {
  const { row, settings, onDecided, onOvertaken, onCancel } = props
  const newest = row.entries?.at(-1)?._id ?? ''
  const [read] = useState(newest)
  const form = useConfirmedForm({
    endpoint: replyToMessage,
    schema: replyFields,
    params: { id: row._id },
    draft: `reply ${row._id}`,
    bodyOf: ({ text }) => ({ text, latest: newest }),
    onDone: onDecided,
    onOvertaken: (msg) => onOvertaken(`${msg} Your text is kept as a draft.`),
  })
  const [inserted, setInserted] = useState('')
  const templates = settings === null ? [] : listTemplates(settings.templates, row)
  const insert = (text: string) => {
    if (text === '') return
    const typed = String(form.form.watch('text') ?? '').trim()
    form.form.setValue('text', typed === '' || typed === inserted ? text : `${typed}\n\n${text}`)
    setInserted(text)
  }
  return (
    <ConfirmedForm
      form={form}
      reviewLabel="Preview"
      confirmLabel="Send the reply"
      summary={({ text }) => <MailPreview row={row} text={text.trim()} />}
      onCancel={onCancel}
    >
      {newest !== read && (
        <Notice tone="caution" title="The conversation has gone on">
          Read what was written in the meantime before you send.
        </Notice>
      )}
      <SelectField
        label="Template"
        optional
        placeholder="Choose a template"
        options={templates.map(({ label, texts }) => ({
          label,
          options: texts.map((text) => ({ value: text, label: shorten(text) })),
        }))}
        onChange={(event) => insert(event.target.value)}
      />
      <TextArea
        label="Reply"
        rows={10}
        maxLength={MESSAGE_LENGTH}
        hint="The greeting, the reference and our name are added. Links may lead to our own pages only."
        data-lines
        {...form.field('text')}
      />
    </ConfirmedForm>
  )
}

/** The beginning of a text, for a list. */
function shorten(text: string): string {
  return text.length > 90 ? `${text.slice(0, 90)}…` : text
}

function MailPreview({ row, text }: { row: ContactMessage; text: string }) {
  const { words, label } = buildReplyClosing(row)
  return (
    <>
      <Facts
        facts={[
          { label: 'To', value: row.email },
          { label: 'Subject', value: formatReplySubject(row.ref) },
        ]}
      />
      <p
        className={styles.mail}
      >{`Hello ${isolate(row.name)},\n\n${text}\n\n${words}\n\n${label}\n\n${site.brand}`}</p>
    </>
  )
}
