import type { Call } from '../lib/call.ts'
import { sha256Hex } from '../lib/crypto/tokens.ts'
import { iso } from '../lib/paging.ts'
import type { Snapshot } from './snapshot.ts'

const DAY_SECONDS = 86_400

/**
 * Answers a list of the market with its source, time and age (seconds, RFC 9111), or 304 when the client has just this
 * one (RFC 9110, `If-None-Match`).
 */
export async function publish<T>(call: Call, snapshot: Snapshot<T>): Promise<Response> {
  const body = JSON.stringify(snapshot.rows)
  const tag = `"${(await sha256Hex(`${snapshot.source} ${body}`)).slice(0, 32)}"`
  const age = Math.max(0, Math.floor((call.nowMs - snapshot.atMs) / 1000))
  const headers = {
    // Freshness counts from the snapshot's time: a minute from now, whatever its age. Better an old list than none.
    'Cache-Control': `private, max-age=${age + 60}, stale-if-error=${DAY_SECONDS}`,
    ETag: tag,
    Age: String(age),
    'X-Market-Source': snapshot.source,
    'X-Market-At': iso(snapshot.atMs),
  }
  return names(call.request.headers.get('If-None-Match'), tag)
    ? new Response(null, { status: 304, headers })
    : new Response(body, { headers: { ...headers, 'Content-Type': 'application/json' } })
}

function names(header: string | null, tag: string): boolean {
  return (header ?? '').split(',').some((each) => {
    const candidate = each.trim()
    return candidate === '*' || candidate.replace(/^W\//, '') === tag
  })
}
