import { useEffect } from 'react'
import {
  checkPayments,
  listPayments,
  listReceipts,
  type Receipt,
} from '../../../contract/money/ownPayments.ts'
import { formatPaymentQuantity, type Payment } from '../../../contract/money/payments.ts'
import { Button } from '../../../design/Button.tsx'
import { DateTime } from '../../../design/DateTime.tsx'
import { Money, OwnAmount } from '../../../design/Money.tsx'
import { Panel } from '../../../design/Panel.tsx'
import { Skeleton } from '../../../design/Skeleton.tsx'
import { toast } from '../../../design/toasts.ts'
import { useAction } from '../../lib/action.ts'
import { call } from '../../lib/api.ts'
import { Loaded, Waiting } from '../../lib/Loaded.tsx'
import { useFresh } from '../../lib/resource.ts'
import { PaymentProgress } from './PaymentProgress.tsx'
import styles from './Payments.module.css'

/** The newest payments that are shown beside the form. */
const SHOWN = '5'
/** While a payment is on its way, the list is loaded again this often. Never longer than `WATCHED_MS` without a reload of the page. */
const EVERY_MS = 30_000
const WATCHED_MS = 30 * 60_000

/** What arrived at the investor's own addresses, and how far it is. "I have paid" looks at the networks at once. */
export function Payments() {
  const resource = useFresh('payments', async () => {
    const query = { limit: SHOWN }
    const [payments, receipts] = await Promise.all([
      call(listPayments, { query }),
      call(listReceipts, { query }),
    ])
    return { payments, receipts }
  })
  const { reload } = resource
  const payments = resource.state === 'ready' ? resource.data.data.payments : []
  useReloads(reload, payments.some(isOnItsWay))
  const look = useAction(async () => {
    const { msg } = await call(checkPayments)
    toast.success(msg)
    reload()
  })
  return (
    <Panel
      title="Your payments"
      actions={
        <Button size="small" busy={look.busy} onClick={look.start}>
          I have paid
        </Button>
      }
    >
      <Loaded
        resource={resource}
        waiting={
          <Waiting label="Loading your payments">
            <Skeleton width="long" />
          </Waiting>
        }
      >
        {({ data: { payments, receipts } }) =>
          payments.length + receipts.length === 0 ? (
            <p className="soft small">No payment seen yet. After you pay, it takes about a minute.</p>
          ) : (
            <ul className={styles.payments}>
              {payments.map((payment) => (
                <PaymentRow key={payment._id} payment={payment} />
              ))}
              {receipts.map((receipt) => (
                <ReceiptRow key={receipt._id} receipt={receipt} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Panel>
  )
}

function PaymentRow({ payment }: { payment: Payment }) {
  const { network, quantity, amount, deposit, seenAt } = payment
  return (
    <li className={styles.payment}>
      <div className={styles.head}>
        <strong>
          <OwnAmount>{formatPaymentQuantity(network, quantity)}</OwnAmount>
        </strong>
        {amount !== null && <Money value={amount} />}
      </div>
      <PaymentProgress payment={payment} />
      <p className="soft small">
        Seen <DateTime at={seenAt} />
        {deposit && (
          <span>
            , deposit{' '}
            <a translate="no" href={`/dashboard/transaction-history?open=${deposit.ref}`}>
              {deposit.ref}
            </a>
          </span>
        )}
      </p>
    </li>
  )
}

/** What arrived and needs a person. */
function ReceiptRow({ receipt: { network, quantity, words, seenAt } }: { receipt: Receipt }) {
  return (
    <li className={styles.payment}>
      <strong>
        {network === null || quantity === null ? 'Unknown token' : formatPaymentQuantity(network, quantity)}
      </strong>
      <p>{words}</p>
      <p className="soft small">
        Seen <DateTime at={seenAt} />
      </p>
    </li>
  )
}

function isOnItsWay({ state }: Payment): boolean {
  return state === 'seen' || state === 'confirming' || state === 'final'
}

function useReloads(reload: () => void, isNeeded: boolean): void {
  useEffect(() => {
    if (!isNeeded) return
    const timer = setInterval(() => {
      if (!document.hidden) reload()
    }, EVERY_MS)
    const end = setTimeout(() => clearInterval(timer), WATCHED_MS)
    return () => {
      clearInterval(timer)
      clearTimeout(end)
    }
  }, [reload, isNeeded])
}
