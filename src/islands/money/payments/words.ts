/** A price of a coin, which the API has as an exact decimal: `$64,200`, `$1.0003`. */
export function formatCoinPrice(rate: string): string {
  return `$${Number(rate).toLocaleString('en-US', { maximumFractionDigits: 8 })}`
}
