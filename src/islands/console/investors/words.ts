import type { BookAccount, OperatorEntry } from '../../../contract/console/investorFile.ts'
import type { OperatorInvestor } from '../../../contract/console/investors.ts'
import type { TrxType } from '../../../contract/money/transactions.ts'
import { toCapitalised } from '../../money/transactions/words.ts'

/** The names of an investor's ledger accounts, and of those of each strategy. */
export const ACCOUNT_WORDS: Record<BookAccount | 'allocating' | 'invested' | 'result' | 'fees', string> = {
  available: 'Available',
  held: 'Held',
  paid_in: 'Paid in',
  granted: 'Granted',
  paid_out: 'Paid out',
  owed: 'Owed',
  allocating: 'Set aside',
  invested: 'Invested',
  result: 'Gains and losses',
  fees: 'Fees',
}

/** The URL that opens a request, a proposal or a document in its queue, in any status. */
export function buildCaseHref(
  cause: Exclude<OperatorEntry['cause'], 'referral' | 'order'> | TrxType | 'document',
  id: string,
): string {
  return `${QUEUE_PAGES[cause]}?${new URLSearchParams({ status: '', open: id })}`
}

const QUEUE_PAGES = {
  deposit: '/operator/deposits',
  withdrawal: '/operator/withdrawals',
  'online-service-withdrawal': '/operator/withdrawals',
  proposal: '/operator/proposals',
  document: '/operator/kyc',
} as const

export function describeIdentity(kyc: OperatorInvestor['kyc']): string {
  return kyc === 'none' ? 'Nothing sent' : toCapitalised(kyc)
}
