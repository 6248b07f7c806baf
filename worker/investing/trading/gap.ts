import * as z from 'zod/mini'
import type { Costs } from '../../../engine/definition.ts'
import { GAP_PARTS, type GapParts } from '../../../src/contract/investing/gapParts.ts'
import { sum } from '../../../src/contract/numbers.ts'
import { QUANTITY_SCALE } from './amounts.ts'
import { computeSideCosts } from './broker.ts'

/**
 * Explains why a day differs from its test. "Live" is a unit's return from close to close, "test" the model's return. Both follow
 * the same definition and bars, so their difference has causes, which are computed one by one. The method is Perold's
 * implementation shortfall (A. F. Perold, "The Implementation Shortfall: Paper Versus Reality", Journal of Portfolio Management 14
 * (3), 1988): a real portfolio is compared with one on paper that trades at the price of the decision, and the difference is split
 * into delay (price), execution (slippage), fees, and untraded quantities (cash drag).
 */

/** The model on the day, valued in its own money: at the close before, at the open before and after its trades, at the close. */
export interface TestedDay {
  readonly before: number
  readonly opened: number
  readonly traded: number
  readonly closed: number
  /** Of its trades at the open, and of its sales by stops within the day. */
  readonly atOpen: { readonly fees: number; readonly slippage: number }
  readonly atExits: { readonly fees: number; readonly slippage: number }
  /** The invested share at the open, before and after its trades. */
  readonly invested: { readonly before: number; readonly after: number }
}

/** Whether the strategy was with its rules overnight, and from the open on. Otherwise it is suspended and in cash. */
export interface FollowedMoves {
  readonly overnight: boolean
  readonly today: boolean
}

/** A unit's day: its recorded prices in micro-USD, and the prices without a cap, as if the pool could always pay. */
export interface UnitDay {
  readonly before: number
  readonly open: number
  readonly uncappedOpen: number
  readonly close: number
  readonly uncappedClose: number
}

/** A difference of returns and its parts, as shares: 0.0001 is a basis point. `capped` is not explained yet. */
export interface UnitGap {
  readonly live: number
  readonly test: number
  readonly parts: GapParts
  /** The fall of the price because the pool could not pay more. Negative or 0. */
  readonly capped: number
}

export const gapParts = z.record(z.enum(GAP_PARTS), z.number())

/** Smaller invested shares are cash, as in a valuation's weights. */
const INVESTED = 1e-6

/**
 * Splits a unit's live return minus its test's. The test's return is changed into the live one cause by cause, and each part is what
 * its change did: first the days in cash (missed), then the trading of a suspension or a resumption (slippage, fees), then the cap.
 * Prices are whole micro-USD, and a close follows from two or three rounded steps. So `rounding` is the rest if it is within these
 * steps, and what exceeds them is `unexplained`.
 */
export function splitUnitGap(
  unit: UnitDay,
  tested: TestedDay,
  following: FollowedMoves,
  costs: Costs,
): UnitGap {
  const { before, open, close } = unit
  const parts = createEmptyParts()
  const testedPrice = (before * tested.closed) / tested.before
  let price =
    before *
    (following.overnight ? tested.opened / tested.before : 1) *
    (following.today ? tested.closed / tested.opened : 1)
  parts.missed = price - testedPrice
  const { slippage, all } = computeSwitchingFactors(tested, following, costs)
  parts.slippage = price * slippage - price
  parts.fees = price * all - price * slippage
  price *= all
  const capped = price * (open / unit.uncappedOpen) * (close / unit.uncappedClose) - price
  const rest = close - price - capped
  const most = 3 * Math.max(1, close / open) + before * 1e-11
  parts.rounding = clamp(rest, most)
  parts.unexplained = rest - parts.rounding
  return {
    live: close / before - 1,
    test: tested.closed / tested.before - 1,
    parts: computeScaledParts(parts, 1 / before),
    capped: capped / before,
  }
}

