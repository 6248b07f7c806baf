import { lazy, Suspense, useEffect, useEffectEvent, useState } from 'react'
import { ENTRY_WORDS } from '../../../contract/money/statements.ts'
import {
  getTransaction,
  KIND_LABELS,
  type Transaction,
  type TransactionDetail,
} from '../../../contract/money/transactions.ts'
import { Copied } from '../../../design/CopyButton.tsx'
import { DateTime } from '../../../design/DateTime.tsx'
import { Facts } from '../../../design/Facts.tsx'
import { Modal } from '../../../design/Modal.tsx'
import { Money } from '../../../design/Money.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { Skeleton } from '../../../design/Skeleton.tsx'
import { Status } from '../../../design/Status.tsx'
import { Timeline } from '../../../design/Timeline.tsx'
import { site } from '../../../site.ts'
import { ApiFailure } from '../../lib/ApiFailure.ts'
import { call } from '../../lib/api.ts'
import { toIsoDay } from '../../lib/days.ts'
import { Loaded } from '../../lib/Loaded.tsx'
import { type Resource, useResource } from '../../lib/resource.ts'
import { getServerNow } from '../../lib/serverTime.ts'
import { SendNothing } from '../deposits/SendNothing.tsx'
import { CancelRequest } from './CancelRequest.tsx'
import { buildPlanFact } from './PlanFact.tsx'
import { HoldWords } from './RequestCompleted.tsx'
import styles from './Transactions.module.css'
import {
  describeNextStep,
  formatFee,
  getCoinLabel,
  getNetworkLabel,
  getStatusLabel,
  isOpenRequest,
  toCapitalised,
} from './words.ts'

// Loaded for payments and payouts that a chain proves.
const PaymentFacts = lazy(async () => ({
  default: (await import('../payments/PaymentFacts.tsx')).PaymentFacts,
}))
const AwaitedPayment = lazy(async () => ({
  default: (await import('../deposits/AwaitedPayments.tsx')).AwaitedPayment,
}))
const PayoutFacts = lazy(async () => ({ default: (await import('../payments/PayoutFacts.tsx')).PayoutFacts }))

interface TransactionDetailsProps {
  /** The reference or id of the open transaction; blank if none is open. */
  name: string
  rows: readonly Transaction[]
  onClose: () => void
  /** Receives the loaded transaction, which may have changed since it was listed. */
  onLoaded: (transaction: Transaction) => void
}

export function TransactionDetails({ name, rows, onClose, onLoaded }: TransactionDetailsProps) {
  // A link may open a transaction that is not in the list.
  const [unlisted, setUnlisted] = useState<Transaction | null>(null)
  const isNamed = (row: Transaction) => row.ref === name || row._id === name
  const row = rows.find(isNamed) ?? (unlisted !== null && isNamed(unlisted) ? unlisted : undefined)
  return (
    <Modal
      open={name !== ''}
      onClose={onClose}
      title={row ? KIND_LABELS[row.trxType] : 'Transaction'}
      size="large"
    >
      {name && (
        <TransactionContent
          key={name}
          name={name}
          listed={row}
          onLoaded={(loaded) => {
            setUnlisted(loaded)
            onLoaded(loaded)
          }}
        />
      )}
    </Modal>
  )
}

interface TransactionContentProps {
  name: string
  listed: Transaction | undefined
  onLoaded: (transaction: Transaction) => void
}

function TransactionContent({ name, listed, onLoaded }: TransactionContentProps) {
  const detail = useResource(`transaction ${name}`, () => loadTransaction(name))
  const loaded = detail.state === 'ready' ? detail.data : null
  const reportLoaded = useEffectEvent(onLoaded)
  useEffect(() => {
    if (loaded !== null) reportLoaded(loaded)
  }, [loaded])
  if (detail.state === 'ready' && detail.data === null) return <NotFound name={name} />
  // The listed row shows at once; the loaded transaction may be newer.
  const transaction = loaded ?? listed
  return (
    <>
      {transaction && <TransactionStatus transaction={transaction} />}
      {transaction && <TransactionFacts transaction={transaction} detail={loaded} />}
      <Suspense>
        {loaded?.awaitsPayment && <AwaitedPayment transaction={loaded} />}
        {loaded?.payment && <PaymentFacts payment={loaded.payment} />}
        {loaded?.payout && <PayoutFacts coin={loaded.type} payout={loaded.payout} />}
        <History detail={detail} />
        {/* Last, and not before what is above it: it must not move away from a click. */}
        {detail.state !== 'loading' && transaction?.status === 'pending' && (
          <CancelRequest
            transaction={transaction}
            onChanged={detail.reload}
            // Updates the row at once, because the dialog may close before the reload ends.
            onCancelled={() => onLoaded({ ...transaction, status: 'cancelled' })}
          />
        )}
      </Suspense>
    </>
  )
}

async function loadTransaction(name: string): Promise<TransactionDetail | null> {
  try {
    return await call(getTransaction, { params: { id: name } })
  } catch (failure) {
    if (failure instanceof ApiFailure && failure.code === 'not_found') return null
    throw failure
  }
}

function NotFound({ name }: { name: string }) {
  return (
    <p>
      None of your transactions has the reference <code translate="no">{name}</code>. If a link led you here,
      it may belong to another account.
    </p>
  )
}

