import {
  getWithdrawal,
  listWithdrawals,
  type OperatorWithdrawal,
} from '../../../contract/console/withdrawals.ts'
import { formatUsd } from '../../../contract/money.ts'
import { Copied } from '../../../design/Copied.tsx'
import { DateTime } from '../../../design/DateTime.tsx'
import { Money } from '../../../design/Money.tsx'
import { Status } from '../../../design/Status.tsx'
import { call } from '../../lib/api.ts'
import { CaseDetails } from '../cases/Case.tsx'
import {
  amountColumn,
  investorColumn,
  investorFacts,
  refColumn,
  statusColumn,
  whenColumn,
} from '../cases/columns.tsx'
import type { OutcomeWords } from '../cases/Outcome.tsx'
import type { QueueKind } from '../cases/queueKind.ts'
import { Destination, Signals } from './Destination.tsx'
import { decisionsOf } from './decisions.tsx'
import { HOLD_REASON, methodOf, proofWords, reasonWords, statusWord } from './words.ts'

/** /operator/withdrawals: what investors want paid out; approved first, then paid and recorded. */
export const withdrawals: QueueKind<OperatorWithdrawal> = {
  endpoint: listWithdrawals,
  plural: 'withdrawals',
  singular: 'withdrawal',
  searchedBy: 'Name, e-mail, reference, transaction id or address',
  filters: [
    { value: 'pending', label: 'Pending', counted: 'withdrawals' },
    { value: 'approved', label: 'To be paid', counted: 'payouts' },
    { value: 'completed', label: 'Completed' },
    { value: 'rejected', label: 'Rejected' },
    { value: 'cancelled', label: 'Cancelled' },
    { value: 'reversed', label: 'Reversed' },
    { value: '', label: 'All' },
  ],
  columns: [
    refColumn,
    investorColumn,
    amountColumn,
    { key: 'method', header: 'Paid by', narrow: 'line', cell: methodOf },
    whenColumn,
    statusColumn(({ status }) => <Status status={status} label={statusWord(status)} />),
  ],
  isPending: ({ status }, filter) => status === (filter === 'approved' ? 'approved' : 'pending'),
  titleOf: (withdrawal) => (withdrawal ? `Withdrawal ${withdrawal.ref}` : 'Withdrawal'),
  load: (id) => call(getWithdrawal, { params: { id } }),
  details: (withdrawal) => (
    <CaseDetails
      facts={factsOf(withdrawal)}
      beside={
        <div className="stack">
          <Destination withdrawal={withdrawal} />
          <Signals withdrawal={withdrawal} />
        </div>
      }
      timeline={withdrawal.timeline}
    />
  ),
  investorOf: ({ investor }) => investor._id,
  decisions: decisionsOf,
  outcomeOf,
  decidedBy: ({ completedBy, approvedBy }) => completedBy ?? approvedBy,
}

function factsOf(withdrawal: OperatorWithdrawal) {
  const { status, reasons, approvedBy, completedBy, reference, reason, heldUntil } = withdrawal
  return [
    { label: 'Status', value: <Status status={status} label={statusWord(status)} /> },
    ...investorFacts(withdrawal.investor),
    { label: 'Amount', value: <Money value={withdrawal.amount} /> },
    { label: 'Asked for', value: <DateTime at={withdrawal.createdAt} /> },
    { label: 'Extra proof', value: proofWords(withdrawal.proof) },
    reasons.length > 0 && {
      label: 'It was asked for because',
      value: reasons.map((each) => <div key={each}>{reasonWords(each)}</div>),
    },
    heldUntil !== null && {
      label: 'Not to be paid before',
      value: (
        <>
          <DateTime at={heldUntil} />
          <div>{HOLD_REASON}</div>
        </>
      ),
    },
    approvedBy !== null && { label: 'Approved by', value: approvedBy },
    completedBy !== null && { label: 'Paid by', value: completedBy },
    reference !== null && { label: 'Paid under', value: <Copied text={reference} what="reference" /> },
    reason !== null && { label: 'Reason', value: reason },
  ]
}

function outcomeOf({ status, amount, investor, ref, reference }: OperatorWithdrawal): OutcomeWords {
  const sum = formatUsd(amount)
  const [title, text] =
    status === 'approved'
      ? [
          'Approved, and now to be paid',
          `${sum} for ${ref} can be paid to ${investor.name}. Record the payment under “To be paid” once it was made.`,
        ]
      : status === 'completed'
        ? ['Paid', `${sum} was paid to ${investor.name} for ${ref}, under ${reference ?? 'its reference'}.`]
        : [
            'Rejected',
            `${sum} that were held are available to ${investor.name} again. They have been told why.`,
          ]
  return { tone: 'success', title, text }
}
