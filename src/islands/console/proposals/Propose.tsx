import { type ReactNode, useState } from 'react'
import {
  announcementProposal,
  bonusProposal,
  propose,
  reversalProposal,
  serviceNoticeProposal,
} from '../../../contract/console/proposalBodies.ts'
import { PROPOSAL_LABELS } from '../../../contract/console/proposals.ts'
import type { Settings } from '../../../contract/console/settingValues.ts'
import { NEWS_TOPICS } from '../../../contract/identity/preferences.ts'
import { renderAnnouncement, SERVICE } from '../../../contract/outreach/announcements.ts'
import { TextArea, TextField } from '../../../design/Field.tsx'
import { Form } from '../../../design/Form.tsx'
import { MoneyField } from '../../../design/MoneyField.tsx'
import { RadioGroup } from '../../../design/RadioGroup.tsx'
import { SelectField } from '../../../design/SelectField.tsx'
import { site } from '../../../site.ts'
import { useEndpointForm } from '../../lib/endpointForm.ts'
import type { FieldAttributes } from '../../lib/form.ts'
import { CancelButton, ConfirmedForm, useConfirmedForm } from '../cases/ConfirmedForm.tsx'
import { withFactor } from '../cases/factor.tsx'
import { InternalNoteField } from '../cases/InternalNoteField.tsx'
import { ReasonPick } from '../cases/ReasonForm.tsx'
import { useOperator } from '../cases/useOperator.ts'
import { InvestorPicker } from './InvestorPicker.tsx'
import styles from './Proposals.module.css'
import { useReach } from './reach.ts'
import { listProposableKinds, type Proposable, TOPIC_LABELS } from './words.ts'

interface ProposeProps {
  settings: Settings | null
  onProposed: () => void
  onCancel: () => void
}

/** The choice of the kind, and the form of that kind. */
export function ProposeForms(props: ProposeProps) {
  const { me } = useOperator()
  const kinds = listProposableKinds(me?.roles ?? [])
  const [chosen, setKind] = useState<Proposable | null>(null)
  const kind = chosen ?? kinds[0]
  if (kind === undefined) return null
  const Fields = FORMS[kind]
  return (
    <>
      <RadioGroup
        label="What to propose"
        name="kind"
        options={kinds.map((value) => ({
          value,
          label: PROPOSAL_LABELS[value],
          hint: hints[value],
        }))}
        value={kind}
        onChange={({ target }) => setKind(kinds.find((candidate) => candidate === target.value) ?? null)}
      />
      <Fields {...props} />
      <p className="soft small">
        Propose limits, fees and other settings under <a href="/operator/settings">Settings</a>, and receiving
        addresses under <a href="/operator/wallets">Wallets</a>.
      </p>
    </>
  )
}

const FORMS: Record<Proposable, (props: ProposeProps) => ReactNode> = {
  bonus: ProposeBonus,
  reversal: ProposeReversal,
  announcement: ProposeAnnouncement,
  service_notice: ProposeServiceNotice,
}

const hints: Record<Proposable, string> = {
  bonus: 'Money that we give to one investor.',
  reversal: 'Reverses a credit or a payout that was a mistake.',
  announcement: 'A mail to all subscribers of a topic.',
  service_notice: 'News about the service, to every investor.',
}

function ProposeBonus({ settings, onProposed, onCancel }: ProposeProps) {
  const { shell, field, form } = useEndpointForm({
    endpoint: propose,
    schema: bonusProposal,
    defaultValues: { kind: 'bonus' },
    failures: 'form',
    send: withFactor(propose, (body) =>
      'amount' in body ? `A bonus of $${String(body.amount)}` : 'A bonus',
    ),
    onDone: onProposed,
  })
  return (
    <Form {...shell} submitLabel="Propose the bonus" actions={<CancelButton onClick={onCancel} />}>
      <InvestorPicker {...field('investor')} />
      <MoneyField label="Amount" {...field('amount')} />
      <ReasonPick settings={settings} kind="bonus" onPick={(reason) => form.setValue('reason', reason)} />
      <TextArea
        label="Internal note"
        hint="Why we give it. Only operators read it."
        rows={2}
        maxLength={500}
        {...field('reason')}
      />
    </Form>
  )
}

