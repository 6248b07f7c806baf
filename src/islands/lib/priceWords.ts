/** Where prices come from, as a line beside them. What is made up says so instead. */
export function sourceWords(source: string): string {
  return source === 'sample' ? 'Sample prices' : `Prices by ${source}`
}

/** When prices were seen, on the reader's clock: "2:05 PM", with the day where it is another one than now's. */
export function timeWords(seenAtMs: number, nowMs: number): string {
  const [seen, now] = [new Date(seenAtMs), new Date(nowMs)]
  return seen.toLocaleString('en-US', {
    ...(seen.toDateString() !== now.toDateString() && { month: 'short', day: 'numeric' }),
    hour: 'numeric',
    minute: '2-digit',
  })
}

/** How old something is: "4 minutes old". Empty for a sample, which is of no day. */
export function ageWords(source: string, seenAtMs: number, nowMs: number): string {
  if (source === 'sample') return ''
  const minutes = Math.max(0, Math.floor((nowMs - seenAtMs) / 60_000))
  if (minutes < 1) return 'just now'
  if (minutes < 120) return `${minutes} ${minutes === 1 ? 'minute' : 'minutes'} old`
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? `${hours} hours old` : `${Math.floor(hours / 24)} days old`
}

/** The longest that prices are old when all goes well, in milliseconds: older ones are marked. */
export const FRESH_MS = 15 * 60_000
