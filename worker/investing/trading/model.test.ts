import { describe, expect, it } from 'vitest'
import { at } from '../../../engine/at.ts'
import { CATALOGUE } from '../../../engine/catalogue.ts'
import type { Definition } from '../../../engine/definition.ts'
import { buildMarket } from '../../../engine/market/align.ts'
import type { Candles, Market } from '../../../engine/market/market.ts'
import { DAY_MS } from '../../../src/time.ts'
import { computeUnitPrice, computeUnits, MICRO_A_CENT, START_PRICE } from '../../ledger/units.ts'
import { computeCashChange, simulatePaperFill } from './broker.ts'
import { getPricesAt, replayModel } from './model.ts'
import { computeNetValue, planOrders } from './plan.ts'
import { computeUnitPrices } from './unitPrices.ts'

const BARS = 700
const START = 300

describe('a pool', () => {
  for (const { slug, definition } of CATALOGUE) {
    it(`acts like the backtest’s engine: ${slug}`, () => {
      const market = aMarket(definition.assets)
      const model = replayModel(definition, market, START)
      const prices = followed(definition, market)
      expect(model.run.fills.length).toBeGreaterThan(0)
      for (let bar = START; bar < BARS; bar++) {
        const worth = at(model.run.equity, bar - START)
        expect(Math.abs((prices[bar - START] ?? 0) / 1e6 / worth - 1)).toBeLessThanOrEqual(1e-6)
      }
    })
  }

  it('has the engine’s holdings at each open, whatever later bars exist', () => {
    for (const { definition } of CATALOGUE) {
      const market = aMarket(definition.assets)
      const whole = replayModel(definition, market, START)
      for (const bar of [START, START + 1, 400, 555]) {
        const open = replayModel(definition, openedOnly(market, bar), START)
        expect(open.opening(bar)).toEqual(whole.opening(bar))
      }
    }
  })
})

/** The unit price at each close of a pool with one investor since the first open, in the integers of pools. */
function followed(definition: Definition, market: Market): number[] {
  const model = replayModel(definition, market, START)
  let pool = { cash: 0, quantity: definition.assets.map(() => 0) }
  const trade = (asset: number, side: 'buy' | 'sell', quantity: number, seenPrice: number) => {
    const fill = simulatePaperFill({ side, quantity, seenPrice }, definition.costs)
    const owned = (pool.quantity[asset] ?? 0) + (side === 'buy' ? quantity : -quantity)
    pool = { cash: pool.cash + computeCashChange(side, fill), quantity: pool.quantity.with(asset, owned) }
  }
  const invested = 1_000_000_00
  const { issue } = computeUnitPrices(START_PRICE, 0, definition.costs)
  const units = computeUnits(invested, issue)
  const closes: number[] = []
  for (let bar = START; bar < market.time.length; bar++) {
    const opens = getPricesAt(market, 'open', bar)
    const { after, trades } = model.opening(bar)
    const flow = bar === START ? invested * MICRO_A_CENT : 0
    const isQuiet = trades.length === 0 && flow === 0
    for (const order of planOrders(pool, flow, opens, after, definition.costs, isQuiet)) {
      trade(order.asset, order.side, order.quantity, at(opens, order.asset))
    }
    pool = { ...pool, cash: pool.cash + flow }
    expect(pool.cash).toBeGreaterThanOrEqual(0)
    for (const { asset, seenPrice } of model.exits(bar)) {
      trade(asset, 'sell', pool.quantity[asset] ?? 0, seenPrice)
    }
    closes.push(computeUnitPrice(computeNetValue(pool, getPricesAt(market, 'close', bar)), units))
  }
  return closes
}

/** Days with enough movement for each kind of strategy to trade. */
function aMarket(assets: readonly string[]): Market {
  return buildMarket(
    assets.map((asset, n) => ({ asset, candles: bars(n + 1) })),
    DAY_MS,
  )
}

function bars(seed: number): Candles {
  let state = seed * 7919
  const random = () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
  const column = () => new Float64Array(BARS)
  const candles = {
    time: column(),
    open: column(),
    high: column(),
    low: column(),
    close: column(),
    volume: column(),
  }
  let price = 20 * 7 ** (seed % 4)
  for (let bar = 0; bar < BARS; bar++) {
    const wave = 0.012 * Math.sin(bar / (23 + seed))
    const open = price * (1 + 0.002 * (random() - 0.5))
    const close = open * Math.exp(wave + 0.05 * (random() - 0.5))
    candles.time[bar] = bar * DAY_MS
    candles.open[bar] = open
    candles.close[bar] = close
    candles.high[bar] = Math.max(open, close) * (1 + 0.02 * random())
    candles.low[bar] = Math.min(open, close) * (1 - 0.02 * random())
    candles.volume[bar] = 1
    price = close
  }
  return candles
}

/** The market as it is known at the open of a bar. */
function openedOnly(market: Market, bar: number): Market {
  const cut = (column: Float64Array) => column.slice(0, bar + 1)
  const candles = market.candles.map((columns) => {
    const open = cut(columns.open)
    const known = (column: Float64Array) => Float64Array.of(...column.subarray(0, bar), at(open, bar))
    return {
      time: cut(columns.time),
      open,
      high: known(columns.high),
      low: known(columns.low),
      close: known(columns.close),
      volume: cut(columns.volume),
    }
  })
  return { ...market, time: cut(market.time), candles }
}