function ProposeReversal({ settings, onProposed, onCancel }: ProposeProps) {
  const { shell, field, form } = useEndpointForm({
    endpoint: propose,
    schema: reversalProposal,
    defaultValues: { kind: 'reversal' },
    failures: 'form',
    send: withFactor(propose, (body) =>
      'request' in body ? `The reversal of ${String(body.request)}` : 'A reversal',
    ),
    onDone: onProposed,
  })
  return (
    <Form {...shell} submitLabel="Propose the reversal" actions={<CancelButton onClick={onCancel} />}>
      <TextField
        label="Reference of the request"
        hint="A credited deposit (DEP-…) or a completed withdrawal (WDR-…). Reversing a payout makes the money available to the investor again. Reversing a credit takes the money back."
        autoComplete="off"
        spellCheck={false}
        maxLength={100}
        {...field('request')}
      />
      <ReasonPick settings={settings} kind="reversal" onPick={(reason) => form.setValue('reason', reason)} />
      <TextArea
        label="Message to the investor"
        hint="The investor reads it in a mail and in the history, once another operator approves the reversal."
        rows={2}
        maxLength={500}
        {...field('reason')}
      />
      <InternalNoteField {...field('internalNote')} />
    </Form>
  )
}

/** Proposes a mail to all subscribers of a topic. The summary shows it as they would receive it. */
function ProposeAnnouncement({ onProposed, onCancel }: ProposeProps) {
  const form = useConfirmedForm({
    endpoint: propose,
    schema: announcementProposal,
    defaultValues: { kind: 'announcement', topic: NEWS_TOPICS[0] },
    send: withFactor(propose, 'A mail to all subscribers of a topic'),
    onDone: onProposed,
  })
  const topic = NEWS_TOPICS.find((candidate) => candidate === form.form.watch('topic')) ?? NEWS_TOPICS[0]
  const reach = useReach(topic)
  return (
    <ConfirmedForm
      form={form}
      {...PREVIEWED}
      summary={(mail) => <MailPreview {...mail} reach={reach} link="(each reader’s own link)" />}
      onCancel={onCancel}
    >
      <SelectField
        label="Topic"
        hint={reach}
        options={NEWS_TOPICS.map((value) => ({ value, label: TOPIC_LABELS[value] }))}
        {...form.field('topic')}
      />
      <MailFields
        adds="a greeting, an unsubscribe link and our name"
        subject={form.field('subject')}
        text={form.field('text')}
        reason={form.field('reason')}
      />
    </ConfirmedForm>
  )
}

/** Proposes a mail to every investor, whatever mails they chose. */
function ProposeServiceNotice({ onProposed, onCancel }: ProposeProps) {
  const form = useConfirmedForm({
    endpoint: propose,
    schema: serviceNoticeProposal,
    defaultValues: { kind: 'service_notice' },
    send: withFactor(propose, 'A service notice to all investors'),
    onDone: onProposed,
  })
  const reach = useReach(SERVICE)
  return (
    <ConfirmedForm
      form={form}
      {...PREVIEWED}
      summary={(mail) => <MailPreview {...mail} reach={reach} link={null} />}
      onCancel={onCancel}
    >
      <p>
        <span>{reach}</span> It is a mail, and also in their notifications. For news about the service only.
        Marketing goes to people who chose it.
      </p>
      <MailFields
        adds="a greeting, why everybody gets it, and our name"
        subject={form.field('subject')}
        text={form.field('text')}
        reason={form.field('reason')}
      />
    </ConfirmedForm>
  )
}

const PREVIEWED = { reviewLabel: 'Preview the mail', confirmLabel: 'Propose the mail' }

interface MailFieldsProps {
  /** The parts of the mail that nobody has to write. */
  adds: string
  subject: FieldAttributes
  text: FieldAttributes
  reason: FieldAttributes
}

function MailFields({ adds, subject, text, reason }: MailFieldsProps) {
  return (
    <>
      <TextField label="Subject" autoComplete="off" maxLength={120} {...subject} />
      <TextArea
        label="Mail"
        hint={`Plain text. A blank line starts a new paragraph. We add ${adds}.`}
        rows={10}
        maxLength={10_000}
        {...text}
      />
      <TextArea
        label="Reason"
        hint="The second administrator reads it."
        optional
        rows={2}
        maxLength={500}
        {...reason}
      />
    </>
  )
}

interface MailPreviewProps {
  subject: string
  text: string
  reach: string
  link: string | null
}

/** The mail as its readers get it. */
function MailPreview({ subject, text, reach, link }: MailPreviewProps) {
  return (
    <>
      <p>
        <span className="soft">Subject: </span>
        <strong>{subject.trim()}</strong>
      </p>
      <p className={styles.mail}>
        {renderAnnouncement(text, { brand: site.brand, name: 'Ana Torres', link })}
      </p>
      <p>
        <span>{reach}</span> It goes out once another administrator approves it. After that it cannot be
        stopped.
      </p>
    </>
  )
}
