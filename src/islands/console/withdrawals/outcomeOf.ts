import type { OperatorWithdrawal } from '../../../contract/console/withdrawals.ts'
import { formatUsd } from '../../../contract/money.ts'
import type { OutcomeWords } from '../cases/Outcome.tsx'

/** What a decision about a withdrawal led to. */
export function outcomeOf({ status, amount, investor, ref, reference }: OperatorWithdrawal): OutcomeWords {
  const sum = formatUsd(amount)
  switch (status) {
    case 'approved':
      return {
        tone: 'success',
        title: 'Approved, and now to be paid',
        text: `${sum} for ${ref} can be paid to ${investor.name}. Record the payment under “To be paid” once it was made.`,
      }
    case 'completed':
      return {
        tone: 'success',
        title: 'Paid',
        text: `${sum} was paid to ${investor.name} for ${ref}, under ${reference ?? 'its reference'}.`,
      }
    default:
      return {
        tone: 'success',
        title: 'Rejected',
        text: `${sum} that were held are available to ${investor.name} again. They have been told why.`,
      }
  }
}
