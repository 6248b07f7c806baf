/** The source of prices, shown beside them. */
export function describePriceSource(source: string): string {
  return source === 'sample' ? 'Sample prices' : `Prices by ${source}`
}

/** The age of prices: "4 minutes old". Empty for samples, which have no date. */
export function describePriceAge(source: string, seenAtMs: number, nowMs: number): string {
  if (source === 'sample') return ''
  const minutes = Math.max(0, Math.floor((nowMs - seenAtMs) / 60_000))
  if (minutes < 1) return 'just now'
  if (minutes < 120) return `${minutes} ${minutes === 1 ? 'minute' : 'minutes'} old`
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? `${hours} hours old` : `${Math.floor(hours / 24)} days old`
}

/** The highest age of prices in normal operation, in milliseconds. Older ones are marked. */
export const FRESH_MS = 15 * 60_000
