import { useEffect, useEffectEvent } from 'react'
import {
  getTransaction,
  type Transaction,
  type TransactionDetail,
} from '../../../contract/money/transactions.ts'
import { LoadFailure } from '../../../design/LoadFailure.tsx'
import { Money } from '../../../design/Money.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { Skeleton } from '../../../design/Skeleton.tsx'
import { Status } from '../../../design/Status.tsx'
import { Timeline } from '../../../design/Timeline.tsx'
import { ApiFailure } from '../../lib/ApiFailure.ts'
import { call } from '../../lib/api.ts'
import { type Resource, useResource } from '../../lib/resource.ts'
import { CancelRequest } from './CancelRequest.tsx'
import { HoldWords } from './HoldWords.tsx'
import { InTheBooks } from './InTheBooks.tsx'
import styles from './TransactionContent.module.css'
import { TransactionFacts } from './TransactionFacts.tsx'

interface TransactionContentProps {
  /** Its reference or its id. */
  name: string
  /** The row as the list has it, where it has it. */
  listed: Transaction | undefined
  onLoaded: (transaction: Transaction) => void
}

/** All that is known of one deposit or withdrawal, and the way to cancel it while it is pending. */
export function TransactionContent({ name, listed, onLoaded }: TransactionContentProps) {
  const detail = useResource(`transaction ${name}`, () => transactionOrNull(name))
  const loaded = detail.state === 'ready' ? detail.data : null
  const tell = useEffectEvent(onLoaded)
  useEffect(() => {
    if (loaded !== null) tell(loaded)
  }, [loaded])
  if (detail.state === 'ready' && detail.data === null) return <NotThere name={name} />
  // The row knows all but what is under it, so the facts stand at once; what is loaded may be newer.
  const transaction = loaded ?? listed
  return (
    <>
      {transaction && <Standing transaction={transaction} />}
      {transaction && <TransactionFacts transaction={transaction} reference={loaded?.reference} />}
      <Course detail={detail} />
      {transaction?.status === 'pending' && (
        <CancelRequest
          transaction={transaction}
          onChanged={detail.reload}
          // Told at once: the dialog may be closed before it has loaded anew.
          onCancelled={() => onLoaded({ ...transaction, status: 'cancelled' })}
        />
      )}
    </>
  )
}

async function transactionOrNull(name: string): Promise<TransactionDetail | null> {
  try {
    return await call(getTransaction, { params: { id: name } })
  } catch (failure) {
    if (failure instanceof ApiFailure && failure.code === 'not_found') return null
    throw failure
  }
}

function NotThere({ name }: { name: string }) {
  return (
    <p>
      None of your transactions has the reference <code>{name}</code>. If a link led you here, it may belong
      to another account.
    </p>
  )
}

function Standing({ transaction }: { transaction: Transaction }) {
  return (
    <>
      <div className={styles.standing}>
        <Money value={transaction.amount} />
        <Status status={transaction.status} />
      </div>
      {transaction.reason && (
        <Notice
          tone={transaction.status === 'rejected' ? 'danger' : 'info'}
          title={`Why it was ${transaction.status}`}
        >
          {transaction.reason}
        </Notice>
      )}
      {transaction.heldUntil && isWaiting(transaction, transaction.heldUntil) && (
        <Notice tone="caution" title="On hold">
          <HoldWords until={transaction.heldUntil} />
        </Notice>
      )}
    </>
  )
}

/** Whether it would be paid, or still may be, but for its hold. */
function isWaiting({ status }: Transaction, heldUntil: string): boolean {
  return (status === 'pending' || status === 'approved') && Date.parse(heldUntil) > Date.now()
}

type Detail = Resource<TransactionDetail | null> & { reload: () => void }

function Course({ detail }: { detail: Detail }) {
  switch (detail.state) {
    case 'loading':
      return (
        <div role="status" className={styles.waits}>
          <span className="visually-hidden">Loading what became of it</span>
          <Skeleton width="medium" />
          <Skeleton width="long" />
        </div>
      )
    case 'failed':
      return <LoadFailure msg={detail.msg} onRetry={detail.reload} />
    case 'ready':
      return (
        detail.data && (
          <div className={styles.course}>
            <section aria-labelledby="timeline">
              <h3 id="timeline">Timeline</h3>
              <Timeline entries={withoutReason(detail.data)} />
            </section>
            <InTheBooks transaction={detail.data} />
          </div>
        )
      )
  }
}

/** The reason stands above already, where it is seen first. */
function withoutReason({ timeline, reason }: TransactionDetail): TransactionDetail['timeline'] {
  return timeline.map(({ note, ...entry }) => (note === reason ? entry : { ...entry, note }))
}
