import { useState } from 'react'
import {
  buildReplyClosing,
  type ContactMessage,
  formatReplySubject,
  replyFields,
  replyToMessage,
} from '../../../contract/console/messages.ts'
import { splitTemplate } from '../../../contract/console/placeholders.ts'
import { isolate } from '../../../contract/isolate.ts'
import { MESSAGE_LENGTH } from '../../../contract/outreach/contact.ts'
import { Button } from '../../../design/Button.tsx'
import { Facts } from '../../../design/Facts.tsx'
import { TextArea } from '../../../design/Field.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { SelectField } from '../../../design/SelectField.tsx'
import { site } from '../../../site.ts'
import { ConfirmedForm, useConfirmedForm } from '../cases/ConfirmedForm.tsx'
import type { QueueDecisionProps } from '../cases/queueKind.ts'
import styles from './Messages.module.css'
import { listTemplates } from './templates.ts'

/** The name under which the tab keeps an unsent reply. */
export function nameReplyDraft(id: string): string {
  return `reply ${id}`
}

/** Writes a reply, from a template or not, and shows the mail before it is sent. The tab keeps an unsent reply. */
export function Reply(props: QueueDecisionProps<ContactMessage>) {
  const { row, settings, onDecided, onOvertaken, onCancel } = props
  const newest = row.entries?.at(-1)?._id ?? ''
  const [read] = useState(newest)
  const form = useConfirmedForm({
    endpoint: replyToMessage,
    schema: replyFields,
    params: { id: row._id },
    draft: nameReplyDraft(row._id),
    bodyOf: ({ text }) => ({ text, latest: newest }),
    onDone: onDecided,
    onOvertaken: (msg) => onOvertaken(`${msg} Your text is kept as a draft.`),
  })
  const [asked, setAsked] = useState<string | null>(null)
  const templates = settings === null ? [] : listTemplates(settings.templates, row)
  const insert = (text: string) => {
    form.form.setValue('text', text)
    setAsked(null)
  }
  const choose = (text: string) => {
    const typed = String(form.form.getValues('text') ?? '').trim()
    const isUnchanged =
      typed === '' ||
      templates.some(({ texts }) => texts.some((template) => splitTemplate(template).text.trim() === typed))
    if (text === '') setAsked(null)
    else if (isUnchanged) insert(text)
    else setAsked(text)
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
          options: texts.map(splitTemplate).map(({ name, text }) => ({ value: text, label: name })),
        }))}
        onChange={(event) => choose(event.target.value)}
      />
      {asked !== null && (
        <Notice
          tone="caution"
          title="Replace what you typed?"
          live
          actions={
            <>
              <Button size="small" onClick={() => insert(asked)}>
                Replace it
              </Button>
              <Button size="small" variant="quiet" onClick={() => setAsked(null)}>
                Keep my text
              </Button>
            </>
          }
        >
          The template would replace your text below.
        </Notice>
      )}
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
