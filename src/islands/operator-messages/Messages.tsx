import { type ContactMessage, listMessages } from '../../contract/operator/messages.ts'
import { DateTime } from '../../design/DateTime.tsx'
import { Modal } from '../../design/Modal.tsx'
import { Status } from '../../design/Status.tsx'
import type { Column } from '../../design/Table.tsx'
import { Fetched } from '../operator/Fetched.tsx'
import { OneLine } from '../operator/OneLine.tsx'
import { OperatorScreen } from '../operator/OperatorScreen.tsx'
import { Person } from '../operator/Person.tsx'
import { QueueView } from '../operator/QueueView.tsx'
import type { Filter } from '../operator/StatusFilter.tsx'
import { useQueue } from '../operator/useQueue.ts'
import styles from './Messages.module.css'

/** /operator/messages: what came in by the contact form. */
export function Messages() {
  return <OperatorScreen waiting={<QueueView {...view} />}>{MessagesQueue}</OperatorScreen>
}

function MessagesQueue() {
  const queue = useQueue(listMessages, filters, ({ status }) => status === 'open')
  const { opened, openId, next, open } = queue
  return (
    <>
      <QueueView {...view} queue={queue} />
      <Modal
        open={openId !== ''}
        onClose={queue.close}
        title={opened ? `Message from ${opened.name}` : 'Message'}
        size="large"
      >
        <Fetched what="message" load={() => import('./MessageCase.tsx')}>
          {({ MessageCase }) => (
            <MessageCase
              key={openId}
              listed={opened}
              isListLoading={queue.data.state === 'loading'}
              onDecided={queue.put}
              onOvertaken={queue.reload}
              onClose={queue.close}
              onNext={next && (() => open(next))}
            />
          )}
        </Fetched>
      </Modal>
    </>
  )
}

const filters: readonly [Filter, ...Filter[]] = [
  { value: 'open', label: 'Open' },
  { value: 'closed', label: 'Closed' },
  { value: '', label: 'All' },
]

const columns: readonly Column<ContactMessage>[] = [
  { key: 'from', header: 'From', cell: ({ name, email }) => <Person name={name} email={email} /> },
  {
    key: 'message',
    header: 'Message',
    cell: ({ message }) => <span className={styles.excerpt}>{message}</span>,
  },
  {
    key: 'at',
    header: 'When',
    cell: ({ createdAt }) => (
      <OneLine>
        <DateTime at={createdAt} />
      </OneLine>
    ),
  },
  { key: 'status', header: 'Status', cell: ({ status }) => <MessageStatus status={status} /> },
]

const view = { what: 'messages', filters, columns }

function MessageStatus({ status }: Pick<ContactMessage, 'status'>) {
  return status === 'open' ? (
    <Status status="pending" label="Open" />
  ) : (
    <Status status="completed" label="Closed" />
  )
}
