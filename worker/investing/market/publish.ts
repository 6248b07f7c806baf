import type { Call } from '../../http/call.ts'
import { iso } from '../../http/paging.ts'
import { tagged } from '../../http/tagged.ts'
import type { Snapshot } from './snapshot.ts'

const DAY_SECONDS = 86_400

/** Answers a list of the market with its source, time and age (seconds, RFC 9111), or 304 when the client has just this one. */
export async function publish<T>(call: Call, snapshot: Snapshot<T>): Promise<Response> {
  const body = JSON.stringify(snapshot.rows)
  const age = Math.max(0, Math.floor((call.nowMs - snapshot.atMs) / 1000))
  const headers = {
    // Freshness counts from the snapshot's time: a minute from now, whatever its age. Better an old list than none.
    'Cache-Control': `private, max-age=${age + 60}, stale-if-error=${DAY_SECONDS}`,
    Age: String(age),
    'X-Market-Source': snapshot.source,
    'X-Market-At': iso(snapshot.atMs),
  }
  return tagged(call, body, headers, `${snapshot.source} ${body}`)
}