/** What selling everything (a suspension) or buying everything (a resumption) leaves of a unit: after slippage, and after all costs. */
function computeSwitchingFactors(
  { opened, traded, atOpen, invested }: TestedDay,
  following: FollowedMoves,
  costs: Costs,
): { slippage: number; all: number } {
  const slippage = costs.slippageBasisPoints / 10_000
  const { buying, selling } = computeSideCosts(costs)
  if (following.overnight && !following.today)
    return { slippage: 1 - slippage * invested.before, all: 1 - selling * invested.before }
  if (following.overnight || !following.today || invested.before < INVESTED) return { slippage: 1, all: 1 }
  // The pool buys everything, in place of the test's trades.
  return {
    slippage: opened / (opened - atOpen.slippage) / (1 + slippage * invested.after),
    all: opened / traded / (1 + buying * invested.after),
  }
}

/** A trade of the pool. Quantities in 10⁻⁸, prices in USD, money in micro-USD. */
export interface GapFill {
  /** The asset's index in the definition. */
  readonly asset: number
  readonly side: 'buy' | 'sell'
  readonly quantity: number
  readonly price: number
  readonly fee: number
  /** The change of the pool's cash, with the fee. */
  readonly cash: number
  /** The price that the test trades at: the day's open, or the price of a stop. */
  readonly tested: number
  /** The price when the order was sent: the middle of the exchange's book. On paper the price of the test. */
  readonly reference: number
  /** It was sent long after it was due. */
  readonly isLate: boolean
}

/** The unfilled rest of an order that waited and was given up. Quantity in 10⁻⁸, `tested` as of a trade. */
export interface GapRest extends Pick<GapFill, 'asset' | 'side' | 'quantity' | 'tested'> {}

/** The units that investors bought, sold or paid fees with, of one kind. */
export interface GapFlow {
  readonly code: 'issue' | 'redeem' | 'fee'
  readonly count: number
  /** Negative for sales. 10⁻⁶. */
  readonly units: number
  readonly cents: number
  /** Micro-USD per unit, with the costs that the order pays. */
  readonly price: number
}

/** A pool's day. Money in micro-USD, quantities in 10⁻⁸, prices in USD by asset. */
export interface PoolDay {
  readonly before: { readonly net: number; readonly cash: number; readonly quantity: readonly number[] }
  /** The net value at the close, without the company's payments for the pool. */
  readonly net: number
  /** The unit price at the open, without the costs of an order. */
  readonly unitPrice: number
  readonly opens: Float64Array
  readonly closes: Float64Array
  readonly fills: readonly GapFill[]
  readonly rests: readonly GapRest[]
  readonly flows: readonly GapFlow[]
}

/** A pool's result minus the test's on the same money, in micro-USD. */
export const poolGap = z.object({
  /** The money that worked: shares of the day are counted of it. */
  base: z.number(),
  difference: z.number(),
  parts: gapParts,
})
export type PoolGap = z.output<typeof poolGap>

/** A pool with less than a cent is empty, in micro-USD. */
export const EMPTY = 10_000
const MICRO_A_CENT = 10_000

/**
 * Splits a pool's gain on a day minus the test's gain on the same money. Let a and b be the test's growth overnight and from open
 * to close. Money V₀ of the close before becomes V₀·a at the open, where orders of investors add F − C: their payments, F, without
 * the trading costs that they include, C. The test turns that into (V₀·a + F − C)·b, and the pool has V₁:
 *
 *     difference = V₁ − (V₀·a + F − C)·b
 *
 * For a trade of quantity q (negative for a sale) at the price x, with the test's price p and the reference r:
 *
 *     price = −Σ q·(r − p), of orders sent in time; of late ones it is part of `missed`
 *     slippage = −Σ q·(x − r) + the test's slippage on this money + the slippage in C
 *     fees = −Σ fee + the test's fees on this money + the fees in C
 *     cash drag = gains of the pool's own holdings at the test's prices minus those of the test's holdings
 *
 * The missed gain on the rest of an order that waited too long is part of `missed` instead of the cash drag. For the rest of an
 * order that found no counterparty in time, it is cash drag.
 *
 * While the strategy is suspended its holdings and the test's costs count as `missed` instead. Each cause is computed by itself.
 * `rounding` is the rest within the sum of what whole micro-USD, units and an exchange's own rounding can make; what exceeds it is
 * `unexplained`. Null for an empty pool.
 */
