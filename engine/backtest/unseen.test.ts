import { beforeAll, describe, expect, it } from 'vitest'
import { DAY_MS } from '../../src/time.ts'
import { at } from '../at.ts'
import { CATALOGUE } from '../catalogue.ts'
import type { Candles, Market } from '../market/market.ts'
import { SIMULATED_ASSETS } from '../market/simulatedAssets.ts'
import { buildSimulatedMarket, TESTED_UNTIL } from '../market/simulatedMarket.ts'
import { SIMULATED_START } from '../market/simulatedPaths.ts'
import { toDayNumber } from '../metrics/dailyEquity.ts'
import { STRATEGIES } from '../strategies/registry.ts'
import { HOLD_OUT_FROM, runBacktest } from './backtest.ts'
import type { Backtest } from './backtestResult.ts'
import { runTrials, type Trial } from './trials.ts'

const market = buildSimulatedMarket(
  SIMULATED_ASSETS.map(({ id }) => id),
  SIMULATED_START,
  TESTED_UNTIL,
)

/** The same market with other prices from a day on. */
function corruptedFrom(day: string): Market {
  const from = toDayNumber(day) - SIMULATED_START / DAY_MS
  const change = (column: Float64Array) =>
    column.map((price, bar) => (bar < from ? price : price * (1.5 + Math.sin(bar))))
  return {
    ...market,
    candles: market.candles.map(({ time, open, high, low, close, volume }): Candles => {
      const [o, c] = [change(open), change(close)]
      return {
        time,
        open: o,
        close: c,
        high: change(high).map((price, bar) => Math.max(price, at(o, bar), at(c, bar))),
        low: change(low).map((price, bar) => Math.min(price, at(o, bar), at(c, bar))),
        volume,
      }
    }),
  }
}

/** The in-sample figures, and all choices made there. */
function choices({ inSample, overfit }: Backtest) {
  if (overfit === null) throw new Error('The test was light')
  const { holdOutSharpe, keptOfSharpe, checks, level, ...chosen } = overfit
  return { inSample, chosen, checks: checks.filter(({ of }) => of !== 'hold-out') }
}

describe.each(CATALOGUE)('$name', { timeout: 60_000 }, ({ definition }) => {
  let test: Backtest
  beforeAll(() => {
    test = runBacktest(market, definition)
  }, 60_000)

  it('no choice uses the out-of-sample period: with other prices there, all choices stay the same', () => {
    const other = runBacktest(corruptedFrom(HOLD_OUT_FROM), definition)
    expect(choices(other)).toEqual(choices(test))
    // The prices did differ: the holdings show it.
    expect(other.ofBenchmark.totalReturn).not.toBe(test.ofBenchmark.totalReturn)
  })

  it('chooses parameters on one window and follows them on the next', () => {
    const walked = test.overfit?.walkForward
    if (Object.keys(definition.values).length === 0) {
      expect(walked).toBeNull()
      return
    }
    const windows = walked?.windows ?? []
    expect(windows.length).toBeGreaterThanOrEqual(4)
    for (const [place, window] of windows.entries()) {
      expect(toDayNumber(window.followedFrom) - toDayNumber(window.chosenFrom)).toBe(730)
      expect(window.followedTo < HOLD_OUT_FROM).toBe(true)
      const next = windows[place + 1]
      if (next) expect(toDayNumber(next.followedFrom) - toDayNumber(window.followedTo)).toBe(1)
    }
    const total = windows.reduce((grown, { followedReturn }) => grown * (1 + followedReturn), 1) - 1
    expect(walked?.totalReturn).toBeCloseTo(total, 12)

    // Days after the first followed one change no earlier choice.
    const middle = windows[2]
    const other = runBacktest(corruptedFrom(middle?.followedFrom ?? ''), definition).overfit?.walkForward
    const chosen = (all: typeof windows) =>
      all.slice(0, 3).map(({ values, chosenReturn }) => ({ values, chosenReturn }))
    expect(chosen(other?.windows ?? [])).toEqual(chosen(windows))

    // A plain search over all trials finds the same choices.
    const found = tried()
    for (const { chosenFrom, followedFrom, values } of windows)
      expect(bestOf(found, chosenFrom, followedFrom)).toEqual(values)
  })

  function tried(): readonly Trial[] {
    const candles = definition.assets.map((id) => market.candles[market.assets.indexOf(id)] as Candles)
    const own = { ...market, assets: definition.assets, candles }
    const holdOutBar = toDayNumber(HOLD_OUT_FROM) - SIMULATED_START / DAY_MS
    const steps = runTrials(own, STRATEGIES[definition.kind], definition, 1000, holdOutBar)
    for (;;) {
      const step = steps.next()
      if (step.done) return step.value
    }
  }
})

function bestOf(all: readonly Trial[], from: string, before: string) {
  const ratios = all.map(({ daily, returns }) => {
    const days = [...returns].slice(toDayNumber(from) - daily.firstDay, toDayNumber(before) - daily.firstDay)
    const mean = days.reduce((sum, value) => sum + value, 0) / days.length
    const squares = days.reduce((sum, value) => sum + (value - mean) ** 2, 0)
    return squares === 0 ? Number.NEGATIVE_INFINITY : mean / Math.sqrt(squares)
  })
  const best = Math.max(...ratios)
  // Rounding may separate two combinations with equal trades.
  return best === Number.NEGATIVE_INFINITY
    ? null
    : all[ratios.findIndex((ratio) => best - ratio < 1e-9 / Math.sqrt(365))]?.values
}
