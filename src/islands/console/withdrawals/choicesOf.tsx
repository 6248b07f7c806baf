import type { Settings } from '../../../contract/console/settingValues.ts'
import { type OperatorWithdrawal, rejectWithdrawal } from '../../../contract/console/withdrawals.ts'
import { formatUsd } from '../../../contract/money.ts'
import type { Choice } from '../cases/Decide.tsx'
import type { DecisionProps } from '../cases/decision.ts'
import { ReasonForm } from '../cases/ReasonForm.tsx'
import { ApproveWithdrawal } from './ApproveWithdrawal.tsx'
import { CompleteWithdrawal } from './CompleteWithdrawal.tsx'
import { OnHold } from './OnHold.tsx'
import { isOnHold } from './words.ts'

/** What can be decided about a withdrawal as it stands: nothing, once it was paid, rejected or cancelled. */
export function choicesOf(
  row: OperatorWithdrawal,
  settings: Settings | null,
  props: Pick<DecisionProps<OperatorWithdrawal>, 'onDecided' | 'onOvertaken'>,
): Choice[] {
  const approve: Choice = {
    label: 'Approve it',
    intent: 'approve',
    scope: 'operator:withdrawals.decide',
    variant: 'primary',
    panel: (onCancel) => <ApproveWithdrawal {...props} row={row} onCancel={onCancel} />,
  }
  const complete: Choice = {
    label: 'Record the payment',
    intent: 'approve',
    scope: 'operator:withdrawals.decide',
    variant: 'primary',
    panel: (onCancel) =>
      row.heldUntil !== null && isOnHold(row, Date.now()) ? (
        <OnHold until={row.heldUntil} onCancel={onCancel} />
      ) : (
        <CompleteWithdrawal {...props} row={row} onCancel={onCancel} />
      ),
  }
  const reject: Choice = {
    label: 'Reject it',
    intent: 'reject',
    scope: 'operator:withdrawals.decide',
    panel: (onCancel) => (
      <ReasonForm
        {...props}
        row={row}
        settings={settings}
        onCancel={onCancel}
        kind="withdrawalRejection"
        endpoint={rejectWithdrawal}
        hint="The investor reads it: say what was wrong, and what to do next."
        consequence={`${row.ref} is rejected. ${formatUsd(row.amount)} that were held are available to ${row.investor.name} again.`}
        confirmLabel="Reject the withdrawal"
      />
    ),
  }
  if (row.status === 'pending') return [approve, reject]
  if (row.status === 'approved') return [complete, reject]
  return []
}
