import {
  type ContactMessage,
  closeMessage,
  getMessage,
  listMessages,
  MESSAGE_TOPICS,
  reopenMessage,
} from '../../../contract/console/messages.ts'
import { isolate } from '../../../contract/isolate.ts'
import { DateTime } from '../../../design/DateTime.tsx'
import { Facts } from '../../../design/Facts.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { Status } from '../../../design/Status.tsx'
import { call } from '../../lib/api.ts'
import { findDraft } from '../../lib/drafts.ts'
import { Conversation } from '../../outreach/support/Conversation.tsx'
import { renderThreadStatus } from '../../outreach/support/threadStatus.tsx'
import type { OutcomeWords } from '../cases/Case.tsx'
import { AtOnce, ConfirmOnly } from '../cases/ConfirmedForm.tsx'
import { buildAgeColumn, buildStatusColumn, Person } from '../cases/columns.tsx'
import { QueueScreen } from '../cases/QueueScreen.tsx'
import type { QueueDecision, QueueKind } from '../cases/queueKind.ts'
import { useOperator } from '../cases/useOperator.ts'
import styles from './Messages.module.css'
import { LinkedText, MentionedCases } from './References.tsx'
import { nameReplyDraft, Reply } from './Reply.tsx'
import { describeState } from './templates.ts'

export function MessageQueue() {
  return <QueueScreen kind={messages} />
}

/** /operator/messages: threads of messages, which operators answer by mail. */
const messages: QueueKind<ContactMessage> = {
  endpoint: listMessages,
  plural: 'messages',
  singular: 'message',
  searchedBy: 'Name, e-mail or reference',
  filters: [
    { value: 'open', label: 'Open', counted: ['message'] },
    { value: 'answered', label: 'Answered' },
    { value: 'closed', label: 'Closed' },
    { value: '', label: 'All' },
  ],
  columns: [
    {
      key: 'from',
      header: 'From',
      narrow: 'line',
      cell: ({ name, email }) => <Person name={name} email={email} />,
    },
    {
      key: 'message',
      header: 'Message',
      narrow: 'line',
      cell: ({ message, ref, replies, topic }) => (
        <>
          {topic !== null && (
            <div>
              <Status status="caution" label={MESSAGE_TOPICS[topic].label} />
            </div>
          )}
          <span className={styles.excerpt}>{message}</span>
          <span className="soft small">
            <span translate="no">{ref}</span>
            <span>{replies > 0 && ` · ${replies} ${replies === 1 ? 'reply' : 'replies'}`}</span>
          </span>
        </>
      ),
    },
    buildAgeColumn(({ status }) => status === 'open'),
    buildStatusColumn(({ status }) => renderThreadStatus(status)),
  ],
  oldestLabel: 'Legal matters first, then oldest',
  workOf: () => 'message',
  bulk: {
    label: 'Close messages',
    scope: 'operator:messages.write',
    endpoint: closeMessage,
    takes: ({ topic }) => topic === null,
  },
  isPending: ({ status }) => status === 'open',
  titleOf: (message) => (message ? `Message from ${isolate(message.name)}` : 'Message'),
  nameOf: ({ ref, name }) => `${ref}, ${isolate(name)}`,
  load: (id) => call(getMessage, { params: { id } }),
  evidence: (message) => <Thread message={message} />,
  details: (message) => <Details message={message} />,
  investorOf: ({ investor }) => investor?._id,
  notice: ({ topic, status }) =>
    topic !== null &&
    status === 'open' && (
      <Notice tone="caution" title={MESSAGE_TOPICS[topic].label}>
        {MESSAGE_TOPICS[topic].advice}
      </Notice>
    ),
  decisions: listMessageDecisions,
  outcomeOf: describeMessageOutcome,
}

function Thread({ message }: { message: ContactMessage }) {
  const { _id, createdAt, name, entries, mentioned = [] } = message
  const shown = entries ?? [{ _id, at: createdAt, by: null, text: message.message }]
  return (
    <Conversation
      label={`Conversation with ${isolate(name)}`}
      entries={shown.map(({ at, by, text }) => ({
        at,
        who: by ?? name,
        isReply: by !== null,
        text: <LinkedText text={text} mentioned={mentioned} />,
      }))}
    />
  )
}

