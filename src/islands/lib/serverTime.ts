/** How much the server's clock is ahead of this browser's, in milliseconds. */
let aheadMs = 0

/** Notes the server's clock from the `Date` of an answer. Answers from a cache, which have an `Age`, are ignored. */
export function recordServerTime(headers: Headers): void {
  const atMs = Date.parse(headers.get('Date') ?? '')
  if (!Number.isNaN(atMs) && !headers.has('Age')) aheadMs = atMs - Date.now()
}

/** The server's time now, to compare with times that it sent: the clock of a browser may be days off. */
export function getServerNow(): number {
  return Date.now() + aheadMs
}
