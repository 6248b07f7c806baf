import type { Call } from '../../http/call.ts'
import { toIso } from '../../http/paging.ts'
import { answerWithTag } from '../../http/tagged.ts'
import { loadMarketSnapshot, type Snapshot } from '../../lib/market/snapshot.ts'

/** The top coins by rank. */
export async function listCoins(call: Call): Promise<Response> {
  return answerSnapshot(call, (await loadMarketSnapshot(call)).coins)
}

/** The trending coins, greatest change in 24 hours first. */
export async function listTrending(call: Call): Promise<Response> {
  const { trending } = await loadMarketSnapshot(call)
  return answerSnapshot(call, {
    ...trending,
    rows: trending.rows.toSorted(
      (a, b) => b.data.price_change_percentage_24h.usd - a.data.price_change_percentage_24h.usd,
    ),
  })
}

const DAY_SECONDS = 86_400

/** Answers a list of the market with its source, time and age (seconds, RFC 9111), or 304 if the client has this version. */
async function answerSnapshot<T>(call: Call, snapshot: Snapshot<T>): Promise<Response> {
  const body = JSON.stringify(snapshot.rows)
  const age = Math.max(0, Math.floor((call.nowMs - snapshot.atMs) / 1000))
  const headers = {
    // Fresh for a minute from now, whatever the snapshot's age. An old list is better than none.
    'Cache-Control': `private, max-age=${age + 60}, stale-if-error=${DAY_SECONDS}`,
    Age: String(age),
    'X-Market-Source': snapshot.source,
    'X-Market-At': toIso(snapshot.atMs),
  }
  return answerWithTag(call, body, headers, `${snapshot.source} ${body}`)
}
