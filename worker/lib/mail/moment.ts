const MOMENT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })

/** A moment as a mail names it, since nobody knows where it is read: 21 November 2026 at 15:04 UTC. */
export function momentOf(atMs: number): string {
  return `${MOMENT.format(atMs)} UTC`
}
