import type { Charge } from '../../content/fees/schema.ts'
import { formatCents, formatUsd } from '../../contract/money.ts'
import { SETTINGS } from '../../contract/operator/settingList.ts'
import { TRANSACTION_FEE } from '../../contract/transactions.ts'

/** What the platform charges, in words with its number from the code: `$0.00`, `$0.00 a month`, `0% of profits`. */
export function charged(what: Charge['platform']): string {
  if (what === 'transaction') return formatUsd(TRANSACTION_FEE)
  if (what === 'month') return `${formatCents(SETTINGS['fees.subscriptionMonthly'].default)} a month`
  return `${SETTINGS['fees.performanceBasisPoints'].default / 100}% of profits`
}