function Details({ message }: { message: ContactMessage }) {
  const { can } = useOperator()
  const { ref, email, status, isProven, investor, answeredBy, closedBy, closedAt } = message
  const { mentioned = [], situation = [] } = message
  const facts = [
    { label: 'Reference', value: ref },
    { label: 'Status', value: renderThreadStatus(status) },
    { label: 'E-mail', value: email },
    investor !== null && {
      label: 'Investor',
      value: (
        <a href={`/operator/investors?open=${encodeURIComponent(investor._id)}`}>
          <bdi>{investor.name}</bdi>
        </a>
      ),
    },
    {
      label: 'Sent',
      value: isProven
        ? 'Signed in'
        : investor === null
          ? 'With the contact form'
          : 'With the contact form. The address is an investor’s, but anybody can write under it.',
    },
    // Others see the investor beside the message.
    !can('operator:investors.money') &&
      situation.length > 0 && {
        label: 'Account',
        value: situation.map((state) => <div key={`${state.kind} ${state.ref}`}>{describeState(state)}</div>),
      },
    mentioned.length > 0 && { label: 'Mentions', value: <MentionedCases mentioned={mentioned} /> },
    answeredBy !== null && { label: 'Answered by', value: answeredBy },
    closedBy !== null && {
      label: 'Closed by',
      value: (
        <>
          <bdi>{closedBy}</bdi>
          {closedAt !== undefined && (
            <div>
              <DateTime at={closedAt} />
            </div>
          )}
        </>
      ),
    },
    {
      label: 'Earlier',
      value: (
        <a href={`/operator/messages?status=#query=${encodeURIComponent(email)}`}>
          All messages from this address
        </a>
      ),
    },
  ]
  return <Facts facts={facts} />
}

const UNSENT = 'Your reply is not sent. Click again to close the message without it.'

function hasUnsentReply(id: string): boolean {
  return String(findDraft(nameReplyDraft(id))?.values.text ?? '').trim() !== ''
}

function listMessageDecisions({
  _id,
  status,
  ref,
  topic,
}: ContactMessage): readonly QueueDecision<ContactMessage>[] {
  const scope = 'operator:messages.write'
  const reply: QueueDecision<ContactMessage> = {
    label: status === 'open' ? 'Reply' : 'Reply again',
    key: 'a',
    scope,
    variant: 'primary',
    // It is what most messages need.
    isOpen: status === 'open',
    panel: (props) => <Reply {...props} />,
  }
  const isLegal = topic !== null && status === 'open'
  const close: QueueDecision<ContactMessage> = {
    key: 'c',
    label: status === 'open' ? 'Close message without reply' : 'Close message',
    scope,
    // One click, because a closed message can be reopened. A possible legal matter needs a confirmation.
    isAtOnce: !isLegal,
    panel: (props) =>
      isLegal ? (
        <ConfirmOnly {...props} endpoint={closeMessage} confirmLabel={close.label}>
          <p>
            <strong>{MESSAGE_TOPICS[topic].label}.</strong> <span>{MESSAGE_TOPICS[topic].advice}</span>
          </p>
          <p>Nobody answers it, and it leaves the queue.</p>
        </ConfirmOnly>
      ) : (
        <AtOnce
          {...props}
          endpoint={closeMessage}
          label={close.label}
          shortcut="c"
          findObjection={() => (hasUnsentReply(_id) ? UNSENT : null)}
        />
      ),
  }
  const reopen: QueueDecision<ContactMessage> = {
    key: 'o',
    label: 'Reopen message',
    scope,
    panel: (props) => (
      <ConfirmOnly {...props} endpoint={reopenMessage} confirmLabel="Reopen the message">
        <p>
          <span translate="no">{ref}</span> waits for an operator again.
        </p>
      </ConfirmOnly>
    ),
  }
  switch (status) {
    case 'open':
      return [reply, close]
    case 'answered':
      return [reply, close, reopen]
    case 'closed':
      return [reopen]
  }
}

function describeMessageOutcome({ status, email, ref }: ContactMessage): OutcomeWords {
  switch (status) {
    case 'answered':
      return { tone: 'success', title: 'Answered', text: `Your reply goes to ${email} by mail.` }
    case 'closed':
      return { tone: 'success', title: 'Closed', text: `${ref} left the queue.` }
    case 'open':
      return { tone: 'success', title: 'Reopened', text: `${ref} waits for an operator again.` }
  }
}
