import { realLastDay, realMarketOf } from '../../../../data/realPrices.ts'
import { align } from '../../../../engine/align.ts'
import type { BacktestOptions } from '../../../../engine/backtest.ts'
import { CATALOGUE, type Offered } from '../../../../engine/catalogue.ts'
import type { Definition } from '../../../../engine/definition.ts'
import type { Market } from '../../../../engine/market.ts'
import { DAY_MS } from '../../../../engine/metrics/dailyEquity.ts'
import { REAL_PAIRS } from '../../../../engine/realPairs.ts'
import { REAL_TESTS, type RealTarget, realOptions } from '../../../../engine/realTests.ts'
import { type CandleFile, candleFile, candlesOf } from '../candles/candleFile.ts'

/** A backtest of a strategy on one market. */
export interface MarketTest {
  readonly strategy: Offered
  readonly on: RealTarget | 'simulated'
  /** As the strategy is called where it runs on this market. */
  readonly slug: string
  readonly definition: Definition
  readonly options: BacktestOptions
  /** The files that it is computed from; those of its own assets come first. */
  readonly files: readonly CandleFile[]
}

/** A strategy's tests: real ones first, the main one at the top, and the simulated market last. */
export function testsOf(strategy: Offered): readonly [MarketTest, ...MarketTest[]] {
  const real = REAL_TESTS.filter((test) => test.strategy === strategy.slug).map(
    ({ slug, on, definition }): MarketTest => ({
      strategy,
      on,
      slug,
      definition,
      options: realOptions(on, realLastDay()),
      files: filesOf(definition.assets, REAL_PAIRS),
    }),
  )
  const [main, ...others] = real
  if (main === undefined) throw new Error(`${strategy.slug} has no test on real prices.`)
  const { slug, definition } = strategy
  const files = filesOf(definition.assets, [])
  return [main, ...others, { strategy, on: 'simulated', slug, definition, options: {}, files }]
}

/** Every test of the catalogue. */
export function allTests(): readonly MarketTest[] {
  return CATALOGUE.flatMap(testsOf)
}

/** The page with all figures of a test; with `.json` after it, the figures as data. */
export function pathOf({ strategy, on }: MarketTest): string {
  return `/strategies/${strategy.slug}/${on}`
}

/** The prices of a test, from its files. */
export function marketOf({ on, definition }: MarketTest): Market {
  if (on !== 'simulated') return realMarketOf()
  return align(
    definition.assets.map((asset) => ({ asset, candles: candlesOf(asset) })),
    DAY_MS,
  )
}

/** The benchmarks of a real test need the files of all coins. */
function filesOf(assets: readonly string[], others: readonly { asset: string }[]): CandleFile[] {
  return [...new Set([...assets, ...others.map(({ asset }) => asset)])].map(candleFile)
}
