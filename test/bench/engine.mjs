// How many bars per second the trading engine processes on one core, whether its cost is linear in the bars, and how long it takes to plan
// a day's orders.
// `node test/bench/engine.mjs [samples]`

import { runBacktest } from '../../engine/backtest/backtest.ts'
import { CATALOGUE } from '../../engine/catalogue.ts'
import { DEFAULT_COSTS } from '../../engine/definition.ts'
import { createEmptyCandles } from '../../engine/market/candlesCsv.ts'
import { takeExcerpt } from '../../engine/market/market.ts'
import { buildSimulatedMarket, TESTED_UNTIL } from '../../engine/market/simulatedMarket.ts'
import { SIMULATED_START } from '../../engine/market/simulatedPaths.ts'
import { run } from '../../engine/run.ts'
import { smaTrend } from '../../engine/strategies/smaTrend.ts'
import { DAY_MS } from '../../src/time.ts'
import { getPricesAt, replayModel } from '../../worker/investing/trading/model.ts'
import { planOrders } from '../../worker/investing/trading/plan.ts'

/** @typedef {import('../../engine/market/market.ts').Market} Market */
/** @typedef {import('../../engine/strategy.ts').Strategy} Strategy */
/** @typedef {{ cpuMs: number, ms: number }} Time the fastest of all samples, in processor time and wall-clock time */

const SAMPLES = Number(process.argv[2] ?? 12)
/** A sample repeats its work for at least this long, because processor time has a resolution of some milliseconds. */
const SAMPLE_MS = 250
const MILLION = 1_000_000
const LENGTHS = [MILLION / 10, MILLION, 10 * MILLION]
const CALLBACK_TARGET = 10
const PLANNED = 20
const PLAN_TARGET_MS = 100

const averages = { fast: 50, slow: 200 }
const options = { startingCash: 1_000, costs: DEFAULT_COSTS }
const all = randomWalk(LENGTHS.at(-1) ?? 0)
const days = buildSimulatedMarket(['sim-index'], SIMULATED_START, TESTED_UNTIL)
const slowTrend = CATALOGUE.find(({ slug }) => slug === 'slow-trend')
if (slowTrend === undefined) throw new Error('The catalogue has no Slow Trend.')

/** @type {Record<string, { bars: string, ms: number, 'million bars a second': number, 'by the clock': number }>} */
const rows = {}
const rates = LENGTHS.map((length) =>
  measure('callback, smoothed averages', length, (market) => run(market, smoothed(), {}, options)),
)
measure('callback, trades often', MILLION, (market) => run(market, afterRises(), {}, options))
measure('callback, the strategy sma-trend', MILLION, (market) => run(market, smaTrend, averages, options))
const eight = buildSimulatedMarket(
  ['index', 'alder', 'birch', 'cedar', 'dogwood', 'flint', 'granite', 'slate'].map((name) => `sim-${name}`),
  SIMULATED_START,
  TESTED_UNTIL,
)
const kinds = CATALOGUE.filter(({ definition }) => definition.assets.length > 1)
const whole = timed(() => runBacktest(days, slowTrend.definition))

console.table(rows)
const planning = timed(planDay)
console.log(
  `The orders of one day, ${PLANNED} strategies of eight assets: ${planning.cpuMs.toFixed(0)} ms; the target is at most ${PLAN_TARGET_MS}: ${planning.cpuMs <= PLAN_TARGET_MS ? 'met' : 'MISSED'}.`,
)
console.log(`A whole backtest of ${slowTrend.name} with all its trials: ${whole.cpuMs.toFixed(0)} ms.`)
const rate = rates[LENGTHS.indexOf(MILLION)] ?? 0
console.log(
  `Callback: ${rate.toFixed(1)} million bars a second; the target is ${CALLBACK_TARGET}: ${rate >= CALLBACK_TARGET ? 'met' : 'MISSED'}.`,
)
const each = rates.map((rate) => (1_000 / rate).toFixed(1)).join(', ')
console.log(`Callback: ${each} ns a bar at ${LENGTHS.map(words).join(', ')} bars.`)

