import { type ContactMessage, closeMessage, listMessages } from '../../../contract/console/messages.ts'
import { DateTime } from '../../../design/DateTime.tsx'
import { Facts } from '../../../design/Facts.tsx'
import { Status } from '../../../design/Status.tsx'
import { ConfirmOnly } from '../cases/ConfirmedForm.tsx'
import { ageColumn, Person, statusColumn, whenColumn } from '../cases/columns.tsx'
import { QueueScreen } from '../cases/QueueScreen.tsx'
import type { QueueKind } from '../cases/queueKind.ts'
import styles from './Messages.module.css'

export function MessageQueue() {
  return <QueueScreen kind={messages} />
}

/** /operator/messages: messages from the contact form. They are answered by mail, then closed. */
const messages: QueueKind<ContactMessage> = {
  endpoint: listMessages,
  plural: 'messages',
  singular: 'message',
  searchedBy: 'Name or e-mail of the sender',
  filters: [
    { value: 'open', label: 'Open', counted: 'messages' },
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
      cell: ({ message }) => <span className={styles.excerpt}>{message}</span>,
    },
    ageColumn(({ status }) => status === 'open'),
    whenColumn,
    statusColumn(({ status }) =>
      status === 'open' ? (
        <Status status="pending" label="Open" />
      ) : (
        <Status status="completed" label="Closed" />
      ),
    ),
  ],
  isPending: ({ status }) => status === 'open',
  titleOf: (message) => (message ? `Message from ${message.name}` : 'Message'),
  details: (message) => (
    <>
      <Facts
        facts={[
          { label: 'From', value: message.name },
          { label: 'E-mail', value: <a href={mailTo(message.email)}>{message.email}</a> },
          { label: 'Came in', value: <DateTime at={message.createdAt} /> },
          message.closedBy !== null && { label: 'Closed by', value: message.closedBy },
        ]}
      />
      <p className={styles.message}>{message.message}</p>
      {message.investor !== null && (
        <p className="soft small">
          The address is an investor’s. Anybody can write under it: nothing here proves who did.
        </p>
      )}
    </>
  ),
  investorOf: ({ investor }) => investor?._id,
  decisions: ({ status, name }) =>
    status === 'open'
      ? [
          {
            label: 'Close message',
            intent: 'approve',
            scope: 'operator:messages.write',
            variant: 'primary',
            panel: (props) => (
              <ConfirmOnly {...props} endpoint={closeMessage} confirmLabel="Close the message">
                <p>The message of {name} is marked as answered.</p>
              </ConfirmOnly>
            ),
          },
        ]
      : [],
  outcomeOf: () => ({ tone: 'success', title: 'Closed', text: 'The message is marked as answered.' }),
  decidedBy: ({ closedBy }) => closedBy,
}

/** Encoded, so that an address cannot add a subject or a copy to the mail. */
function mailTo(email: string): string {
  return `mailto:${encodeURIComponent(email).replaceAll('%40', '@')}`
}
