import type { OperatorDeposit } from '../../../contract/console/deposits.ts'
import { formatUsd } from '../../../contract/money.ts'
import type { OutcomeWords } from '../cases/Outcome.tsx'

/** What a decision about a deposit led to. */
export function outcomeOf(deposit: OperatorDeposit): OutcomeWords {
  const { investor, ref, firstApproval, status } = deposit
  if (firstApproval !== undefined) {
    return {
      tone: 'caution',
      title: 'Approved once: a second operator has to approve it too',
      text: `Nothing is credited yet. Another operator has to approve the same: ${formatUsd(firstApproval.amount)} under ${firstApproval.reference}. ${firstApproval.by} approved first.`,
    }
  }
  if (status === 'pending') {
    return {
      tone: 'success',
      title: 'Taken back',
      text: `Your approval of ${ref} no longer counts. It waits to be approved anew, or rejected.`,
    }
  }
  if (status === 'rejected') {
    return {
      tone: 'success',
      title: 'Rejected',
      text: `Nothing was credited for ${ref}. ${investor.name} has been told why.`,
    }
  }
  return {
    tone: 'success',
    title: 'Credited',
    text: `${formatUsd(deposit.amount)} was credited to ${investor.name} for ${ref}, under ${deposit.reference ?? 'its reference'}.`,
  }
}
