import { DAY_MS } from '../src/time.ts'
import { at } from './at.ts'
import { type Costs, isDrawdownReached, type RiskRules } from './definition.ts'
import {
  applyExits,
  type Book,
  computeEquity,
  type Deal,
  deriveTerms,
  fillToWeights,
  newBook,
  sellAll,
  sumTraded,
} from './execution.ts'
import { type Market, MarketError } from './market.ts'
import { roundTrips } from './roundTrips.ts'
import type { ClosedBar, Intent, Signals, Strategy, Values } from './strategy.ts'

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
  /** The state of an earlier run, from which this one continues: see `Standing`. */
  readonly standing?: Standing
}

/**
 * The state of a run before its last bar. Later, a run of the same strategy on the same market with more bars continues from this
 * state, and stores its own state before its last bar. The result equals a run from the first bar. Only the last bar may differ
 * between two runs.
 */
export class Standing {
  at: StandingAt | null = null
}

interface StandingAt {
  /** The bar that was the last one. */
  readonly index: number
  readonly signals: Signals
  readonly intent: Intent
  readonly bars: ClosedBars
  readonly book: Book
  readonly weights: Float64Array
  readonly view: { readonly equity: number; readonly peak: number }
  /** By bar from `from` on. */
  readonly columns: Columns
  readonly fills: readonly Fill[]
  readonly stopped: Run['stopped']
  readonly wantsToTrade: boolean
  readonly isHolding: boolean
  readonly day: number
  readonly allowance: number
}

interface Columns {
  readonly equity: Float64Array
  readonly exposure: Float64Array
  readonly traded: Float64Array
}

/**
 * Runs a strategy on a market, bar by bar. Its intent at one close trades at the next open. Then stops and profit targets apply
 * within that bar, and the book is valued at its close. Linear in the number of bars. Throws if the market is shorter than the
 * warm-up. An asset without a bar is not traded, and is valued at its last close. An order for it lapses, and the strategy
 * decides again at the next close. A sale that ends trading for good is repeated until it succeeds.
 */
