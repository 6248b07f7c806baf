import { loadRealMarket, readRealLastDay } from '../../../../data/realPrices.ts'
import type { BacktestOptions } from '../../../../engine/backtest/backtest.ts'
import { buildRealOptions, REAL_TESTS, type RealTarget } from '../../../../engine/backtest/realTests.ts'
import { CATALOGUE, type OfferedStrategy } from '../../../../engine/catalogue.ts'
import type { Definition } from '../../../../engine/definition.ts'
import { buildMarket } from '../../../../engine/market/align.ts'
import type { Market } from '../../../../engine/market/market.ts'
import { REAL_PAIRS } from '../../../../engine/market/realPairs.ts'
import { DAY_MS } from '../../../time.ts'
import { type CandleFile, getSimulatedCandles, listCandleFiles } from '../candles/candleFile.ts'

/** A backtest of a strategy on one market. */
export interface MarketTest {
  readonly strategy: OfferedStrategy
  readonly on: RealTarget | 'simulated'
  /** As the strategy is called where it runs on this market. */
  readonly slug: string
  readonly definition: Definition
  readonly options: BacktestOptions
  /** The files that it is computed from; those of its own assets come first. */
  readonly files: readonly CandleFile[]
}

/** A strategy's tests: on bitcoin, on ether or five coins, and on the simulated market. */
export function listTests(strategy: OfferedStrategy): readonly [MarketTest, ...MarketTest[]] {
  const real = REAL_TESTS.filter((test) => test.strategy === strategy.slug).map(
    ({ slug, on, definition }): MarketTest => ({
      strategy,
      on,
      slug,
      definition,
      options: buildRealOptions(on, readRealLastDay()),
      files: listTestFiles(definition.assets, REAL_PAIRS),
    }),
  )
  const { slug, definition } = strategy
  const files = listTestFiles(definition.assets, [])
  const onBitcoin = real.find(isOnBitcoin)
  if (onBitcoin === undefined) throw new Error(`${slug} has no test on bitcoin.`)
  return [
    onBitcoin,
    ...real.filter((test) => test !== onBitcoin),
    { strategy, on: 'simulated', slug, definition, options: {}, files },
  ]
}

/** Every test of the catalogue. */
export function listAllTests(): readonly MarketTest[] {
  return CATALOGUE.flatMap(listTests)
}

/** The page of a strategy on the market of a test. On bitcoin, where every strategy is tested, it is the strategy's own address. */
export function getPagePath({ strategy, on }: MarketTest): string {
  return isOnBitcoin({ on }) ? `/strategies/${strategy.slug}` : `/strategies/${strategy.slug}/${on}`
}

function isOnBitcoin({ on }: Pick<MarketTest, 'on'>): boolean {
  return on === 'bitcoin'
}

/** The beginning of the addresses of a test's files: with `.json` after it, its figures as data. */
export function getTestPath({ strategy, on }: MarketTest): string {
  return `/strategies/${strategy.slug}/${on}`
}

/** The names of its lines in `/strategies/sparks.svg` begin with this. */
export function getSparkId({ strategy, on }: MarketTest): string {
  return `${strategy.slug}-${on}`
}

/** The prices of a test, from its files. */
export function loadMarket({ on, definition }: MarketTest): Market {
  if (on !== 'simulated') return loadRealMarket()
  return buildMarket(
    definition.assets.map((asset) => ({ asset, candles: getSimulatedCandles(asset) })),
    DAY_MS,
  )
}

/** The benchmarks of a real test need the files of all coins. */
function listTestFiles(assets: readonly string[], others: readonly { asset: string }[]): CandleFile[] {
  return [...new Set([...assets, ...others.map(({ asset }) => asset)])].flatMap(listCandleFiles)
}
