import type { UnitOrder } from '../../../contract/investing/allocations.ts'
import { formatNumber } from '../../../contract/numbers.ts'
import { ButtonLink } from '../../../design/Button.tsx'
import { Copied } from '../../../design/CopyButton.tsx'
import { DateTime } from '../../../design/DateTime.tsx'
import { Facts } from '../../../design/Facts.tsx'
import { Modal } from '../../../design/Modal.tsx'
import { Money, OwnAmount } from '../../../design/Money.tsx'
import { Skeleton } from '../../../design/Skeleton.tsx'
import { Status } from '../../../design/Status.tsx'
import { buildPlanFact } from './PlanFact.tsx'
import { getSignedAmount } from './rows.ts'
import styles from './Transactions.module.css'
import { HISTORY_LABELS } from './words.ts'

interface OrderDetailsProps {
  /** The reference of the open order. */
  name: string
  /** Undefined if it is not in the list. */
  order: UnitOrder | undefined
  isLoading: boolean
  onClose: () => void
}

export function OrderDetails({ name, order, isLoading, onClose }: OrderDetailsProps) {
  return (
    <Modal
      open
      onClose={onClose}
      title={order ? HISTORY_LABELS[order.kind] : 'Transaction'}
      actions={
        order && (
          <ButtonLink href={`/dashboard/strategies?strategy=${order.strategy}`}>Open {order.name}</ButtonLink>
        )
      }
    >
      {order ? (
        <OrderFacts order={order} />
      ) : isLoading ? (
        <Skeleton width="long" />
      ) : (
        <p>
          The order <code translate="no">{name}</code> is not in this list. Its strategy shows all your
          orders.
        </p>
      )}
    </Modal>
  )
}

function OrderFacts({ order }: { order: UnitOrder }) {
  const { ref, status, createdAt, pricedAt, settled, withdrawal } = order
  const amount = getSignedAmount(order)
  return (
    <>
      <div className={styles.amount}>
        <span>{amount === null ? 'All of it' : <Money value={Math.abs(amount)} />}</span>
        <Status status={status} />
      </div>
      <Facts
        facts={[
          { label: 'Reference', value: <Copied text={ref} what="reference" /> },
          { label: 'Strategy', value: order.name },
          { label: 'Requested', value: <DateTime at={createdAt} /> },
          order.plan !== null && buildPlanFact(order.plan),
          order.isOfStop && {
            label: 'Filed by',
            value: <a href={`/dashboard/strategies?strategy=${order.strategy}`}>Your stop</a>,
          },
          status !== 'cancelled' && {
            label: settled ? 'Priced' : 'Priced on',
            value: <DateTime at={settled?.at ?? pricedAt} />,
          },
          settled && {
            label: 'Units',
            value: (
              <span>
                <OwnAmount>{formatNumber(settled.units, 8)}</OwnAmount> at{' '}
                <Money value={settled.unitPrice} isPublic />
              </span>
            ),
          },
          settled?.profit != null && {
            label: settled.profit < 0 ? 'Loss' : 'Gain',
            value: <Money value={settled.profit} sign="always" tone="result" />,
          },
          withdrawal !== null && {
            label: 'Withdrawn as',
            value: (
              <a translate="no" href={`/dashboard/transaction-history?open=${withdrawal}`}>
                {withdrawal}
              </a>
            ),
          },
        ]}
      />
    </>
  )
}
