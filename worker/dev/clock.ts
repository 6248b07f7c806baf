const HEADER = 'X-Development-Time'

/**
 * The moment at which a request says that it is made, in epoch milliseconds: how a browser test lives through the days that an order
 * waits for. Without the header it is now.
 */
export function claimedTime(request: Request): number {
  const claimed = Date.parse(request.headers.get(HEADER) ?? '')
  return Number.isNaN(claimed) ? Date.now() : claimed
}
