import type { Strategy } from '../../../contract/investing/strategies.ts'

/** The addresses of the published test of a strategy on the market where it trades. */
export interface TestPaths {
  readonly page: string
  /** The beginning of the addresses of its files: `.json`, `.svg` or `/playback.json` follows. */
  readonly files: string
  /** The beginning of the names of its lines: `-worth` or `-falls` follows. */
  readonly spark: string
}

/** On real coins, the slug ends with what it trades: `slow-trend-bitcoin`. On bitcoin, the page is the strategy's own address. */
export function buildTestPaths({ slug, market }: Pick<Strategy, 'slug' | 'market'>): TestPaths {
  const end = market.real ? slug.lastIndexOf('-') : slug.length
  const [name, on] = [slug.slice(0, end), slug.slice(end + 1) || 'simulated']
  const files = `/strategies/${name}/${on}`
  return {
    page: on === 'bitcoin' ? `/strategies/${name}` : files,
    files,
    spark: `/strategies/sparks.svg#${name}-${on}`,
  }
}
