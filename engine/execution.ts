import { at } from './at.ts'
import type { Costs, RiskRules } from './definition.ts'

/** Cash in the quote currency, and units per asset. Never below 0. */
export interface Book {
  cash: number
  readonly quantity: Float64Array
}

/** A purchase or sale of one asset. */
export interface Deal {
  /** The asset's index in the market. */
  readonly asset: number
  readonly side: 'buy' | 'sell'
  /** In units of the asset. */
  readonly quantity: number
  /** Price per unit including slippage, in the quote currency. */
  readonly price: number
  readonly fee: number
  /** The loss to slippage, in the quote currency. */
  readonly slippage: number
  readonly reason: 'target' | 'stop' | 'take-profit' | 'risk'
}

/** Trading costs and limits. Shares, not basis points. */
export interface Terms {
  readonly fee: number
  readonly slippage: number
  /** The largest share of one asset after a purchase; 1 without a limit. */
  readonly maximumPosition: number
}

const BASIS_POINTS = 10_000
/** Amounts below this share of the equity are rounding and are not traded. */
const ROUNDING = 1e-9
const NONE: readonly Deal[] = []

export function newBook(cash: number, assets: number): Book {
  return { cash, quantity: new Float64Array(assets) }
}

export function deriveTerms(costs: Costs, risk: RiskRules, costMultiple = 1): Terms {
  return {
    fee: (costs.feeBasisPoints / BASIS_POINTS) * costMultiple,
    slippage: (costs.slippageBasisPoints / BASIS_POINTS) * costMultiple,
    maximumPosition: risk.maximumPosition ?? 1,
  }
}

/** The value of cash and holdings at these prices. */
export function computeEquity(book: Book, prices: Float64Array): number {
  let equity = book.cash
  for (let asset = 0; asset < prices.length; asset++) {
    equity += at(book.quantity, asset) * at(prices, asset)
  }
  return equity
}

/**
 * Trades towards the target weights at these prices: first sales, then purchases as far as the cash covers them with
 * fees and slippage. If it does not, all purchases shrink by the same factor. `allowance` caps the traded value, in the
 * quote currency; sales use it first. `canTrade` has a 0 for each asset that is left as it is. Mutates the book and returns
 * the deals.
 */
export function fillToWeights(
  book: Book,
  prices: Float64Array,
  weights: Float64Array,
  terms: Terms,
  allowance = Number.POSITIVE_INFINITY,
  canTrade?: Uint8Array,
): readonly Deal[] {
  refuseBadWeights(weights)
  const target = { weights, prices, equity: computeEquity(book, prices), terms, canTrade }
  const sales = planDeals(target, 'sell', book, allowance)
  settleAll(book, sales)
  const most = Math.min(book.cash / (1 + terms.fee), allowance - sumTraded(sales))
  const purchases = planDeals(target, 'buy', book, most)
  settleAll(book, purchases)
  if (sales.length === 0) return purchases
  return purchases.length === 0 ? sales : [...sales, ...purchases]
}

/** Target weights, with the equity and prices they apply to. */
interface Target {
  readonly weights: Float64Array
  readonly prices: Float64Array
  readonly equity: number
  readonly terms: Terms
  readonly canTrade: Uint8Array | undefined
}

/** One side's deals towards a target, all scaled by the same factor if together they exceed `most`. */
function planDeals(target: Target, side: Deal['side'], book: Book, most: number): readonly Deal[] {
  const { prices, equity, terms } = target
  let wanted = 0
  for (let asset = 0; asset < prices.length; asset++) {
    wanted +=
      computeMissingQuantity(target, side, book, asset) *
      computeExecutionPrice(at(prices, asset), side, terms)
  }
  if (wanted <= 0) return NONE
  const share = wanted > most ? Math.max(0, most) / wanted : 1
  // The rest of an asset is sold, however small.
  const least = side === 'sell' ? 0 : ROUNDING * equity
  const deals: Deal[] = []
  for (let asset = 0; asset < prices.length; asset++) {
    const quantity = share * computeMissingQuantity(target, side, book, asset)
    const seen = at(prices, asset)
    if (quantity * seen > least) deals.push(createDeal(asset, side, quantity, seen, terms, 'target'))
  }
  return deals
}

/**
 * The units to buy or sell for an asset to reach its weight; 0 for the other side. Purchases respect the position
 * limit; a weight of 0 sells everything.
 */
function computeMissingQuantity(
  { weights, prices, equity, terms, canTrade }: Target,
  side: Deal['side'],
  book: Book,
  asset: number,
): number {
  if (canTrade?.[asset] === 0) return 0
  const holding = at(book.quantity, asset)
  const weight = at(weights, asset)
  if (side === 'sell' && weight === 0) return holding
  const price = at(prices, asset)
  const value =
    side === 'sell'
      ? holding * price - weight * equity
      : Math.min(weight, terms.maximumPosition) * equity - holding * price
  return value > ROUNDING * equity ? value / price : 0
}

/**
 * Executes stops and profit targets within a bar. A bar does not show the order of its prices, so if it reaches both,
 * the stop counts. If a bar opens beyond one, the sale is at the open: worse than the stop, better than the target.
 * Mutates the book and returns the deals.
 */
export function applyExits(
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
      deal = createDeal(asset, 'sell', quantity, Math.min(stop, at(bar.open, asset)), terms, 'stop')
    } else if (at(bar.high, asset) >= target) {
      deal = createDeal(asset, 'sell', quantity, Math.max(target, at(bar.open, asset)), terms, 'take-profit')
    } else {
      continue
    }
    settle(book, deal)
    deals ??= []
    deals.push(deal)
  }
  return deals ?? NONE
}

/** Sells all holdings that can be traded, for a risk limit. Mutates the book and returns the deals. */
export function sellAll(
  book: Book,
  prices: Float64Array,
  terms: Terms,
  canTrade?: Uint8Array,
): readonly Deal[] {
  const deals: Deal[] = []
  for (let asset = 0; asset < prices.length; asset++) {
    const quantity = at(book.quantity, asset)
    if (quantity > 0 && canTrade?.[asset] !== 0)
      deals.push(createDeal(asset, 'sell', quantity, at(prices, asset), terms, 'risk'))
  }
  settleAll(book, deals)
  return deals
}

export function settle(book: Book, deal: Deal): void {
  const value = deal.quantity * deal.price
  const holding = at(book.quantity, deal.asset)
  if (deal.side === 'sell') {
    book.cash += value - deal.fee
    book.quantity[deal.asset] = Math.max(0, holding - deal.quantity)
  } else {
    // Spending the last of the cash can leave a negative rounding error.
    book.cash = Math.max(0, book.cash - value - deal.fee)
    book.quantity[deal.asset] = holding + deal.quantity
  }
}

/** The total value of purchases and sales, in the quote currency. */
export function sumTraded(deals: readonly Deal[]): number {
  let traded = 0
  for (const deal of deals) traded += deal.quantity * deal.price
  return traded
}

function settleAll(book: Book, deals: readonly Deal[]): void {
  for (const deal of deals) settle(book, deal)
}

function createDeal(
  asset: number,
  side: Deal['side'],
  quantity: number,
  seen: number,
  terms: Terms,
  reason: Deal['reason'],
): Deal {
  const price = computeExecutionPrice(seen, side, terms)
  const slippage = quantity * seen * terms.slippage
  return { asset, side, quantity, price, fee: quantity * price * terms.fee, slippage, reason }
}

/** The price including slippage. */
function computeExecutionPrice(seen: number, side: Deal['side'], { slippage }: Terms): number {
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
