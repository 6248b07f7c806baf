import type { Call } from '../../http/call.ts'
import { publish } from './publish.ts'
import { marketSnapshot } from './snapshot.ts'

/** The top coins by rank. */
export async function listCoins(call: Call): Promise<Response> {
  return publish(call, (await marketSnapshot(call)).coins)
}

/** The trending coins, greatest change in 24 hours first. */
export async function listTrending(call: Call): Promise<Response> {
  const { trending } = await marketSnapshot(call)
  return publish(call, {
    ...trending,
    rows: trending.rows.toSorted(
      (a, b) => b.data.price_change_percentage_24h.usd - a.data.price_change_percentage_24h.usd,
    ),
  })
}
