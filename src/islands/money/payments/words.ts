import { formatNumber } from '../../../contract/numbers.ts'
/** A price of a coin, which the API has as an exact decimal: `$64,200`, `$1.0003`. */
export function formatCoinPrice(rate: string): string {
  return `$${formatNumber(Number(rate), 8)}`
}
