import type { BookAccount, OperatorEntry } from '../../../contract/console/investorFile.ts'
import type { TrxType } from '../../../contract/money/transactions.ts'

/** What the accounts of an investor's books are called. */
export const ACCOUNT_WORDS: Record<BookAccount, string> = {
  available: 'Available',
  held: 'Held',
  paid_in: 'Paid in',
  granted: 'Granted',
  paid_out: 'Paid out',
  owed: 'Owed',
}

/** Where what caused an entry, or a request, is open in its queue, whatever its status. */
export function caseHref(
  cause: Exclude<OperatorEntry['cause'], 'referral'> | TrxType | 'document',
  id: string,
): string {
  return `${QUEUES[cause]}?${new URLSearchParams({ status: '', open: id })}`
}

const QUEUES = {
  deposit: '/operator/deposits',
  withdrawal: '/operator/withdrawals',
  'online-service-withdrawal': '/operator/withdrawals',
  proposal: '/operator/proposals',
  document: '/operator/kyc',
} as const
