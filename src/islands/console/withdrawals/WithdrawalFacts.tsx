import type { OperatorWithdrawal } from '../../../contract/console/withdrawals.ts'
import { Copied } from '../../../design/Copied.tsx'
import { DateTime } from '../../../design/DateTime.tsx'
import { Facts } from '../../../design/Facts.tsx'
import { Money } from '../../../design/Money.tsx'
import { Status } from '../../../design/Status.tsx'
import { HOLD_REASON, proofWords, reasonWords, statusWord } from './words.ts'

/** All that is known about a withdrawal but where it goes. */
export function WithdrawalFacts({ withdrawal }: { withdrawal: OperatorWithdrawal }) {
  const { status, reasons, approvedBy, completedBy, reference, reason, heldUntil } = withdrawal
  return (
    <Facts
      facts={[
        { label: 'Status', value: <Status status={status} label={statusWord(status)} /> },
        { label: 'Investor', value: withdrawal.investor.name },
        { label: 'E-mail', value: withdrawal.investor.email },
        { label: 'Amount', value: <Money value={withdrawal.amount} /> },
        { label: 'Asked for', value: <DateTime at={withdrawal.createdAt} /> },
        { label: 'Extra proof', value: proofWords(withdrawal.proof) },
        reasons.length > 0 && { label: 'It was asked for because', value: <Reasons reasons={reasons} /> },
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
      ]}
    />
  )
}

function Reasons({ reasons }: { reasons: readonly string[] }) {
  return reasons.map((reason) => <div key={reason}>{reasonWords(reason)}</div>)
}
