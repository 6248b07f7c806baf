import { listWithdrawals, type OperatorWithdrawal } from '../../contract/operator/withdrawals.ts'
import { DateTime } from '../../design/DateTime.tsx'
import { Modal } from '../../design/Modal.tsx'
import { Money } from '../../design/Money.tsx'
import { Status } from '../../design/Status.tsx'
import type { Column } from '../../design/Table.tsx'
import { Fetched } from '../operator/Fetched.tsx'
import { OneLine } from '../operator/OneLine.tsx'
import { OperatorScreen } from '../operator/OperatorScreen.tsx'
import { Person } from '../operator/Person.tsx'
import { QueueView } from '../operator/QueueView.tsx'
import type { Filter } from '../operator/StatusFilter.tsx'
import { useQueue } from '../operator/useQueue.ts'
import { useSettings } from '../operator/useSettings.ts'
import { methodOf, statusWord } from './words.ts'

/** /operator/withdrawals: what investors want paid out; approved first, then paid and recorded. */
export function Withdrawals() {
  return <OperatorScreen waiting={<QueueView {...view} />}>{WithdrawalsQueue}</OperatorScreen>
}

function WithdrawalsQueue() {
  const queue = useQueue(
    listWithdrawals,
    filters,
    (row, shown) => row.status === (shown === 'approved' ? 'approved' : 'pending'),
  )
  const settings = useSettings()
  const { opened, openId, next, open } = queue
  return (
    <>
      <QueueView {...view} queue={queue} />
      <Modal
        open={openId !== ''}
        onClose={queue.close}
        title={opened ? `Withdrawal ${opened.ref}` : 'Withdrawal'}
        size="large"
      >
        <Fetched what="withdrawal" load={() => import('./WithdrawalCase.tsx')}>
          {({ WithdrawalCase }) => (
            <WithdrawalCase
              key={openId}
              id={openId}
              listed={opened}
              settings={settings.state === 'ready' ? settings.data : null}
              onDecided={queue.put}
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
  { value: 'pending', label: 'Pending' },
  { value: 'approved', label: 'To be paid' },
  { value: 'completed', label: 'Completed' },
  { value: 'rejected', label: 'Rejected' },
  { value: 'cancelled', label: 'Cancelled' },
  { value: 'reversed', label: 'Reversed' },
  { value: '', label: 'All' },
]

const columns: readonly Column<OperatorWithdrawal>[] = [
  { key: 'ref', header: 'Reference', cell: ({ ref }) => <OneLine>{ref}</OneLine> },
  { key: 'investor', header: 'Investor', cell: ({ investor }) => <Person {...investor} /> },
  { key: 'amount', header: 'Amount', align: 'end', cell: ({ amount }) => <Money value={amount} /> },
  { key: 'method', header: 'Paid by', cell: methodOf },
  {
    key: 'at',
    header: 'When',
    cell: ({ createdAt }) => (
      <OneLine>
        <DateTime at={createdAt} />
      </OneLine>
    ),
  },
  {
    key: 'status',
    header: 'Status',
    cell: ({ status }) => <Status status={status} label={statusWord(status)} />,
  },
]

const view = { what: 'withdrawals', filters, columns }