export function run(market: Market, strategy: Strategy, values: Values, options: RunOptions): Run {
  const { startingCash } = options
  const risk = options.risk ?? {}
  const killAt = options.killAt ?? Number.POSITIVE_INFINITY
  const dailyTurnover = risk.dailyTurnover ?? Number.POSITIVE_INFINITY
  const isTurnoverCapped = Number.isFinite(dailyTurnover)
  const terms = deriveTerms(options.costs, risk, options.costMultiple)

  const length = market.time.length
  const size = market.candles.length
  const from = Math.max(1, strategy.warmUp(values), options.from ?? 0)
  if (from >= length) {
    throw new MarketError('too-short', `The market has ${length} bars; trading would begin after ${from}.`)
  }

  const { standing } = options
  // A market that is not longer may be an earlier one.
  const stood = standing?.at != null && standing.at.index < length ? standing.at : null
  const signals = stood?.signals ?? strategy.start(values, size)
  const intent = stood?.intent ?? newIntent(size)
  const bars = new ClosedBars(market, strategy.warmUp(values), stood?.bars)
  const book = newBook(stood?.book.cash ?? startingCash, size)
  if (stood !== null) book.quantity.set(stood.book.quantity)
  const weights = stood?.weights.slice() ?? new Float64Array(size)
  const view = { equity: startingCash, peak: startingCash, ...stood?.view, weights }

  const createColumn = (name: keyof Columns) => {
    const values = new Float64Array(length - from)
    if (stood !== null) values.set(stood.columns[name].subarray(0, Math.max(0, stood.index - from)))
    return values
  }
  const [equity, exposure, traded] = [
    createColumn('equity'),
    createColumn('exposure'),
    createColumn('traded'),
  ]
  const fills = [...(stood?.fills ?? [])]
  let stopped = stood?.stopped ?? null
  let wantsToTrade = stood?.wantsToTrade ?? false
  let isHolding = stood?.isHolding ?? false
  let day = stood?.day ?? Number.NaN
  let allowance = stood?.allowance ?? Number.POSITIVE_INFINITY
  // A run on fewer bars does not replace the state of a run on more.
  const kept = standing?.at == null || stood !== null ? standing : undefined

  for (let index = stood?.index ?? 0; index < length; index++) {
    const isLast = index === length - 1
    if (isLast && kept !== undefined) {
      const { equity: value, peak } = view
      kept.at = {
        index,
        signals,
        intent,
        bars: bars.copy(),
        book: { cash: book.cash, quantity: book.quantity.slice() },
        weights: weights.slice(),
        view: { equity: value, peak },
        columns: { equity, exposure, traded },
        fills: [...fills],
        stopped,
        wantsToTrade,
        isHolding,
        day,
        allowance,
      }
    }
    const bar = bars.next()
    if (index >= from) {
      if (isTurnoverCapped) {
        const today = Math.floor(bar.time / DAY_MS)
        if (today !== day) {
          day = today
          allowance = dailyTurnover * computeEquity(book, bars.opening)
        }
      }
      if (wantsToTrade) {
        const deals =
          stopped === null
            ? fillToWeights(book, bars.opening, intent.weights, terms, allowance, bar.hasBar)
            : sellAll(book, bars.opening, terms, bar.hasBar)
        wantsToTrade = stopped !== null && book.quantity.some((held) => held > 0)
        if (deals.length > 0) {
          isHolding = true
          record(deals, index)
        }
      }
      if (isHolding) {
        const deals = applyExits(book, bar, intent, terms)
        if (deals.length > 0) record(deals, index)
      }
      let value = book.cash
      if (isHolding) {
        isHolding = false
        for (let asset = 0; asset < size; asset++) {
          const held = at(book.quantity, asset) * at(bars.closing, asset)
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
    // A decision at the last close is never traded, and would change the signals of the run that continues.
    if (isLast && kept !== undefined) continue
    for (let asset = 0; asset < size; asset++) {
      if (book.quantity[asset] !== 0) continue
      intent.stop[asset] = Number.NaN
      intent.takeProfit[asset] = Number.NaN
    }
    wantsToTrade = signals.onClose(bar, view, intent)
  }

  function record(deals: readonly Deal[], bar: number): void {
    const value = sumTraded(deals)
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
    trades: roundTrips(fills, size, bars.closing),
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

/** Reads a market bar by bar. All bars reuse the same arrays, so reading a bar does not allocate memory. */
class ClosedBars {
  /** The price that values each asset at the bar's open: its own open, or its last close. 0 before its first bar. */
  readonly opening: Float64Array
  /** The same at the bar's close. */
  readonly closing: Float64Array
  readonly #market: Market
  readonly #warmUp: number
  readonly #seen: Uint32Array
  readonly #bar: Writable<ClosedBar>

  /** `before` read the first bars of the market already. */
  constructor(market: Market, warmUp: number, before: ClosedBars | null = null) {
    const size = market.candles.length
    const createColumn = () => new Float64Array(size)
    this.opening = before?.opening.slice() ?? createColumn()
    this.closing = before?.closing.slice() ?? createColumn()
    this.#market = market
    this.#warmUp = warmUp
    this.#seen = before === null ? new Uint32Array(size) : before.#seen.slice()
    this.#bar = {
      index: before === null ? -1 : before.#bar.index,
      time: Number.NaN,
      hasBar: new Uint8Array(size),
      hasJoined: before === null ? new Uint8Array(size) : before.#bar.hasJoined.slice(),
      open: createColumn(),
      high: createColumn(),
      low: createColumn(),
      close: createColumn(),
      volume: createColumn(),
    }
  }

  copy(): ClosedBars {
    return new ClosedBars(this.#market, this.#warmUp, this)
  }

  next(): ClosedBar {
    const bar = this.#bar
    bar.index++
    const { index } = bar
    bar.time = at(this.#market.time, index)
    let asset = 0
    for (const columns of this.#market.candles) {
      const close = at(columns.close, index)
      bar.open[asset] = at(columns.open, index)
      bar.high[asset] = at(columns.high, index)
      bar.low[asset] = at(columns.low, index)
      bar.close[asset] = close
      bar.volume[asset] = at(columns.volume, index)
      if (Number.isNaN(close)) {
        bar.hasBar[asset] = 0
        this.opening[asset] = at(this.closing, asset)
      } else {
        bar.hasBar[asset] = 1
        this.opening[asset] = at(columns.open, index)
        this.closing[asset] = close
        const seen = (this.#seen[asset] ?? 0) + 1
        this.#seen[asset] = seen
        if (seen >= this.#warmUp) bar.hasJoined[asset] = 1
      }
      asset++
    }
    return bar
  }
}

type Writable<Type> = { -readonly [Key in keyof Type]: Type[Key] }
