import { at } from './at.ts'
import { type Costs, isDrawdownReached, type RiskRules } from './definition.ts'
import {
  type Deal,
  equityAt,
  exitWithinBar,
  fillToWeights,
  newBook,
  sellAll,
  termsOf,
  tradedIn,
} from './execution.ts'
import { type Market, MarketError } from './market.ts'
import { DAY_MS } from './metrics/dailyEquity.ts'
import { roundTrips } from './roundTrips.ts'
import type { ClosedBar, Intent, Strategy, Values } from './strategy.ts'

export interface RunOptions {
  readonly startingCash: number
  readonly costs: Costs
  /** 1 by default. */
  readonly costMultiple?: number
  readonly risk?: RiskRules
  /** The bar at whose close the kill switch acts: everything is sold at the next open, and trading ends. */
  readonly killAt?: number
  /** The first bar to trade at, if later than the end of the warm-up. */
  readonly from?: number
}

/**
 * Runs a strategy on a market, bar by bar: its intent at one close trades at the next open, then stops and profit
 * targets apply within that bar, then the book is valued at its close. Linear in the number of bars. Throws if the
 * market is shorter than the warm-up.
 */
export function run(market: Market, strategy: Strategy, values: Values, options: RunOptions): Run {
  const { startingCash } = options
  const risk = options.risk ?? {}
  const killAt = options.killAt ?? Number.POSITIVE_INFINITY
  const dailyTurnover = risk.dailyTurnover ?? Number.POSITIVE_INFINITY
  const isTurnoverCapped = Number.isFinite(dailyTurnover)
  const terms = termsOf(options.costs, risk, options.costMultiple)

  const length = market.time.length
  const size = market.candles.length
  const from = Math.max(1, strategy.warmUp(values), options.from ?? 0)
  if (from >= length) {
    throw new MarketError('too-short', `The market has ${length} bars; trading would begin after ${from}.`)
  }

  const signals = strategy.start(values, size)
  const barAt = closedBars(market)
  const book = newBook(startingCash, size)
  const weights = new Float64Array(size)
  const view = { equity: startingCash, peak: startingCash, weights }
  const intent = newIntent(size)

  const equity = new Float64Array(length - from)
  const exposure = new Float64Array(length - from)
  const traded = new Float64Array(length - from)
  const fills: Fill[] = []
  let stopped: Run['stopped'] = null
  let wantsToTrade = false
  let isHolding = false
  let day = Number.NaN
  let allowance = Number.POSITIVE_INFINITY

  for (let index = 0; index < length; index++) {
    const bar = barAt(index)
    if (index >= from) {
      if (isTurnoverCapped) {
        const today = Math.floor(bar.time / DAY_MS)
        if (today !== day) {
          day = today
          allowance = dailyTurnover * equityAt(book, bar.open)
        }
      }
      if (wantsToTrade) {
        const deals =
          stopped === null
            ? fillToWeights(book, bar.open, intent.weights, terms, allowance)
            : sellAll(book, bar.open, terms)
        wantsToTrade = false
        if (deals.length > 0) {
          isHolding = true
          record(deals, index)
        }
      }
      if (isHolding) {
        const deals = exitWithinBar(book, bar, intent, terms)
        if (deals.length > 0) record(deals, index)
      }
      let value = book.cash
      if (isHolding) {
        isHolding = false
        for (let asset = 0; asset < size; asset++) {
          const held = at(book.quantity, asset) * at(bar.close, asset)
          value += held
          weights[asset] = held
          if (held > 0) isHolding = true
        }
        let invested = 0
        for (let asset = 0; asset < size; asset++) {
          const weight = at(weights, asset) / value
          weights[asset] = weight
          invested += weight
        }
        exposure[index - from] = invested
      }
      equity[index - from] = value
      view.equity = value
      if (stopped === null && isDrawdownReached(value, view.peak, risk)) {
        stopped = { bar: index, by: 'maximumDrawdown' }
        wantsToTrade = true
      }
      if (value > view.peak) view.peak = value
    }
    if (stopped !== null) continue
    if (index >= killAt) {
      stopped = { bar: index, by: 'killSwitch' }
      wantsToTrade = true
      continue
    }
    for (let asset = 0; asset < size; asset++) {
      if (book.quantity[asset] !== 0) continue
      intent.stop[asset] = Number.NaN
      intent.takeProfit[asset] = Number.NaN
    }
    wantsToTrade = signals.onClose(bar, view, intent)
  }

  function record(deals: readonly Deal[], bar: number): void {
    const value = tradedIn(deals)
    allowance -= value
    traded[bar - from] = at(traded, bar - from) + value
    for (const { asset, side, quantity, price, fee, slippage, reason } of deals) {
      fills.push({ bar, asset, side, quantity, price, fee, slippage, reason })
    }
  }

  return {
    from,
    startingCash,
    time: market.time.subarray(from),
    equity,
    exposure,
    traded,
    fills,
    trades: roundTrips(fills, size, barAt(length - 1).close),
    fees: sum(fills, 'fee'),
    slippage: sum(fills, 'slippage'),
    stopped,
  }
}

/** An empty intent: no weight, no stop, no target. */
export function newIntent(assets: number): Intent {
  return {
    weights: new Float64Array(assets),
    stop: new Float64Array(assets).fill(Number.NaN),
    takeProfit: new Float64Array(assets).fill(Number.NaN),
  }
}

function sum(fills: readonly Fill[], of: 'fee' | 'slippage'): number {
  let total = 0
  for (const fill of fills) total += fill[of]
  return total
}

export interface Fill extends Deal {
  /** The bar in which it took place. */
  readonly bar: number
}

/** A trade from the first purchase of an asset until all of it is sold, at average cost and after all costs. */
export interface Trade {
  readonly asset: number
  readonly openedBar: number
  /** Null if still open at the end. Then it is valued at the last close, without the costs of a sale. */
  readonly closedBar: number | null
  readonly cost: number
  readonly proceeds: number
}

/** The result of a run. Columns have one value per bar from `from` on. */
export interface Run {
  /** The first bar that could trade. */
  readonly from: number
  readonly startingCash: number
  readonly time: Float64Array
  /** Cash and holdings at each close. */
  readonly equity: Float64Array
  /** The invested share of the equity at each close. */
  readonly exposure: Float64Array
  /** Purchases plus sales in each bar, in the quote currency. */
  readonly traded: Float64Array
  readonly fills: readonly Fill[]
  readonly trades: readonly Trade[]
  readonly fees: number
  readonly slippage: number
  /** The bar whose close ended all trading, and the rule that did; null if none. */
  readonly stopped: { readonly bar: number; readonly by: 'maximumDrawdown' | 'killSwitch' } | null
}

/** Returns bars by index. Calls reuse the same arrays, so that a run allocates nothing. */
function closedBars(market: Market): (index: number) => ClosedBar {
  const { candles, time } = market
  const size = candles.length
  const open = new Float64Array(size)
  const high = new Float64Array(size)
  const low = new Float64Array(size)
  const close = new Float64Array(size)
  const volume = new Float64Array(size)
  const bar = { index: 0, time: 0, open, high, low, close, volume }
  return (index) => {
    bar.index = index
    bar.time = at(time, index)
    let asset = 0
    for (const columns of candles) {
      open[asset] = at(columns.open, index)
      high[asset] = at(columns.high, index)
      low[asset] = at(columns.low, index)
      close[asset] = at(columns.close, index)
      volume[asset] = at(columns.volume, index)
      asset++
    }
    return bar
  }
}
