export function sum(values: Iterable<number>): number {
  let total = 0
  for (const value of values) total += value
  return total
}

/** Formats a number with commas: `12,345.5`. */
export function formatNumber(value: number, decimals = 3): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: decimals })
}
