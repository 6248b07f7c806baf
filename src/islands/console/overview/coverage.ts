import type { OperatorOverview } from '../../../contract/console/overview.ts'

/**
 * Custody at market prices compared with liabilities, in USD. Assets without a price are named, not counted. What was paid
 * into strategies counts as what their pools are worth.
 */
export function coverage({
  custody,
  strategies,
  liabilities,
}: Pick<OperatorOverview, 'custody' | 'strategies' | 'liabilities'>) {
  const gainCents = toCents(strategies.value) - toCents(strategies.paidIn)
  const heldCents = custody.reduce((sum, { valueUsd }) => sum + toCents(valueUsd ?? 0), gainCents)
  return {
    heldUsd: heldCents / 100,
    owedUsd: liabilities,
    differenceUsd: (heldCents - toCents(liabilities)) / 100,
    unpriced: custody.filter(({ valueUsd }) => valueUsd === null).map(({ asset }) => asset),
  }
}

/** A share of what is owed, in per cent, rounded down: 99.99 % must not look like 100 %. */
export function shareWords(heldUsd: number, owedUsd: number): string {
  if (owedUsd <= 0) return 'Nothing is owed'
  return `${(Math.floor((heldUsd / owedUsd) * 1000) / 10).toLocaleString('en-US')} %`
}

/** Sums are in cents, because sums of floating-point USD drift. The API's USD are exact to the cent. */
function toCents(usd: number): number {
  return Math.round(usd * 100)
}
