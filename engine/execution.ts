import { at } from './at.ts'
import type { Costs, RiskRules } from './definition.ts'

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
}

const BASIS_POINTS = 10_000
/** What is less than this share of the equity is rounding: no deal is made of it. */
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
  const target = { weights, prices, equity: equityAt(book, prices), terms }
  const sales = dealsTowards(target, 'sell', book, allowance)
  settleAll(book, sales)
  const most = Math.min(book.cash / (1 + terms.fee), allowance - tradedIn(sales))
  const purchases = dealsTowards(target, 'buy', book, most)
  settleAll(book, purchases)
  if (sales.length === 0) return purchases
  return purchases.length === 0 ? sales : [...sales, ...purchases]
}

/** Weights of an equity at these prices. */
interface Target {
  readonly weights: Float64Array
  readonly prices: Float64Array
  readonly equity: number
  readonly terms: Terms
}

/** One side's deals that lead to a target, all smaller by the same share where together they would be worth more than `most`. */
function dealsTowards(target: Target, side: Deal['side'], book: Book, most: number): readonly Deal[] {
  const { prices, equity, terms } = target
  let wanted = 0
  for (let asset = 0; asset < prices.length; asset++) {
    wanted += lacking(target, side, book, asset) * dealtAt(at(prices, asset), side, terms)
  }
  if (wanted <= 0) return NONE
  const share = wanted > most ? Math.max(0, most) / wanted : 1
  // The last of an asset is sold, however little it is.
  const least = side === 'sell' ? 0 : ROUNDING * equity
  const deals: Deal[] = []
  for (let asset = 0; asset < prices.length; asset++) {
    const quantity = share * lacking(target, side, book, asset)
    const seen = at(prices, asset)
    if (quantity * seen > least) deals.push(dealOf(asset, side, quantity, seen, terms, 'target'))
  }
  return deals
}

/**
 * How many units must be bought, or sold, for an asset to be its weight: 0 where it is the other side's. No more is bought than the
 * most that one asset may be; where the weight is 0 all of it is sold.
 */
function lacking(
  { weights, prices, equity, terms }: Target,
  side: Deal['side'],
  book: Book,
  asset: number,
): number {
  const held = at(book.quantity, asset)
  const weight = at(weights, asset)
  if (side === 'sell' && weight === 0) return held
  const price = at(prices, asset)
  const value =
    side === 'sell'
      ? held * price - weight * equity
      : Math.min(weight, terms.maximumPosition) * equity - held * price
  return value > ROUNDING * equity ? value / price : 0
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
      deal = dealOf(asset, 'sell', quantity, Math.min(stop, at(bar.open, asset)), terms, 'stop')
    } else if (at(bar.high, asset) >= target) {
      deal = dealOf(asset, 'sell', quantity, Math.max(target, at(bar.open, asset)), terms, 'take-profit')
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
    if (quantity > 0) deals.push(dealOf(asset, 'sell', quantity, at(prices, asset), terms, 'risk'))
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

function dealOf(
  asset: number,
  side: Deal['side'],
  quantity: number,
  seen: number,
  terms: Terms,
  reason: Deal['reason'],
): Deal {
  const price = dealtAt(seen, side, terms)
  const slippage = quantity * seen * terms.slippage
  return { asset, side, quantity, price, fee: quantity * price * terms.fee, slippage, reason }
}

/** The price seen, made worse by the slippage. */
function dealtAt(seen: number, side: Deal['side'], { slippage }: Terms): number {
  return seen * (side === 'buy' ? 1 + slippage : 1 - slippage)
}

function refuseBadWeights(weights: Float64Array): void {
  let sum = 0
  for (const weight of weights) {
    if (!(weight >= 0)) throw new RangeError(`A weight is ${weight}: it must be 0 or more.`)
    sum += weight
  }
  if (sum > 1 + ROUNDING) throw new RangeError(`The weights are ${sum} together: at most 1 can be held.`)
}
