import { CATALOGUE, type OfferedStrategy } from '../catalogue.ts'
import type { Costs, Definition } from '../definition.ts'
import { REAL_PAIRS } from '../market/realPairs.ts'
import type { BacktestOptions } from './backtest.ts'
import type { Day } from './backtestResult.ts'

/** The market that a strategy is tested on: one coin, or all five of `REAL_PAIRS`. */
export type RealTarget = 'bitcoin' | 'ether' | 'basket'

/** A strategy of the catalogue on real coins, with the parameters and risk limits of its catalogue entry. */
export interface RealTest extends OfferedStrategy {
  /** The strategy's slug in the catalogue. */
  readonly strategy: string
  readonly on: RealTarget
}

/** The start of the out-of-sample period of real prices. No choice was made by looking at later days. */
export const OUT_OF_SAMPLE_FROM: Day = '2022-01-01'

/** The start of the forward period. Rules, values and costs were frozen before its prices were used: docs/decisions/0046-frozen-rules.md. */
const FORWARD_FROM: Day = '2024-01-01'

/**
 * Kraken's published taker fee in its lowest volume tier until 2026-07-08 (0.40 %, https://www.kraken.com/features/fee-schedule) and our
 * own assumption of slippage. Before 2024 the fee was lower (0.26 %); the higher one applies to all years. Frozen: `FEE_ROWS` has other fees.
 */
const VENUE_COSTS: Costs = { feeBasisPoints: 40, slippageBasisPoints: 10 }

/** A published taker fee that each test on real prices is also run at. */
export interface FeeRow {
  readonly feeBasisPoints: number
  /** Who charges it for low volumes, unless it says more. */
  readonly of: string
  readonly since?: Day
  readonly until?: Day
}

/**
 * In rising order, with the fee of the tests themselves. Nothing was chosen by the others: they show what fees do to rules that are
 * frozen. Kraken's are those of its price list since 2026-07-09 (https://www.kraken.com/features/fee-schedule) and before, Coinbase's
 * that of 2026-11-01.
 */
export const FEE_ROWS: readonly FeeRow[] = [
  { feeBasisPoints: 25, of: 'Kraken, above $100,000 a month' },
  { feeBasisPoints: VENUE_COSTS.feeBasisPoints, of: 'Kraken', until: '2026-07-08' },
  { feeBasisPoints: 80, of: 'Kraken', since: '2026-07-09' },
  { feeBasisPoints: 120, of: 'Coinbase' },
]

/** The same rules at another fee. */
export function withFee(definition: Definition, feeBasisPoints: number): Definition {
  return { ...definition, costs: { ...definition.costs, feeBasisPoints } }
}

const ASSETS: Readonly<Record<RealTarget, readonly string[]>> = {
  bitcoin: ['bitcoin'],
  ether: ['ethereum'],
  basket: REAL_PAIRS.map(({ asset }) => asset),
}

const TARGET_NAMES: Readonly<Record<RealTarget, string>> = {
  bitcoin: 'bitcoin',
  ether: 'ether',
  basket: 'five coins',
}

/** The options of each test: its fixed periods, and bitcoin and the basket as further benchmarks. */
export function buildRealOptions(on: RealTarget, until: Day): BacktestOptions {
  const beside = (['bitcoin', 'basket'] as const).filter((of) => of !== on)
  return {
    until,
    holdOutFrom: OUT_OF_SAMPLE_FROM,
    forwardFrom: FORWARD_FROM,
    beside: beside.map((of) => ({ of, assets: ASSETS[of] })),
  }
}

/**
 * Every strategy on bitcoin. Also on ether if it takes one asset, and on the basket if it takes several. A strategy's first test
 * is its main one: bitcoin for one asset, the basket for several.
 */
export const REAL_TESTS: readonly RealTest[] = CATALOGUE.flatMap((offered) => {
  const targets: readonly RealTarget[] =
    offered.definition.assets.length === 1 ? ['bitcoin', 'ether'] : ['basket', 'bitcoin']
  return targets.map((on) => buildRealTest(offered, on))
})

function buildRealTest({ slug, name, minimumCents, definition }: OfferedStrategy, on: RealTarget): RealTest {
  return {
    slug: `${slug}-${on}`,
    name: `${name} on ${TARGET_NAMES[on]}`,
    strategy: slug,
    on,
    minimumCents,
    definition: onRealCoins(definition, on),
  }
}

function onRealCoins(definition: Definition, on: RealTarget): Definition {
  return { ...definition, assets: ASSETS[on], costs: VENUE_COSTS }
}
