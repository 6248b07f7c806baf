import { type ContactMessage, listMessages } from '../../../contract/console/messages.ts'
import { DateTime } from '../../../design/DateTime.tsx'
import { Status } from '../../../design/Status.tsx'
import type { Column } from '../../../design/Table.tsx'
import { OneLine } from '../cases/OneLine.tsx'
import { Person } from '../cases/Person.tsx'
import { type QueueKind, QueueScreen } from '../cases/QueueScreen.tsx'
import type { Filter } from '../cases/StatusFilter.tsx'
import { MessageCase } from './MessageCase.tsx'
import styles from './Messages.module.css'

/** /operator/messages: what came in by the contact form. */
export function Messages() {
  return <QueueScreen kind={messages} />
}

const filters: readonly [Filter, ...Filter[]] = [
  { value: 'open', label: 'Open', counted: 'messages' },
  { value: 'closed', label: 'Closed' },
  { value: '', label: 'All' },
]

const columns: readonly Column<ContactMessage>[] = [
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
    cell: ({ message }) => <span className={styles.excerpt}>{message}</span>,
  },
  {
    key: 'at',
    header: 'When',
    narrow: 'start',
    cell: ({ createdAt }) => (
      <OneLine>
        <DateTime at={createdAt} />
      </OneLine>
    ),
  },
  { key: 'status', header: 'Status', narrow: 'end', cell: ({ status }) => <MessageStatus status={status} /> },
]

const messages: QueueKind<NonNullable<(typeof listMessages)['query']>, ContactMessage> = {
  endpoint: listMessages,
  what: 'messages',
  one: 'message',
  searchedBy: 'Name or e-mail of the sender',
  filters,
  columns,
  waits: ({ status }) => status === 'open',
  titleOf: (message) => (message ? `Message from ${message.name}` : 'Message'),
  Case: MessageCase,
}

function MessageStatus({ status }: Pick<ContactMessage, 'status'>) {
  return status === 'open' ? (
    <Status status="pending" label="Open" />
  ) : (
    <Status status="completed" label="Closed" />
  )
}
