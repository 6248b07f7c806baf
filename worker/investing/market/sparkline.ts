import type { Call } from '../../http/call.ts'
import { refuse } from '../../lib/errors.ts'
import { loadMarketSnapshot } from '../../lib/market/snapshot.ts'

/** Draws a trending coin's prices as SVG. 404 if it no longer trends. */
export async function serveTrendingSparkline(call: Call): Promise<Response> {
  const { trending } = await loadMarketSnapshot(call)
  const coin = trending.rows.find(({ id }) => id === call.params.id) ?? refuse('not_found')
  return new Response(renderSparkline(coin.data.series), {
    headers: {
      'Content-Type': 'image/svg+xml',
      'Cache-Control': 'public, max-age=600',
      'Content-Security-Policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
    },
  })
}

/** Where a trending coin's drawing is. */
export function getSparklinePath(id: string): string {
  return `/api/v1/market/sparklines/${id}`
}

const WIDTH = 96
const HEIGHT = 32
// Readable on light and dark pages, because an <img> cannot follow the page's theme.
const GAIN = '#1f8a6d'
const LOSS = '#c4553f'

/** At least two prices, oldest first, as a line. */
export function renderSparkline(series: readonly number[]): string {
  const low = Math.min(...series)
  const span = Math.max(...series) - low
  const points = series.map((price, i) => {
    const x = 1 + (i * (WIDTH - 2)) / (series.length - 1)
    const y = span === 0 ? HEIGHT / 2 : HEIGHT - 2 - ((price - low) / span) * (HEIGHT - 4)
    return `${x.toFixed(1)},${y.toFixed(1)}`
  })
  const colour = (series.at(-1) ?? 0) < (series[0] ?? 0) ? LOSS : GAIN
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}">` +
    `<polyline points="${points.join(' ')}" fill="none" stroke="${colour}" stroke-width="1.5" ` +
    `stroke-linecap="round" stroke-linejoin="round"/></svg>\n`
  )
}
