import { getTransaction, type Transaction } from '../../contract/transactions.ts'
import { LoadFailure } from '../../design/LoadFailure.tsx'
import { Modal } from '../../design/Modal.tsx'
import { Notice } from '../../design/Notice.tsx'
import { Skeleton } from '../../design/Skeleton.tsx'
import { Timeline } from '../../design/Timeline.tsx'
import { call } from '../lib/api.ts'
import { type Resource, useResource } from '../lib/resource.ts'
import { CancelRequest } from './CancelRequest.tsx'
import styles from './TransactionDetails.module.css'
import { TransactionFacts } from './TransactionFacts.tsx'
import { KIND_LABELS } from './words.ts'

interface TransactionDetailsProps {
  /** The row that was opened; null while none is. */
  transaction: Transaction | null
  onClose: () => void
  /** The request was cancelled, or turned out to have been decided meanwhile. */
  onChanged: () => void
}

/** A dialog with all that is known of one deposit or withdrawal, and the way to cancel it while it is pending. */
export function TransactionDetails({ transaction, onClose, onChanged }: TransactionDetailsProps) {
  return (
    <Modal
      open={transaction !== null}
      onClose={onClose}
      title={transaction ? KIND_LABELS[transaction.trxType] : ''}
      size="large"
    >
      {transaction && <Content key={transaction._id} opened={transaction} onChanged={onChanged} />}
    </Modal>
  )
}

function Content({ opened, onChanged }: { opened: Transaction; onChanged: () => void }) {
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
      <TransactionFacts transaction={transaction} />
      <section className={styles.timeline} aria-labelledby="timeline">
        <h3 id="timeline">Timeline</h3>
        <History detail={detail} />
      </section>
      {transaction.status === 'pending' && <CancelRequest transaction={transaction} onChanged={refresh} />}
    </>
  )
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

type Detail = Resource<{ timeline: Parameters<typeof Timeline>[0]['entries'] }> & { reload: () => void }

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
      return <Timeline entries={detail.data.timeline} />
  }
}
