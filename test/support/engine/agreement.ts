import { expect } from 'vitest'
import type { Costs, RiskRules } from '../../../engine/definition.ts'
import type { Market } from '../../../engine/market/market.ts'
import { computeMaximumDrawdown } from '../../../engine/metrics/drawdown.ts'
import { type Run, run } from '../../../engine/run.ts'
import type { Strategy, Values } from '../../../engine/strategy.ts'
import { plainRun, type ReferenceBar } from './referenceEngine.ts'
import type { Rule } from './referenceRules.ts'

/** An independent implementation of the same rules must get the same figures. */
const TO = 1e-9

interface Compared {
  readonly market: Market
  readonly strategy: Strategy
  readonly values: Values
  readonly rule: Rule
  readonly cash: number
  readonly costs: Costs
  readonly risk?: RiskRules
  /** The least number of fills to compare. */
  readonly fewestFills: number
}

/** Runs both implementations and compares every value and every fill. */
export function expectAgreement(compared: Compared): Run {
  const { market, strategy, values, rule, cash, costs, risk = {}, fewestFills } = compared
  const result = run(market, strategy, values, { startingCash: cash, costs, risk })
  const plain = plainRun(listPlainBars(market), {
    ...rule,
    cash,
    feePercent: costs.feeBasisPoints / 100,
    slippagePercent: costs.slippageBasisPoints / 100,
    worstFallPercent: risk.maximumDrawdown && risk.maximumDrawdown * 100,
    pauseDays: risk.pauseDays,
    largestPercent: risk.maximumPosition && risk.maximumPosition * 100,
  })
  expect(result.equity).toHaveLength(plain.equity.length)
  expect(farthest(result.equity, plain.equity)).toBeLessThan(TO)
  expect(computeMaximumDrawdown(result.equity, cash)).toBeCloseTo(plain.drawdown, 9)
  expect(Math.abs((result.fees + result.slippage) / plain.costs - 1)).toBeLessThan(TO)
  expect(result.fills.length).toBeGreaterThanOrEqual(fewestFills)
  const named = ({ bar, asset, side }: { bar: number; asset: number; side: string }) =>
    `${bar} ${asset} ${side}`
  expect(result.fills.map(named)).toEqual(plain.fills.map(named))
  for (const [own, other] of [
    ['quantity', 'units'],
    ['price', 'price'],
    ['fee', 'fee'],
    ['slippage', 'slippage'],
  ] as const) {
    const [figures, others] = [result.fills.map((fill) => fill[own]), plain.fills.map((fill) => fill[other])]
    const scales = result.fills.map((fill) => (own === 'price' ? 0 : computeLeast(result, fill, fill[own])))
    expect(farthest(figures, others, scales), own).toBeLessThan(TO)
  }
  return result
}

/** The bars of a market as plain objects. Null if an asset has none. */
function listPlainBars({ time, candles }: Market): (ReferenceBar | null)[][] {
  return candles.map(({ open, high, low, close, seams }) =>
    Array.from(close, (price, bar) =>
      Number.isNaN(price)
        ? null
        : {
            open: open[bar] ?? 0,
            high: high[bar] ?? 0,
            low: low[bar] ?? 0,
            close: price,
            isSeam: seams?.includes(time[bar] ?? 0),
          },
    ),
  )
}

/**
 * What an amount of a fill would be if it traded a millionth of the equity. A drift of less than that is the difference of two large
 * amounts, whose rounding decides its last digits.
 */
function computeLeast({ equity, from }: Run, { bar, quantity, price }: Run['fills'][number], amount: number) {
  return ((equity[bar - from] ?? 0) * 1e-6 * amount) / (quantity * price)
}

/** The largest difference between two columns, as a share of the second, or of a larger scale. */
function farthest(
  figures: ArrayLike<number>,
  others: readonly number[],
  scales: readonly number[] = [],
): number {
  return others.reduce((most, other, place) => {
    const figure = figures[place] ?? Number.NaN
    const scale = Math.max(Math.abs(other), scales[place] ?? 0)
    return Math.max(most, figure === other ? 0 : Math.abs(figure - other) / scale)
  }, 0)
}
