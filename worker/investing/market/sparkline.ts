import type { Call } from '../../http/call.ts'
import { refuse } from '../../lib/errors.ts'
import { marketSnapshot } from './snapshot.ts'
import { sparklineOf } from './sparklineOf.ts'

/** The drawing of a trending coin's prices, as SVG. 404 once it trends no longer. */
export async function trendingSparkline(call: Call): Promise<Response> {
  const { trending } = await marketSnapshot(call)
  const coin = trending.rows.find(({ id }) => id === call.params.id) ?? refuse('not_found')
  return new Response(sparklineOf(coin.data.series), {
    headers: {
      'Content-Type': 'image/svg+xml',
      'Cache-Control': 'public, max-age=600',
      'Content-Security-Policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
    },
  })
}

/** Where a trending coin's drawing is. */
export function sparklinePath(id: string): string {
  return `/api/v1/market/sparklines/${id}`
}
