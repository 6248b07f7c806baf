import type { OperatorOverview } from '../../../contract/console/overview.ts'
import { toCents } from '../../../contract/money.ts'
import { formatNumber, sum } from '../../../contract/numbers.ts'

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
  const custodyCents = gainCents + sum(custody.map(({ valueUsd }) => toCents(valueUsd ?? 0)))
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
  return `${formatNumber(Math.floor((custodyUsd / owedUsd) * 1000) / 10)} %`
}
