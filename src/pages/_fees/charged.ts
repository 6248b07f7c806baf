import type { Charge } from '../../content/fees/schema.ts'
import { formatCents, formatUsd } from '../../contract/money.ts'
import { DEFAULT_SETTINGS } from '../../contract/operator/defaultSettings.ts'
import { TRANSACTION_FEE } from '../../contract/transactions.ts'

/** What the platform charges, in words with its number from the code: `$0.00`, `$0.00 a month`, `0% of profits`. */
export function charged(what: Charge['platform']): string {
  if (what === 'transaction') return formatUsd(TRANSACTION_FEE)
  if (what === 'month') return `${formatCents(DEFAULT_SETTINGS.subscriptionMonthlyCents)} a month`
  return `${DEFAULT_SETTINGS.performanceBasisPoints / 100}% of profits`
}