export function splitPoolGap(
  pool: PoolDay,
  tested: TestedDay,
  following: FollowedMoves,
  costs: Costs,
): PoolGap | null {
  const { before, fills, rests, flows, opens, closes } = pool
  const overnight = tested.opened / tested.before
  const today = tested.closed / tested.opened
  const paid = sumCostsPaid(flows, pool.unitPrice, costs)
  const expected = before.net * overnight
  const working = expected + paid.flow - paid.costs
  const base = Math.max(before.net, working)
  if (!(base >= EMPTY)) return null
  const scale = working / tested.opened
  const atTest = {
    fees: scale * (tested.atOpen.fees + tested.atExits.fees),
    slippage: scale * (tested.atOpen.slippage + tested.atExits.slippage),
    // What its holdings earned, before its costs.
    gain: 0,
  }
  atTest.gain = working * (today - 1) + atTest.fees + atTest.slippage

  const traded = fills.map((fill) => computeFillCost(fill, getPrice(closes, fill.asset)))
  const sumTraded = (read: (cost: FillCost) => number) => sum(traded.map(read))
  const valueHoldings = (prices: Float64Array) =>
    before.quantity.reduce(
      (total, quantity, asset) => total + computeWorth(quantity, getPrice(prices, asset)),
      0,
    )
  const drift = before.cash + valueHoldings(opens) - expected
  const dayDrift = valueHoldings(closes) - valueHoldings(opens) + sumTraded(({ gain }) => gain) - atTest.gain

  const parts = createEmptyParts()
  parts.price = -sumTraded(({ price, isLate }) => (isLate ? 0 : price))
  // The test's gain on the rests until the close, which the pool missed.
  const waited = rests.reduce(
    (total, { asset, side, quantity, tested: price }) =>
      total + (side === 'buy' ? 1 : -1) * computeWorth(quantity, getPrice(closes, asset) - price),
    0,
  )
  parts.missed = -sumTraded(({ price, isLate }) => (isLate ? price : 0)) - waited
  parts.slippage = paid.slippage - sumTraded(({ slippage }) => slippage)
  parts.fees = paid.fees - sumTraded(({ fee }) => fee)
  parts[following.overnight ? 'cashDrag' : 'missed'] += drift
  parts[following.today ? 'cashDrag' : 'missed'] += dayDrift + waited
  parts[following.today ? 'slippage' : 'missed'] += atTest.slippage
  parts[following.today ? 'fees' : 'missed'] += atTest.fees

  const difference = pool.net - working * today
  const rest = difference - sumParts(parts)
  const grown = Math.max(1, overnight) * Math.max(1, today)
  // Each valuation rounds the value of each asset down, and takes its price to 10⁻⁹.
  const valued = sum(before.quantity.map((quantity) => 2 * (1 + quantity * NANO_EACH)))
  const most = sumTraded(({ rounding }) => rounding) + (valued + 2) * grown + base * 1e-10
  parts.rounding = paid.rounding + clamp(rest - paid.rounding, most)
  parts.unexplained = rest - parts.rounding
  return { base, difference, parts }
}

/** What investors' orders brought, and which costs of trading are in it. */
function sumCostsPaid(flows: readonly GapFlow[], unitPrice: number, costs: Costs) {
  const slippage = costs.slippageBasisPoints / 10_000
  const { buying, selling } = computeSideCosts(costs)
  const total = { flow: 0, costs: 0, slippage: 0, fees: 0, rounding: 0 }
  for (const { code, count, units, cents, price } of flows) {
    const flow = (code === 'issue' ? cents : -cents) * MICRO_A_CENT
    const paid = flow - (units * unitPrice) / 1e6
    const charged = (Math.abs(units) * Math.abs(price - unitPrice)) / 1e6
    const rate = code === 'issue' ? buying : selling
    const slipped = rate > 0 ? charged * (slippage / rate) : 0
    total.flow += flow
    total.costs += paid
    total.slippage += slipped
    total.fees += charged - slipped
    // Cents and units are whole: an order may be off by one of each.
    total.rounding += clamp(paid - charged, count * (MICRO_A_CENT + price / 1e6 + 1))
  }
  return total
}

