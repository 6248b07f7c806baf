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
  type Terms,
} from './execution.ts'
import { type Market, MarketError } from './market/market.ts'
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
  /** The last bar of the run, and the state before it. */
  at: { readonly index: number; readonly state: RunState } | null = null
}

/** All that changes from bar to bar. */
interface RunState {
  readonly signals: Signals
  readonly intent: Intent
  readonly bars: ClosedBars
  readonly book: Book
  readonly view: { equity: number; peak: number; readonly weights: Float64Array }
  /** One value per bar from the first that may trade. */
  readonly columns: {
    readonly equity: Float64Array
    readonly exposure: Float64Array
    readonly traded: Float64Array
  }
  readonly fills: Fill[]
  stopped: Run['stopped']
  readonly pauses: Pause[]
  /** When the current pause may end, in epoch milliseconds. Null: it does not pause. */
  pausedUntilMs: number | null
  wantsToTrade: boolean
  isHolding: boolean
  /** The day of `allowance`, in days since 1970. */
  day: number
  /** How much may still be bought and sold today. */
  allowance: number
}

/** What stays the same during a run. */
interface RunRules {
  /** The first bar that may trade. */
  readonly from: number
  readonly risk: RiskRules
  readonly terms: Terms
  readonly killAt: number
}

/**
 * Runs a strategy on a market, bar by bar. Its intent at one close trades at the next open. Then stops and profit targets apply
 * within that bar, and the book is valued at its close. Linear in the number of bars. Throws if the market is shorter than the
 * warm-up. An asset without a bar is not traded, and is valued at its last close. An order for it lapses, and the strategy
 * decides again at the next close. A sale that ends trading for good is repeated until it succeeds.
 */
export function run(market: Market, strategy: Strategy, values: Values, options: RunOptions): Run {
  const { startingCash, standing, risk = {}, killAt = Number.POSITIVE_INFINITY } = options
  const length = market.time.length
  const warmUp = strategy.warmUp(values)
  const from = Math.max(1, warmUp, options.from ?? 0)
  if (from >= length) {
    throw new MarketError('too-short', `The market has ${length} bars; trading would begin after ${from}.`)
  }
  const rules: RunRules = {
    from,
    risk,
    terms: deriveTerms(options.costs, risk, options.costMultiple),
    killAt,
  }

  // A market that is not longer may be an earlier one.
  const earlier = standing?.at != null && standing.at.index < length ? standing.at : null
  const state =
    earlier === null
      ? startState(market, strategy, values, { from, startingCash })
      : copyState(earlier.state, new ClosedBars(market, warmUp, earlier.state.bars), length - from)
  // A run on fewer bars does not replace the state of a run on more.
  const isStored = standing !== undefined && (standing.at === null || earlier !== null)

  for (let index = earlier?.index ?? 0; index < length; index++) {
    const isLast = index === length - 1
    if (isLast && isStored) standing.at = { index, state: copyState(state, state.bars.copy(), length - from) }
    const bar = state.bars.next()
    if (index >= from) {
      renewAllowance(state, bar, rules)
      tradeAtOpen(state, bar, rules)
      exitWithinBar(state, bar, rules)
      valueAtClose(state, bar, rules)
      limitDrawdown(state, bar, rules)
    }
    stopIfKilled(state, bar, rules)
    // A decision at the last close is never traded, and would change the signals of the run that continues.
    if (state.stopped === null && !(isLast && isStored)) decideAtClose(state, bar)
  }

  const { columns, fills, stopped, pauses, bars } = state
  return {
    from,
    startingCash,
    time: market.time.subarray(from),
    ...columns,
    fills,
    trades: roundTrips(fills, market.candles.length, bars.closing),
    fees: sum(fills, 'fee'),
    slippage: sum(fills, 'slippage'),
    stopped,
    pauses,
  }
}

function startState(
  market: Market,
  strategy: Strategy,
  values: Values,
  { from, startingCash }: { from: number; startingCash: number },
): RunState {
  const size = market.candles.length
  const createColumn = () => new Float64Array(market.time.length - from)
  return {
    signals: strategy.start(values, size),
    intent: newIntent(size),
    bars: new ClosedBars(market, strategy.warmUp(values)),
    book: newBook(startingCash, size),
    view: { equity: startingCash, peak: startingCash, weights: new Float64Array(size) },
    columns: { equity: createColumn(), exposure: createColumn(), traded: createColumn() },
    fills: [],
    stopped: null,
    pauses: [],
    pausedUntilMs: null,
    wantsToTrade: false,
    isHolding: false,
    day: Number.NaN,
    allowance: Number.POSITIVE_INFINITY,
  }
}

/** The same state with other bars, and room for this many values in each column. The strategy's signals and intent are shared. */
function copyState(state: RunState, bars: ClosedBars, length: number): RunState {
  const copyColumn = (column: Float64Array) => {
    const longer = new Float64Array(length)
    longer.set(column)
    return longer
  }
  const { book, view, columns, fills } = state
  return {
    ...state,
    bars,
    book: { cash: book.cash, quantity: book.quantity.slice() },
    view: { ...view, weights: view.weights.slice() },
    columns: {
      equity: copyColumn(columns.equity),
      exposure: copyColumn(columns.exposure),
      traded: copyColumn(columns.traded),
    },
    fills: [...fills],
    pauses: state.pauses.map((pause) => ({ ...pause })),
  }
}

