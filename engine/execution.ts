import { at } from './at.ts'
import type { Costs } from './costs.ts'
import type { RiskRules } from './riskRules.ts'

/** Cash in the quote currency, and how many units of each asset are held. Neither is ever below 0. */
export interface Book {
  cash: number
  readonly quantity: Float64Array
}

/** A purchase or a sale of one asset. */
export interface Deal {
  /** The asset's place in the market. */
  readonly asset: number
  readonly side: 'buy' | 'sell'
  /** In units of the asset. */
  readonly quantity: number
  /** Paid or got for one, slippage included, in the quote currency. */
  readonly price: number
  readonly fee: number
  /** By how much the price was worse than the one seen, times the quantity. */
  readonly slippage: number
  readonly reason: 'target' | 'stop' | 'take-profit' | 'risk'
}

/** On which terms deals are made. Shares of what is traded, not basis points. */
export interface Terms {
  readonly fee: number
  readonly slippage: number
  /** The most that one asset may be of the equity when it is bought; 1 where no rule says less. */
  readonly maximumPosition: number
  /** Deals worth less than this share of the equity are left out: what remains is rounding. */
  readonly smallest: number
}

const BASIS_POINTS = 10_000
const ROUNDING = 1e-9
const NONE: readonly Deal[] = []

export function newBook(cash: number, assets: number): Book {
  return { cash, quantity: new Float64Array(assets) }
}

export function termsOf(costs: Costs, risk: RiskRules, costMultiple = 1): Terms {
  return {
    fee: (costs.feeBasisPoints / BASIS_POINTS) * costMultiple,
    slippage: (costs.slippageBasisPoints / BASIS_POINTS) * costMultiple,
    maximumPosition: risk.maximumPosition ?? 1,
    smallest: ROUNDING,
  }
}

/** Cash and holdings at the given prices. */
export function equityAt(book: Book, prices: Float64Array): number {
  let equity = book.cash
  for (let asset = 0; asset < prices.length; asset++) {
    equity += at(book.quantity, asset) * at(prices, asset)
  }
  return equity
}

/**
 * Trades until each asset is its weight of the equity at these prices: sells first, then buys as far as cash reaches once fees
 * and slippage are paid; where it doesn't reach, all purchases are smaller by the same share. `allowance` is the most that may be
 * traded, in the quote currency; sales come first out of it too. Changes the book and answers what it did.
 */
export function fillToWeights(
  book: Book,
  prices: Float64Array,
  weights: Float64Array,
  terms: Terms,
  allowance = Number.POSITIVE_INFINITY,
): readonly Deal[] {
  refuseBadWeights(weights)
  const equity = equityAt(book, prices)
  const sales = salesTo(book, equity, prices, weights, terms, allowance)
  settleAll(book, sales)
  const left = allowance - tradedIn(sales)
  const purchases = purchasesTo(book, equity, prices, weights, terms, left)
  settleAll(book, purchases)
  if (sales.length === 0) return purchases
  return purchases.length === 0 ? sales : [...sales, ...purchases]
}

/** The sales that lead to these weights of an equity. The book is left as it is. */
function salesTo(
  book: Book,
  equity: number,
  prices: Float64Array,
  weights: Float64Array,
  terms: Terms,
  allowance = Number.POSITIVE_INFINITY,
): readonly Deal[] {
  let wanted = 0
  for (let asset = 0; asset < weights.length; asset++) {
    wanted += excess(book, equity, prices, weights, terms, asset) * at(prices, asset)
  }
  if (wanted <= 0) return NONE
  const traded = wanted * (1 - terms.slippage)
  const share = traded > allowance ? Math.max(0, allowance) / traded : 1
  const deals: Deal[] = []
  for (let asset = 0; asset < weights.length; asset++) {
    const quantity = share * excess(book, equity, prices, weights, terms, asset)
    if (quantity > 0) deals.push(sale(asset, quantity, at(prices, asset), terms, 'target'))
  }
  return deals
}

/** The purchases that lead to these weights of an equity, as far as the book's cash reaches. The book is left as it is. */
function purchasesTo(
  book: Book,
  equity: number,
  prices: Float64Array,
  weights: Float64Array,
  terms: Terms,
  allowance = Number.POSITIVE_INFINITY,
): readonly Deal[] {
  let wanted = 0
  for (let asset = 0; asset < weights.length; asset++) {
    wanted += shortfall(book, equity, prices, weights, terms, asset)
  }
  if (wanted <= 0) return NONE
  const traded = wanted * (1 + terms.slippage)
  const cost = traded * (1 + terms.fee)
  let share = cost > book.cash ? book.cash / cost : 1
  if (traded * share > allowance) share = Math.max(0, allowance) / traded
  const deals: Deal[] = []
  for (let asset = 0; asset < weights.length; asset++) {
    const value = share * shortfall(book, equity, prices, weights, terms, asset)
    if (value > terms.smallest * equity) deals.push(purchase(asset, value, at(prices, asset), terms))
  }
  return deals
}