/** The costs of a trade compared with its test, and its gain from the test's price to the close. */
interface FillCost {
  readonly price: number
  readonly slippage: number
  readonly fee: number
  readonly gain: number
  /** How far the booked money may be from quantity times price. */
  readonly rounding: number
  readonly isLate: boolean
}

function computeFillCost(fill: GapFill, close: number): FillCost {
  const { side, quantity, price, fee, cash, tested, reference, isLate } = fill
  const sign = side === 'buy' ? 1 : -1
  const computeSignedWorth = (assetPrice: number) => sign * computeWorth(quantity, assetPrice)
  // A fee that an exchange took in coins: they were paid for and did not arrive.
  const taken = side === 'buy' ? -cash - fee - computeWorth(quantity, price) : 0
  // The trade itself, and its holding until the close.
  const rounding = MOST_ROUNDED + 2 * quantity * NANO_EACH
  return {
    price: computeSignedWorth(reference - tested),
    slippage: computeSignedWorth(price - reference),
    fee: fee + (taken > rounding ? taken : 0),
    gain: computeSignedWorth(close - tested),
    rounding,
    isLate,
  }
}

/** Kraken's ledger has four decimals for the value and the fee of a trade, and we round both to micro-USD. */
const MOST_ROUNDED = 110
/** What 10⁻⁹ USD in the price of a coin is for 10⁻⁸ of it, in micro-USD. */
const NANO_EACH = 1e-3 / QUANTITY_SCALE

/** A pool's gain or loss by part that its unit price has not shown yet, in micro-USD. Negative: a loss. */
export type CarriedParts = GapParts

/** A cap lowers a price in steps of a ten-thousandth. */
const STEP = 1e-4

/**
 * Explains a capped price. The cap lowers the price when the pool's own losses have used up its reserve, also those of earlier days.
 * So these are carried until the price shows them, and each basis point of the cap goes to the part with the largest loss that was
 * not shown yet. Whole steps on purpose: exact shares would tell more about the pool's trades than the price does
 * (docs/decisions/0028). Without any such loss the step is `unexplained`.
 * @param worthOfUnits all units at the price before the day, in micro-USD
 */
export function splitCappedGap(
  { capped, parts }: Pick<UnitGap, 'capped' | 'parts'>,
  pool: PoolGap | null,
  carried: CarriedParts,
  worthOfUnits: number,
): { readonly parts: GapParts; readonly carried: CarriedParts } {
  const shown = { ...parts }
  const left = createEmptyParts()
  if (pool !== null)
    for (const part of GAP_PARTS) left[part] = carried[part] + pool.parts[part] - parts[part] * worthOfUnits
  for (let rest = -capped; rest > 0; rest -= STEP) {
    const step = Math.min(STEP, rest)
    const worst = GAP_PARTS.reduce((most, part) => (left[part] < left[most] ? part : most))
    const cause = left[worst] < 0 ? worst : 'unexplained'
    shown[cause] -= step
    left[cause] += step * worthOfUnits
  }
  return { parts: shown, carried: pool === null ? createEmptyParts() : left }
}

export type Parts = { -readonly [Part in keyof GapParts]: number }

export function createEmptyParts(): Parts {
  return { price: 0, slippage: 0, fees: 0, cashDrag: 0, missed: 0, rounding: 0, unexplained: 0 }
}

export function sumParts(parts: GapParts): number {
  return sum(GAP_PARTS.map((part) => parts[part]))
}

function computeScaledParts(parts: GapParts, by: number): Parts {
  const result = createEmptyParts()
  for (const part of GAP_PARTS) result[part] = parts[part] * by
  return result
}

/** The value of a quantity, in micro-USD, not rounded. */
function computeWorth(quantity: number, price: number): number {
  return (quantity / QUANTITY_SCALE) * price * 1e6
}

function clamp(value: number, most: number): number {
  return Math.max(-most, Math.min(most, value))
}

function getPrice(prices: Float64Array, asset: number): number {
  return prices[asset] ?? 0
}