/**
 * Measures work on this many bars, adds a row, and returns millions of bars per second.
 * @param {string} name @param {number} bars @param {(market: Market) => unknown} work
 */
function measure(name, bars, work) {
  const market = takeExcerpt(all, 0, bars)
  const { cpuMs, ms } = timed(() => work(market))
  const rate = bars / cpuMs / 1_000
  rows[`${name}, ${words(bars)}`] = {
    bars: words(bars),
    ms: round(cpuMs),
    'million bars a second': round(rate),
    'by the clock': round(bars / ms / 1_000),
  }
  return rate
}

/** @param {() => unknown} work @returns {Time} */
function timed(work) {
  let cpuMs = Number.POSITIVE_INFINITY
  let ms = Number.POSITIVE_INFINITY
  for (let sample = 0; sample < SAMPLES; sample++) {
    const before = process.threadCpuUsage()
    const start = performance.now()
    let repeats = 0
    do {
      work()
      repeats++
    } while (performance.now() - start < SAMPLE_MS)
    const clock = performance.now() - start
    const { user, system } = process.threadCpuUsage(before)
    cpuMs = Math.min(cpuMs, (user + system) / 1_000 / repeats)
    ms = Math.min(ms, clock / repeats)
  }
  return { cpuMs, ms }
}

/**
 * Plans the last day of each strategy, as the Worker does: it replays the model from its start, and brings a pool with money but without
 * holdings to the model's.
 */
function planDay() {
  const bar = eight.time.length - 1
  const prices = getPricesAt(eight, 'open', bar)
  const pool = { cash: 1e12, quantity: eight.assets.map(() => 0) }
  const definitions = Array.from({ length: PLANNED }, (_, place) => kinds[place % kinds.length]?.definition)
  for (const definition of definitions) {
    if (definition === undefined) throw new Error('The catalogue has no strategy of several assets.')
    const model = replayModel({ ...definition, assets: eight.assets }, eight, averages.slow)
    planOrders(pool, 0, prices, model.opening(bar).after, definition.costs)
  }
}

/** Two exponential averages: some multiplications per bar, and a trade every hundred bars or so. @returns {Strategy} */
function smoothed() {
  return strategyOf(() => {
    let near = 0
    let far = 0
    return {
      onClose({ close }, { weights }, intent) {
        const price = close[0] ?? 0
        near += (price - near) * 0.04
        far += (price - far) * 0.01
        if (near > far === (weights[0] ?? 0) > 0) return false
        intent.weights[0] = near > far ? 1 : 0
        return true
      },
    }
  })
}

/** Holds after a rising bar, which about half are. @returns {Strategy} */
function afterRises() {
  return strategyOf(() => ({
    onClose({ open, close }, { weights }, intent) {
      const isRising = (close[0] ?? 0) > (open[0] ?? 0)
      if (isRising === (weights[0] ?? 0) > 0) return false
      intent.weights[0] = isRising ? 1 : 0
      return true
    },
  }))
}

/** @param {Strategy['start']} start @returns {Strategy} */
function strategyOf(start) {
  return { parameters: {}, warmUp: () => averages.slow, start }
}

/** A random walk around 100 from a fixed seed. @param {number} bars @returns {Market} */
function randomWalk(bars) {
  const candles = createEmptyCandles(bars)
  let state = 1
  let away = 0
  for (let bar = 0; bar < bars; bar++) {
    const open = 100 * Math.exp(away)
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    away += (state / 4_294_967_296 - 0.5) * 0.04 - away * 0.0005
    const close = 100 * Math.exp(away)
    candles.time[bar] = SIMULATED_START + bar * DAY_MS
    candles.open[bar] = open
    candles.close[bar] = close
    candles.high[bar] = Math.max(open, close) * 1.005
    candles.low[bar] = Math.min(open, close) * 0.995
  }
  return { intervalMs: DAY_MS, time: candles.time, assets: ['made-up'], candles: [candles] }
}

/** @param {number} bars */
function words(bars) {
  return bars.toLocaleString('en')
}

/** @param {number} figure */
function round(figure) {
  return Number(figure.toPrecision(3))
}