/**
 * What stops and profit targets sell within a bar. A bar doesn't say which of its prices came first, so where it reaches both
 * the stop counts. A bar that opens beyond one of them is sold at its open: worse than the stop, better than the target.
 * Changes the book and answers what it did.
 */
export function exitWithin(
  book: Book,
  bar: { readonly open: Float64Array; readonly high: Float64Array; readonly low: Float64Array },
  exits: { readonly stop: Float64Array; readonly takeProfit: Float64Array },
  terms: Terms,
): readonly Deal[] {
  let deals: Deal[] | null = null
  for (let asset = 0; asset < book.quantity.length; asset++) {
    const quantity = at(book.quantity, asset)
    if (quantity === 0) continue
    const stop = at(exits.stop, asset)
    const target = at(exits.takeProfit, asset)
    let deal: Deal
    if (at(bar.low, asset) <= stop) {
      deal = sale(asset, quantity, Math.min(stop, at(bar.open, asset)), terms, 'stop')
    } else if (at(bar.high, asset) >= target) {
      deal = sale(asset, quantity, Math.max(target, at(bar.open, asset)), terms, 'take-profit')
    } else {
      continue
    }
    settle(book, deal)
    deals ??= []
    deals.push(deal)
  }
  return deals ?? NONE
}

/** Sells all that is held, as a rule of risk demands. Changes the book and answers what it did. */
export function sellAll(book: Book, prices: Float64Array, terms: Terms): readonly Deal[] {
  const deals: Deal[] = []
  for (let asset = 0; asset < prices.length; asset++) {
    const quantity = at(book.quantity, asset)
    if (quantity > 0) deals.push(sale(asset, quantity, at(prices, asset), terms, 'risk'))
  }
  settleAll(book, deals)
  return deals
}

/** Writes a deal into the book. */
export function settle(book: Book, deal: Deal): void {
  const value = deal.quantity * deal.price
  const held = at(book.quantity, deal.asset)
  if (deal.side === 'sell') {
    book.cash += value - deal.fee
    book.quantity[deal.asset] = Math.max(0, held - deal.quantity)
  } else {
    // What is missing after a purchase with the last of the cash is rounding.
    book.cash = Math.max(0, book.cash - value - deal.fee)
    book.quantity[deal.asset] = held + deal.quantity
  }
}

/** What was bought and sold together, in the quote currency. */
export function tradedIn(deals: readonly Deal[]): number {
  let traded = 0
  for (const deal of deals) traded += deal.quantity * deal.price
  return traded
}

function settleAll(book: Book, deals: readonly Deal[]): void {
  for (const deal of deals) settle(book, deal)
}

function sale(asset: number, quantity: number, seen: number, terms: Terms, reason: Deal['reason']): Deal {
  const price = seen * (1 - terms.slippage)
  const slippage = quantity * seen * terms.slippage
  return { asset, side: 'sell', quantity, price, fee: quantity * price * terms.fee, slippage, reason }
}

function purchase(asset: number, value: number, seen: number, terms: Terms): Deal {
  const quantity = value / seen
  const price = seen * (1 + terms.slippage)
  const slippage = value * terms.slippage
  return {
    asset,
    side: 'buy',
    quantity,
    price,
    fee: quantity * price * terms.fee,
    slippage,
    reason: 'target',
  }
}

/** How many units are held above a weight: all of them where the weight is 0, however few. */
function excess(
  book: Book,
  equity: number,
  prices: Float64Array,
  weights: Float64Array,
  terms: Terms,
  asset: number,
): number {
  const held = at(book.quantity, asset)
  const weight = at(weights, asset)
  if (weight === 0) return held
  const value = held * at(prices, asset) - weight * equity
  return value > terms.smallest * equity ? value / at(prices, asset) : 0
}

/** The worth of what is missing to a weight, or to the most that one asset may be. */
function shortfall(
  book: Book,
  equity: number,
  prices: Float64Array,
  weights: Float64Array,
  terms: Terms,
  asset: number,
): number {
  const weight = Math.min(at(weights, asset), terms.maximumPosition)
  const value = weight * equity - at(book.quantity, asset) * at(prices, asset)
  return value > terms.smallest * equity ? value : 0
}

function refuseBadWeights(weights: Float64Array): void {
  let sum = 0
  for (const weight of weights) {
    if (!(weight >= 0)) throw new RangeError(`A weight is ${weight}: it must be 0 or more.`)
    sum += weight
  }
  if (sum > 1 + ROUNDING) throw new RangeError(`The weights are ${sum} together: at most 1 can be held.`)
}
