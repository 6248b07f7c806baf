import { getTransaction, type Transaction, type TransactionDetail } from '../../contract/transactions.ts'
import { LoadFailure } from '../../design/LoadFailure.tsx'
import { Notice } from '../../design/Notice.tsx'
import { Skeleton } from '../../design/Skeleton.tsx'
import { Timeline } from '../../design/Timeline.tsx'
import { call } from '../lib/api.ts'
import { type Resource, useResource } from '../lib/resource.ts'
import { CancelRequest } from './CancelRequest.tsx'
import { HoldWords } from './HoldWords.tsx'
import styles from './TransactionContent.module.css'
import { TransactionFacts } from './TransactionFacts.tsx'

interface TransactionContentProps {
  /** The row as the list had it. */
  opened: Transaction
  /** The request was cancelled, or turned out to have been decided meanwhile. */
  onChanged: () => void
}

/** All that is known of one deposit or withdrawal, and the way to cancel it while it is pending. */
export function TransactionContent({ opened, onChanged }: TransactionContentProps) {
  const detail = useResource(`transaction ${opened._id}`, () =>
    call(getTransaction, { params: { id: opened._id } }),
  )
  // The row knows all but the timeline, so the facts stand at once; what is loaded may be newer.
  const transaction = detail.state === 'ready' ? detail.data : opened
  const refresh = () => {
    detail.reload()
    onChanged()
  }
  return (
    <>
      {transaction.reason && <Reason transaction={transaction} reason={transaction.reason} />}
      {transaction.heldUntil && isWaiting(transaction, transaction.heldUntil) && (
        <Notice tone="caution" title="On hold">
          <HoldWords until={transaction.heldUntil} />
        </Notice>
      )}
      <TransactionFacts transaction={transaction} />
      <section className={styles.timeline} aria-labelledby="timeline">
        <h3 id="timeline">Timeline</h3>
        <History detail={detail} />
      </section>
      {transaction.status === 'pending' && <CancelRequest transaction={transaction} onChanged={refresh} />}
    </>
  )
}

/** Whether it would be paid, or still may be, but for its hold. */
function isWaiting({ status }: Transaction, heldUntil: string): boolean {
  return (status === 'pending' || status === 'approved') && Date.parse(heldUntil) > Date.now()
}

function Reason({ transaction, reason }: { transaction: Transaction; reason: string }) {
  return (
    <Notice
      tone={transaction.status === 'rejected' ? 'danger' : 'info'}
      title={`Why it was ${transaction.status}`}
    >
      {reason}
    </Notice>
  )
}

type Detail = Resource<TransactionDetail> & { reload: () => void }

function History({ detail }: { detail: Detail }) {
  switch (detail.state) {
    case 'loading':
      return (
        <p role="status" className={styles.waits}>
          <span className="visually-hidden">Loading the timeline</span>
          <Skeleton width="long" />
        </p>
      )
    case 'failed':
      return <LoadFailure msg={detail.msg} onRetry={detail.reload} />
    case 'ready':
      return <Timeline entries={withoutReason(detail.data)} />
  }
}

/** The reason stands above already, where it is seen first. */
function withoutReason({ timeline, reason }: TransactionDetail): TransactionDetail['timeline'] {
  return timeline.map(({ note, ...entry }) => (note === reason ? entry : { ...entry, note }))
}