function TransactionStatus({ transaction }: { transaction: Transaction }) {
  return (
    <>
      <div className={styles.amount}>
        <Money value={transaction.amount} />
        <Status status={transaction.status} label={getStatusLabel(transaction)} />
      </div>
      {transaction.reason && (
        <Notice
          tone={transaction.status === 'rejected' ? 'danger' : 'info'}
          title={`Why it was ${transaction.status}`}
        >
          <bdi>{transaction.reason}</bdi>
        </Notice>
      )}
      {transaction.heldUntil && isDelayed(transaction, transaction.heldUntil) && (
        <Notice tone="caution" title="On hold">
          <HoldWords until={transaction.heldUntil} />
        </Notice>
      )}
    </>
  )
}

export function isDelayed(transaction: Transaction, heldUntil: string): boolean {
  return isOpenRequest(transaction) && Date.parse(heldUntil) > getServerNow()
}

type Detail = Resource<TransactionDetail | null> & { reload: () => void }

function History({ detail }: { detail: Detail }) {
  return (
    <Loaded
      resource={detail}
      waiting={
        <div role="status" className={styles.waiting}>
          <span className="visually-hidden">Loading what became of it</span>
          <Skeleton width="medium" />
          <Skeleton width="long" />
        </div>
      }
    >
      {(data) =>
        data && (
          <div className={styles.course}>
            <section aria-labelledby="timeline">
              <h3 id="timeline">Timeline</h3>
              <Timeline entries={removeReason(data)} next={describeNextStep(data, getServerNow())} />
            </section>
            <LedgerEntries transaction={data} />
          </div>
        )
      }
    </Loaded>
  )
}

/** The timeline without the reason, which is already shown above. */
function removeReason({ timeline, reason }: TransactionDetail): TransactionDetail['timeline'] {
  return timeline.map(({ note, ...entry }) => (note === reason ? entry : { ...entry, note }))
}

interface TransactionFactsProps {
  transaction: Transaction
  /** Null while it loads. */
  detail: TransactionDetail | null
}

function TransactionFacts({ transaction, detail }: TransactionFactsProps) {
  const { paymentTo, trxType } = transaction
  const isProved = detail?.payment !== undefined
  // The transaction id or the bank's reference, if it has one yet. A proved payment shows its own.
  const reference = isProved ? undefined : detail?.reference
  return (
    <>
      <Facts
        facts={[
          buildCopyFact('Reference', transaction.ref, 'reference'),
          { label: 'Requested', value: <DateTime at={transaction.createdAt} /> },
          detail?.plan !== undefined && buildPlanFact(detail.plan),
          { label: 'Fee', value: formatFee(transaction.fee) },
          buildTextFact('Asset transferred', getCoinLabel(transaction.type)),
          buildTextFact('Network', getNetworkLabel(transaction.network)),
          buildCopyFact(transaction.awaitsPayment ? 'Pay to' : 'Paid to', paymentTo, 'address'),
          buildCopyFact('Withdrawal address', transaction.address, 'withdrawal address'),
          buildTextFact('Bank', transaction.bankName),
          buildTextFact('Account number', transaction.accountNumber),
          buildTextFact('Account holder', transaction.accountHolderName),
          buildTextFact(
            'Withdrawal type',
            transaction.withdrawalType && toCapitalised(transaction.withdrawalType),
          ),
          transaction.heldUntil
            ? { label: 'Not paid before', value: <DateTime at={transaction.heldUntil} /> }
            : null,
          trxType === 'online-service-withdrawal'
            ? buildCopyFact('Bank reference', reference, 'bank reference')
            : buildCopyFact('Transaction ID', reference, 'transaction ID'),
        ]}
      />
      {/* An own address is a real one, also while money is simulated. */}
      {transaction.status === 'pending' &&
        paymentTo &&
        transaction.awaitsPayment === undefined &&
        site.mode === 'simulated' && <SendNothing>No one can be paid at this address.</SendNothing>}
    </>
  )
}

function buildTextFact(label: string, value: string | undefined) {
  return value ? { label, value } : null
}

function buildCopyFact(label: string, value: string | undefined, what: string) {
  return value ? { label, value: <Copied text={value} what={what} /> } : null
}

function LedgerEntries({ transaction: { entries, status } }: { transaction: TransactionDetail }) {
  const [first, last] = [entries[0], entries.at(-1)]
  return (
    <section aria-labelledby="books">
      <h3 id="books">In your books</h3>
      {first === undefined || last === undefined ? (
        <p className="soft small">{NO_ENTRIES[status === 'pending' ? 'yet' : 'ever']}</p>
      ) : (
        <>
          <ul className={styles.entries}>
            {entries.map(({ _id, at, code, amount, change }) => (
              <li key={_id}>
                <span>
                  {ENTRY_WORDS[code]}, <Money value={amount} />
                </span>
                <span className="soft">
                  <span>
                    {change === 0 ? (
                      'balance unchanged'
                    ) : (
                      <span>
                        balance <Money value={change} sign="always" />
                      </span>
                    )}
                  </span>
                  , <DateTime at={at} />
                </span>
              </li>
            ))}
          </ul>
          <p className="small">
            <a href={`/dashboard/statement?from=${toIsoDay(first.at)}&to=${toIsoDay(last.at)}`}>
              See the statement with <span>{entries.length === 1 ? 'this entry' : 'these entries'}</span>
            </a>
          </p>
        </>
      )}
    </section>
  )
}

// Only deposits can be without entries: a withdrawal holds its amount at once.
const NO_ENTRIES = {
  yet: 'Nothing yet: a deposit counts once it is credited.',
  ever: 'Nothing: it was not credited.',
}
