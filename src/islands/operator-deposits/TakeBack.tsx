import { formatUsd } from '../../contract/money.ts'
import { type OperatorDeposit, revokeApproval } from '../../contract/operator/deposits.ts'
import { ConfirmOnly } from '../operator/ConfirmOnly.tsx'
import type { DecisionProps } from '../operator/decision.ts'

/** Takes one's own first approval back, so that it can be given anew, or not at all. */
export function TakeBack(props: DecisionProps<OperatorDeposit>) {
  const { firstApproval, ref } = props.row
  return (
    <ConfirmOnly {...props} endpoint={revokeApproval} confirmLabel="Take it back">
      <p>
        Your approval of <strong>{formatUsd(firstApproval?.amount ?? 0)}</strong> for {ref} under{' '}
        <code>{firstApproval?.reference}</code> no longer counts. Nothing is credited, and it stays on the
        audit log. The next approval is a first one again, whoever gives it.
      </p>
    </ConfirmOnly>
  )
}
