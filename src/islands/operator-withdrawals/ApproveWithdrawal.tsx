import { formatUsd } from '../../contract/money.ts'
import { approveWithdrawal, type OperatorWithdrawal } from '../../contract/operator/withdrawals.ts'
import { ConfirmOnly } from '../operator/ConfirmOnly.tsx'
import type { DecisionProps } from '../operator/decision.ts'
import { DestinationLine } from './Destination.tsx'

/** Approves a pending withdrawal: from then on it is to be paid. */
export function ApproveWithdrawal(props: DecisionProps<OperatorWithdrawal>) {
  const { amount, investor, ref } = props.row
  return (
    <ConfirmOnly {...props} endpoint={approveWithdrawal} confirmLabel={`Approve ${formatUsd(amount)}`}>
      <p>
        <strong>
          {formatUsd(amount)} to be paid to {investor.name}
        </strong>{' '}
        ({investor.email}), for {ref}.
      </p>
      <DestinationLine withdrawal={props.row} />
    </ConfirmOnly>
  )
}