/** Sets the limit of trading at the first bar of a day: a share of the equity at its open. */
function renewAllowance(state: RunState, { time }: ClosedBar, { risk: { dailyTurnover } }: RunRules): void {
  if (dailyTurnover === undefined) return
  const today = Math.floor(time / DAY_MS)
  if (today === state.day) return
  state.day = today
  state.allowance = dailyTurnover * computeEquity(state.book, state.bars.opening)
}

/** Trades the strategy's last decision. Sells everything once the run is stopped or pauses. */
function tradeAtOpen(state: RunState, { index, hasBar }: ClosedBar, { from, terms }: RunRules): void {
  const { book, bars, intent, stopped, pausedUntilMs, allowance } = state
  if (!state.wantsToTrade) return
  const isEnding = stopped !== null || pausedUntilMs !== null
  const deals = isEnding
    ? sellAll(book, bars.opening, terms, hasBar)
    : fillToWeights(book, bars.opening, intent.weights, terms, allowance, hasBar)
  state.wantsToTrade = isEnding && book.quantity.some((held) => held > 0)
  if (deals.length > 0) state.isHolding = true
  recordDeals(state, deals, index, from)
}

/** Sells at stops and profit targets. */
function exitWithinBar(state: RunState, bar: ClosedBar, { from, terms }: RunRules): void {
  if (state.isHolding) recordDeals(state, applyExits(state.book, bar, state.intent, terms), bar.index, from)
}

function recordDeals(state: RunState, deals: readonly Deal[], bar: number, from: number): void {
  if (deals.length === 0) return
  const value = sumTraded(deals)
  const { traded } = state.columns
  state.allowance -= value
  traded[bar - from] = at(traded, bar - from) + value
  for (const { asset, side, quantity, price, fee, slippage, reason } of deals)
    state.fills.push({ bar, asset, side, quantity, price, fee, slippage, reason })
}

/** Values the book, and each asset's share of it. */
function valueAtClose(state: RunState, { index }: ClosedBar, { from }: RunRules): void {
  const { book, bars, columns, view } = state
  view.equity = book.cash
  if (state.isHolding) {
    const { weights } = view
    const size = weights.length
    state.isHolding = false
    for (let asset = 0; asset < size; asset++) {
      const held = at(book.quantity, asset) * at(bars.closing, asset)
      view.equity += held
      weights[asset] = held
      if (held > 0) state.isHolding = true
    }
    let invested = 0
    for (let asset = 0; asset < size; asset++) {
      const weight = at(weights, asset) / view.equity
      weights[asset] = weight
      invested += weight
    }
    columns.exposure[index - from] = invested
  }
  columns.equity[index - from] = view.equity
}

/**
 * Acts on the drawdown limit: sells and pauses, or ends trading if the rules have no pause. A pause ends once its days are over and all is
 * sold. From then on the drawdown is measured anew.
 */
function limitDrawdown(state: RunState, { index, time }: ClosedBar, { risk }: RunRules): void {
  const { view, pauses } = state
  const { pauseDays } = risk
  if (state.pausedUntilMs !== null) {
    if (time < state.pausedUntilMs || state.isHolding) return
    const last = pauses.at(-1)
    if (last !== undefined) last.until = index
    state.pausedUntilMs = null
    view.peak = view.equity
  } else if (state.stopped === null && isDrawdownReached(view.equity, view.peak, risk)) {
    state.wantsToTrade = true
    if (pauseDays === undefined) state.stopped = { bar: index, by: 'maximumDrawdown' }
    else {
      pauses.push({ from: index, until: null })
      state.pausedUntilMs = time + pauseDays * DAY_MS
    }
  }
  view.peak = Math.max(view.peak, view.equity)
}

/** Everything is sold at the next open, and the strategy is not asked again. */
function stopIfKilled(state: RunState, { index }: ClosedBar, { killAt }: RunRules): void {
  if (state.stopped !== null || index < killAt) return
  state.stopped = { bar: index, by: 'killSwitch' }
  state.wantsToTrade = true
}

/**
 * Asks the strategy what to trade at the next open. An asset that is not held has no stop and no target. In a pause the strategy sees each
 * close, so that its measurements go on, and nothing is traded.
 */
function decideAtClose(state: RunState, bar: ClosedBar): void {
  const { book, intent, view } = state
  for (let asset = 0; asset < book.quantity.length; asset++) {
    if (book.quantity[asset] !== 0) continue
    intent.stop[asset] = Number.NaN
    intent.takeProfit[asset] = Number.NaN
  }
  const wantsToTrade = state.signals.onClose(bar, view, intent)
  if (state.pausedUntilMs === null) state.wantsToTrade = wantsToTrade
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
  /** In order. Each begins with the close that reached the drawdown limit. */
  readonly pauses: readonly Readonly<Pause>[]
}

/** A pause after the drawdown limit, by bars. */
export interface Pause {
  readonly from: number
  /** The first close at which the strategy may buy again; null if that is later. */
  until: number | null
}

/** Whether a run is in a pause after this bar's close. */
export function isPausedAt({ pauses }: Pick<Run, 'pauses'>, bar: number): boolean {
  return pauses.some(({ from, until }) => from <= bar && (until === null || bar < until))
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
      isSeam: new Uint8Array(size),
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
      bar.isSeam[asset] = columns.seams?.includes(bar.time) ? 1 : 0
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
