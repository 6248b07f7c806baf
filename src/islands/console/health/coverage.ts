import type { OperatorOverview } from '../../../contract/console/overview.ts'
import { toCents } from '../../../contract/money.ts'

/**
 * Compares custody at market prices with liabilities, in USD. Assets without a price are listed in `unpriced` and not
 * counted. Money in strategies counts at the current value of their pools.
 */
export function computeCoverage({
  custody,
  strategies,
  liabilities,
}: Pick<OperatorOverview, 'custody' | 'strategies' | 'liabilities'>) {
  const gainCents = toCents(strategies.value) - toCents(strategies.paidIn)
  const custodyCents = custody.reduce((sum, { valueUsd }) => sum + toCents(valueUsd ?? 0), gainCents)
  return {
    custodyUsd: custodyCents / 100,
    owedUsd: liabilities,
    differenceUsd: (custodyCents - toCents(liabilities)) / 100,
    unpriced: custody.filter(({ valueUsd }) => valueUsd === null).map(({ asset }) => asset),
  }
}

/** The share of liabilities that is covered, in per cent, rounded down: 99.99 % must not look like 100 %. */
export function formatCoverage(custodyUsd: number, owedUsd: number): string {
  if (owedUsd <= 0) return 'No liabilities'
  return `${(Math.floor((custodyUsd / owedUsd) * 1000) / 10).toLocaleString('en-US')} %`
}
