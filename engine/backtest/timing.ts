import { at } from '../at.ts'
import { newBook, settle } from '../execution.ts'
import type { Market } from '../market/market.ts'
import type { Run } from '../run.ts'

/** Differences of ratios below this are rounding. */
const ROUNDING = 1e-12
const FEWEST_BARS = 30

/**
 * A permutation test of market timing: the share of all shifts in time that are at least as good as the rule itself. The invested
 * share of each bar is multiplied by the market's return of that bar, and the Sharpe ratio of these products is compared with the
 * ratios after moving the invested shares 1, 2, … bars along the same returns, in a circle. A shift keeps how much the rule invests and for how
 * long, and takes away when. A rule without timing is at about 0.5. (Circular shifts as in D. N. Politis and J. P. Romano, A
 * Circular Block-Resampling Procedure for Stationary Data, 1992; the question is that of R. D. Henriksson and R. C. Merton, On Market
 * Timing and Investment Performance, Journal of Business 54, 1981.)
 *
 * Both columns have one value per bar. Costs are left out, since a shift changes none. Null below 30 bars, and if the invested
 * share never changes.
 */
export function computeTimingChance(invested: Float64Array, returns: Float64Array): number | null {
  const bars = invested.length
  if (bars < FEWEST_BARS || invested.every((share) => share === invested[0])) return null
  // Twice in a row, so that a shift needs no modulo.
  const circle = new Float64Array(2 * bars)
  circle.set(invested)
  circle.set(invested, bars)
  const own = computeShiftedRatio(circle, returns, 0)
  let asGood = 1
  for (let shift = 1; shift < bars; shift++)
    if (computeShiftedRatio(circle, returns, shift) >= own - ROUNDING) asGood++
  return asGood / bars
}

/** Mean / deviation of the products; 0 without a deviation. */
function computeShiftedRatio(circle: Float64Array, returns: Float64Array, shift: number): number {
  const bars = returns.length
  let sum = 0
  let squares = 0
  for (let bar = 0; bar < bars; bar++) {
    const earned = at(circle, bar + shift) * at(returns, bar)
    sum += earned
    squares += earned * earned
  }
  const mean = sum / bars
  const variance = squares / bars - mean * mean
  return variance > 1e-18 ? mean / Math.sqrt(variance) : 0
}

/** The invested share of the equity after the trades at each open, from a run's first bar on. */
export function computeInvestedShares(
  { from, startingCash, fills, time }: Run,
  market: Market,
): Float64Array {
  const assets = market.candles.length
  const book = newBook(startingCash, assets)
  const prices = new Float64Array(assets)
  const shares = new Float64Array(time.length)
  let next = 0
  for (let bar = 0; bar < market.time.length; bar++) {
    const isAtOpen = ({ reason }: Run['fills'][number]) => reason === 'target' || reason === 'risk'
    for (let fill = fills[next]; fill?.bar === bar && isAtOpen(fill); fill = fills[++next]) settle(book, fill)
    let invested = 0
    for (let asset = 0; asset < assets; asset++) {
      const { open, close } = market.candles[asset] as Market['candles'][number]
      if (!Number.isNaN(open[bar])) prices[asset] = at(open, bar)
      invested += at(book.quantity, asset) * at(prices, asset)
      if (!Number.isNaN(close[bar])) prices[asset] = at(close, bar)
    }
    if (bar >= from) shares[bar - from] = invested / (book.cash + invested)
    for (let fill = fills[next]; fill?.bar === bar; fill = fills[++next]) settle(book, fill)
  }
  return shares
}

/**
 * The market's return in each bar from `from` on: the mean of its assets, from close to close. An asset counts from its second bar. On
 * a day without its bar it returns 0.
 */
export function computeMarketReturns({ time, candles }: Market, from: number): Float64Array {
  const returns = new Float64Array(time.length - from)
  const last = new Float64Array(candles.length).fill(Number.NaN)
  for (let bar = 0; bar < time.length; bar++) {
    let sum = 0
    let known = 0
    for (const [asset, { close }] of candles.entries()) {
      const [price, former] = [at(close, bar), at(last, asset)]
      if (!Number.isNaN(former)) known++
      if (Number.isNaN(price)) continue
      if (!Number.isNaN(former)) sum += price / former - 1
      last[asset] = price
    }
    if (bar >= from && known > 0) returns[bar - from] = sum / known
  }
  return returns
}
