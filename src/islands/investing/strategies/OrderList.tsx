import { cancelOrder, listOrders, type UnitOrder } from '../../../contract/investing/allocations.ts'
import { Button } from '../../../design/Button.tsx'
import { DateTime } from '../../../design/DateTime.tsx'
import { Money, OwnAmount } from '../../../design/Money.tsx'
import { Panel } from '../../../design/Panel.tsx'
import { Status } from '../../../design/Status.tsx'
import { type Column, Pagination, Table } from '../../../design/Table.tsx'
import { useCancel } from '../../lib/action.ts'
import { usePages } from '../../lib/pages.ts'
import styles from './Strategies.module.css'
import { formatUnits } from './words.ts'

export function OrderList({ strategy, onChanged }: { strategy: string; onChanged: () => void }) {
  const { data, reload, ...paging } = usePages(listOrders, { strategy })
  const handleChanged = () => {
    reload()
    onChanged()
  }
  return (
    <Panel title="Orders">
      <Table
        caption="Your orders in this strategy"
        columns={[
          ...COLUMNS,
          {
            key: 'cancel',
            header: 'Cancel',
            narrow: 'wide-end',
            cell: (order) => order.cancellable && <Cancel order={order} onChanged={handleChanged} />,
          },
        ]}
        data={data}
        rowKey={({ _id }) => _id}
        skeletonRows={2}
        emptyText="No orders in this strategy yet."
        onRetry={reload}
        footer={<Pagination {...paging} />}
      />
    </Panel>
  )
}

const COLUMNS: readonly Column<UnitOrder>[] = [
  {
    key: 'order',
    header: 'Order',
    lines: 2,
    narrow: 'start',
    cell: (order) => (
      <span>
        <span>{order.kind === 'allocate' ? 'Invest' : 'Redeem'}</span>
        <span className={styles.about}>
          <span translate="no">{order.ref}</span>
          <span>{order.plan !== null && ', filed by your recurring plan'}</span>
          <span>{order.isOfStop && ', filed by your stop'}</span>
          <span>{order.thenWithdraw && `, then withdraw to ${order.thenWithdraw}`}</span>
          <span>{order.withdrawal && `, withdrawn as ${order.withdrawal}`}</span>
          <span>{order.stayed && ', could not be withdrawn, so it is available in your account'}</span>
        </span>
      </span>
    ),
  },
  {
    key: 'amount',
    header: 'Amount',
    align: 'end',
    lines: 2,
    narrow: 'end',
    cell: ({ amount, settled }) =>
      settled ? <Settled {...settled} /> : amount === null ? 'All' : <Money value={amount} />,
  },
  {
    key: 'status',
    header: 'Status',
    narrow: 'short-start',
    cell: ({ status }) => <Status status={status} />,
  },
  {
    key: 'priced',
    header: 'Priced',
    lines: 2,
    narrow: 'wide-end',
    cell: ({ status, settled, pricedAt }) =>
      status === 'cancelled' ? (
        'Never'
      ) : (
        <>
          <DateTime at={pricedAt} />
          {settled && (
            <span className={styles.about}>
              <OwnAmount>{formatUnits(settled.units)}</OwnAmount> units at{' '}
              <Money value={settled.unitPrice} isPublic />
            </span>
          )}
        </>
      ),
  },
]

function Settled({ amount, profit }: NonNullable<UnitOrder['settled']>) {
  return (
    <>
      <Money value={amount} />
      {profit !== null && (
        <span className={styles.about}>
          <span className="visually-hidden">Gain or loss: </span>
          <Money value={profit} sign="always" tone="result" />
        </span>
      )}
    </>
  )
}

function Cancel({ order, onChanged }: { order: UnitOrder; onChanged: () => void }) {
  const cancel = useCancel(cancelOrder, order._id, { onCancelled: onChanged, onOutdated: onChanged })
  return (
    <Button size="small" busy={cancel.busy} onClick={cancel.start}>
      Cancel
      <span translate="no" className="visually-hidden">
        {' '}
        {order.ref}
      </span>
    </Button>
  )
}
