import { listDeposits, type OperatorDeposit } from '../../contract/operator/deposits.ts'
import { DateTime } from '../../design/DateTime.tsx'
import { Modal } from '../../design/Modal.tsx'
import { Money } from '../../design/Money.tsx'
import type { Column } from '../../design/Table.tsx'
import { coinOnNetwork } from '../operator/coinWords.ts'
import { Fetched } from '../operator/Fetched.tsx'
import { OneLine } from '../operator/OneLine.tsx'
import { OperatorScreen } from '../operator/OperatorScreen.tsx'
import { Person } from '../operator/Person.tsx'
import { QueueView } from '../operator/QueueView.tsx'
import type { Filter } from '../operator/StatusFilter.tsx'
import { useQueue } from '../operator/useQueue.ts'
import { useSettings } from '../operator/useSettings.ts'
import { DepositStatus } from './DepositStatus.tsx'

/** /operator/deposits: what investors say they paid in, and the decisions about it. */
export function Deposits() {
  return <OperatorScreen waiting={<QueueView {...view} />}>{DepositsQueue}</OperatorScreen>
}

function DepositsQueue() {
  const queue = useQueue(listDeposits, filters, ({ status }) => status === 'pending')
  const settings = useSettings()
  const { opened, openId, next, open } = queue
  return (
    <>
      <QueueView {...view} queue={queue} />
      <Modal
        open={openId !== ''}
        onClose={queue.close}
        title={opened ? `Deposit ${opened.ref}` : 'Deposit'}
        size="large"
      >
        <Fetched what="deposit" load={() => import('./DepositCase.tsx')}>
          {({ DepositCase }) => (
            <DepositCase
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
  { value: 'approved', label: 'Approved' },
  { value: 'rejected', label: 'Rejected' },
  { value: 'cancelled', label: 'Cancelled' },
  { value: 'reversed', label: 'Reversed' },
  { value: '', label: 'All' },
]

const columns: readonly Column<OperatorDeposit>[] = [
  { key: 'ref', header: 'Reference', cell: ({ ref }) => <OneLine>{ref}</OneLine> },
  { key: 'investor', header: 'Investor', cell: ({ investor }) => <Person {...investor} /> },
  { key: 'amount', header: 'Amount', align: 'end', cell: ({ amount }) => <Money value={amount} /> },
  { key: 'coin', header: 'Coin', cell: ({ type, network }) => coinOnNetwork(type, network) },
  {
    key: 'at',
    header: 'When',
    cell: ({ createdAt }) => (
      <OneLine>
        <DateTime at={createdAt} />
      </OneLine>
    ),
  },
  { key: 'status', header: 'Status', cell: (deposit) => <DepositStatus deposit={deposit} /> },
]

const view = { what: 'deposits', filters, columns }
