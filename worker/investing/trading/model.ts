import { at } from '../../../engine/at.ts'
import type { Definition } from '../../../engine/definition.ts'
import { type Book, computeEquity, newBook, settle } from '../../../engine/execution.ts'
import type { Market } from '../../../engine/market/market.ts'
import { type Run, run, Standing } from '../../../engine/run.ts'
import { STRATEGIES } from '../../../engine/strategies/registry.ts'

/**
 * A strategy with its own money since its start, without flows of investors. It follows from the frozen definition and candles
 * alone, so anyone can recompute it. The pool holds the same assets in the same proportions.
 */
export interface Model {
  readonly market: Market
  readonly run: Run
  /** At the open of a bar, before and after the strategy's trades. */
  opening(bar: number): {
    readonly before: ModelHoldings
    readonly after: ModelHoldings
    readonly trades: Run['fills']
  }
  /** Sales by stops and profit targets within a bar, at the price before slippage. */
  exits(bar: number): readonly Exit[]
  /** At the close of a bar. */
  closing(bar: number): ModelHoldings
}

/** Cash and quantities, and their total value. */
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

/** The model starts with the price of one unit. */
const STARTING_CASH = 100

/**
 * Replays a strategy. Trading begins at the open of bar `from`. The last bar of the market may only have opened. Its close and
 * its stops are then unknown. With `standing` it goes on from an earlier replay on fewer bars of the same market.
 */
export function replayModel(
  definition: Definition,
  market: Market,
  from: number,
  standing = new Standing(),
): Model {
  const { costs, risk, kind, values } = definition
  const options = { startingCash: STARTING_CASH, costs, risk, from, standing }
  const followed = run(market, STRATEGIES[kind], values, options)
  return {
    market,
    run: followed,
    opening(bar) {
      const opens = getPricesAt(market, 'open', bar)
      const book = bookBefore(followed, bar, market.assets.length)
      const before = toModelHoldings(book, opens)
      const trades = followed.fills.filter((fill) => fill.bar === bar && isAtOpen(fill.reason))
      for (const trade of trades) settle(book, trade)
      return { before, after: toModelHoldings(book, opens), trades }
    },
    exits(bar) {
      const sold = followed.fills.filter((fill) => fill.bar === bar && !isAtOpen(fill.reason))
      return sold.map(({ asset, quantity, price, slippage, reason }): Exit => {
        // The price of a sale includes the slippage, and the slippage is stored for the whole quantity.
        const seenPrice = price + slippage / quantity
        return { asset, quantity, seenPrice, reason: reason === 'stop' ? 'stop' : 'take-profit' }
      })
    },
    closing(bar) {
      const book = bookBefore(followed, bar + 1, market.assets.length)
      return toModelHoldings(book, getPricesAt(market, 'close', bar))
    },
  }
}

/** Each asset's price at one moment of a bar. */
export function getPricesAt(market: Market, moment: 'open' | 'close', bar: number): Float64Array {
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

function toModelHoldings(book: Book, prices: Float64Array): ModelHoldings {
  return { cash: book.cash, quantity: book.quantity.slice(), equity: computeEquity(book, prices) }
}
