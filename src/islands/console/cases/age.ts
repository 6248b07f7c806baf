/** How long something waits, rounded down: "12 min", "5 h", "3 days". */
export function formatAge(since: string, nowMs: number): string {
  const minutes = Math.max(0, Math.floor((nowMs - Date.parse(since)) / 60_000))
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} days`
}

/** The time until something is due, or since then: "2 h left", "overdue by 3 days". */
export function formatDue(dueAt: string, nowMs: number): string {
  const leftMs = Date.parse(dueAt) - nowMs
  return leftMs > 0
    ? `${formatAge(new Date(nowMs).toISOString(), nowMs + leftMs)} left`
    : `overdue by ${formatAge(dueAt, nowMs)}`
}
