import { approveWithdrawal, type OperatorWithdrawal } from '../../../contract/console/withdrawals.ts'
import { formatUsd } from '../../../contract/money.ts'
import { DateTime } from '../../../design/DateTime.tsx'
import { ConfirmOnly } from '../cases/ConfirmOnly.tsx'
import type { DecisionProps } from '../cases/decision.ts'
import { secondOperatorWords } from './aloneWords.ts'
import { DestinationLine } from './Destination.tsx'
import { isOnHold } from './words.ts'

/** Approves a pending withdrawal: from then on it is to be paid. */
export function ApproveWithdrawal(props: DecisionProps<OperatorWithdrawal>) {
  const { alone, amount, heldUntil, investor, ref } = props.row
  return (
    <ConfirmOnly
      {...props}
      endpoint={approveWithdrawal}
      confirmLabel={`Approve ${formatUsd(amount)}`}
      what={`${formatUsd(amount)} to be paid to ${investor.name}, for ${ref}`}
    >
      <p>
        <strong>
          {formatUsd(amount)} to be paid to {investor.name}
        </strong>{' '}
        ({investor.email}), for {ref}.
      </p>
      <DestinationLine withdrawal={props.row} />
      {alone?.needsTwo === true && (
        <p>If you approve it, another operator has to record the payment. {secondOperatorWords(alone)}</p>
      )}
      {heldUntil !== null && isOnHold(props.row, Date.now()) && (
        <p>
          It can be approved now, and paid from <DateTime at={heldUntil} /> on.
        </p>
      )}
    </ConfirmOnly>
  )
}
