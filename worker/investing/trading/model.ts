import { at } from '../../../engine/at.ts'
import type { Definition } from '../../../engine/definition.ts'
import { type Book, equityAt, newBook, settle } from '../../../engine/execution.ts'
import type { Market } from '../../../engine/market.ts'
import { type Run, run } from '../../../engine/run.ts'
import { STRATEGIES } from '../../../engine/strategies/registry.ts'

/**
 * A strategy followed from its start on with money of its own: what it holds, nobody's flows in it. Everything comes from the
 * frozen definition and from candles, so that anybody can recompute it; the pool holds the same in the same proportions.
 */
export interface Model {
  readonly market: Market
  readonly run: Run
  /** At the open of a bar, before and after what the strategy trades there. */
  opening(bar: number): {
    readonly before: ModelHoldings
    readonly after: ModelHoldings
    readonly trades: Run['fills']
  }
  /** What stops and profit targets sell within a bar, at the price before slippage. */
  exits(bar: number): readonly Exit[]
  /** At the close of a bar. */
  closing(bar: number): ModelHoldings
}

/** Cash and quantities, and what they are worth together. */
export interface ModelHoldings {
  readonly cash: number
  readonly quantity: Float64Array
  readonly equity: number
}

export interface Exit {
  readonly asset: number
  readonly quantity: number
  readonly seenPrice: number
  readonly reason: 'stop' | 'take-profit'
}

/** The model begins with what one unit costs. */
const STARTING_CASH = 100

/**
 * Replays a strategy. Trading begins at the open of bar `from`. The last bar of the market may be one that has only opened: what
 * is asked of its close, or what stops do in it, is not known then.
 */
export function modelOf(definition: Definition, market: Market, from: number): Model {
  const { costs, risk, kind, values } = definition
  const followed = run(market, STRATEGIES[kind], values, { startingCash: STARTING_CASH, costs, risk, from })
  return {
    market,
    run: followed,
    opening(bar) {
      const opens = pricesAt(market, 'open', bar)
      const book = bookBefore(followed, bar, market.assets.length)
      const before = held(book, opens)
      const trades = followed.fills.filter((fill) => fill.bar === bar && isAtOpen(fill.reason))
      for (const trade of trades) settle(book, trade)
      return { before, after: held(book, opens), trades }
    },
    exits(bar) {
      const sold = followed.fills.filter((fill) => fill.bar === bar && !isAtOpen(fill.reason))
      return sold.map(({ asset, quantity, price, slippage, reason }): Exit => {
        // A sale's price is the one seen less the slippage, which is told for the whole quantity.
        const seenPrice = price + slippage / quantity
        return { asset, quantity, seenPrice, reason: reason === 'stop' ? 'stop' : 'take-profit' }
      })
    },
    closing(bar) {
      const book = bookBefore(followed, bar + 1, market.assets.length)
      return held(book, pricesAt(market, 'close', bar))
    },
  }
}

/** Each asset's price at one moment of a bar. */
export function pricesAt(market: Market, moment: 'open' | 'close', bar: number): Float64Array {
  return Float64Array.from(market.candles, (candles) => at(candles[moment], bar))
}

function isAtOpen(reason: Run['fills'][number]['reason']): boolean {
  return reason === 'target' || reason === 'risk'
}

function bookBefore(followed: Run, bar: number, assets: number): Book {
  const book = newBook(followed.startingCash, assets)
  for (const fill of followed.fills) if (fill.bar < bar) settle(book, fill)
  return book
}

function held(book: Book, prices: Float64Array): ModelHoldings {
  return { cash: book.cash, quantity: book.quantity.slice(), equity: equityAt(book, prices) }
}
