import { announcementProposal, propose } from '../../../contract/console/proposals.ts'
import { NEWS_TOPICS } from '../../../contract/identity/preferences.ts'
import { announcementText, getAnnouncementReach } from '../../../contract/outreach/announcements.ts'
import { SelectField } from '../../../design/SelectField.tsx'
import { TextArea } from '../../../design/TextArea.tsx'
import { TextField } from '../../../design/TextField.tsx'
import { site } from '../../../site.ts'
import { call } from '../../lib/api.ts'
import { useResource } from '../../lib/resource.ts'
import { ConfirmedForm, useConfirmedForm } from '../cases/ConfirmedForm.tsx'
import { withFactor } from '../cases/factor.ts'
import styles from './Proposals.module.css'
import type { ProposeProps } from './Propose.tsx'
import { TOPIC_LABELS } from './words.ts'

/** Proposes a mail to everybody who wants its topic. The summary shows it as they would get it. */
export function ProposeAnnouncement({ onProposed, onCancel }: ProposeProps) {
  const form = useConfirmedForm({
    endpoint: propose,
    schema: announcementProposal,
    defaultValues: { kind: 'announcement', topic: NEWS_TOPICS[0] },
    send: withFactor(propose, 'A mail to everybody who wants its topic'),
    onDone: onProposed,
  })
  const topic = NEWS_TOPICS.find((known) => known === form.form.watch('topic')) ?? NEWS_TOPICS[0]
  const reach = useResource(`reach of ${topic}`, () => call(getAnnouncementReach, { query: { topic } }))
  const readers = reach.state === 'ready' ? readersInWords(reach.data.readers) : null
  return (
    <ConfirmedForm
      form={form}
      reviewLabel="Read it as it would be sent"
      confirmLabel="Propose the mail"
      summary={({ subject, text }) => (
        <>
          <p>
            <span className="soft">Subject: </span>
            <strong>{subject.trim()}</strong>
          </p>
          <p className={styles.mail}>
            {announcementText(text, {
              brand: site.brand,
              name: 'Ana Torres',
              link: '(each reader’s own link)',
            })}
          </p>
          <p>
            {readers ?? 'Everybody who wants the topic'} would get it. Nothing is sent yet: another
            administrator decides. Once it is approved, it cannot be called back.
          </p>
        </>
      )}
      onCancel={onCancel}
    >
      <SelectField
        label="To whoever wants"
        hint={
          reach.state === 'failed'
            ? reach.msg
            : `${readers ?? 'Counting who'} would get it, were it approved now.`
        }
        options={NEWS_TOPICS.map((value) => ({ value, label: TOPIC_LABELS[value] }))}
        {...form.field('topic')}
      />
      <TextField label="Subject" autoComplete="off" maxLength={120} {...form.field('subject')} />
      <TextArea
        label="Mail"
        hint="Plain text. A blank line begins a paragraph; greeting, the link that turns such mails off and our name are added."
        rows={10}
        maxLength={10_000}
        {...form.field('text')}
      />
      <TextArea
        label="Reason"
        hint="Who decides reads it."
        optional
        rows={2}
        maxLength={500}
        {...form.field('reason')}
      />
    </ConfirmedForm>
  )
}

function readersInWords(count: number): string {
  return count === 1 ? '1 person' : `${count.toLocaleString('en-US')} people`
}
