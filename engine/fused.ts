import { at } from './at.ts'
import type { Candles } from './candles.ts'
import type { Costs } from './costs.ts'
import { termsOf } from './execution.ts'
import { Sma } from './indicators/sma.ts'
import { MarketError } from './marketError.ts'
import type { RiskRules } from './riskRules.ts'
import type { Summary } from './summary.ts'

export interface FusedOptions {
  readonly startingCash: number
  readonly costs: Costs
  readonly costMultiple?: number
  readonly risk?: Omit<RiskRules, 'dailyTurnover'>
  /** As in a run: the first bar at whose open it may trade, where that is to be later than the warm-up demands. */
  readonly from?: number
}

/** Averages nearer to each other than this share of them are computed anew without rounding. */
const NEAR = 1e-7
/** The running sums are begun anew after so many bars: what rounding gathers in them until then is far less than that share. */
const FRESH_AFTER = 8_192

/**
 * What `run` with the sma-trend strategy over one asset would come to, in one pass over the columns that keeps no equity, fills or
 * trades: made for trying hundreds of values. Its figures agree with those of the run to a billionth.
 * Refuses a market that ends before the warm-up does.
 */
export function fusedSmaTrend(
  candles: Candles,
  { fast, slow }: { readonly fast: number; readonly slow: number },
  options: FusedOptions,
): Summary {
  const { open, close } = candles
  const { startingCash } = options
  const length = close.length
  const from = Math.max(fast, slow, options.from ?? 0)
  if (from >= length) {
    throw new MarketError('too-short', `The market has ${length} bars; trading would begin after ${from}.`)
  }
  const keep = 1 - (options.risk?.maximumDrawdown ?? Number.POSITIVE_INFINITY)
  const terms = termsOf(options.costs, options.risk ?? {}, options.costMultiple)
  const paid = (1 + terms.slippage) * (1 + terms.fee)
  const got = (1 - terms.slippage) * (1 - terms.fee)
  const share = Math.min(1 / paid, terms.maximumPosition)

  let cash = startingCash
  let quantity = 0
  let equity = cash
  let peak = cash
  let depth = 0
  // Equity below this is a deeper fall than any before.
  let lowest = peak
  let sum = 0
  let squares = 0
  let trades = 0
  let stoppedAt: number | null = null

  // The slow average is over so many times as many closes.
  const ratio = slow / fast
  let near = 0
  let far = 0
  let wants = isAbove(close, from - 1, fast, slow)
  let bar = from
  let fresh = from
  while (bar < length && stoppedAt === null) {
    if (bar === fresh) {
      near = sumOf(close, bar - 1, fast)
      far = sumOf(close, bar - 1, slow)
      fresh = Math.min(length, fresh + FRESH_AFTER)
    }
    let end = fresh
    if (wants && quantity === 0) {
      const worth = cash * share
      quantity = worth / at(open, bar)
      cash = Math.max(0, cash - worth * paid)
      trades++
    } else if (!wants && quantity > 0) {
      cash += quantity * at(open, bar) * got
      quantity = 0
      end = bar + 1
    }
    // Two loops, so that neither asks at each bar whether anything is held; the first also takes the bar of a sale. Each goes on
    // while the averages are clearly on the side that it is for.
    let isClear = true
    if (quantity > 0 || end === bar + 1) {
      for (; isClear && bar < end; bar++) {
        const price = at(close, bar)
        const value = cash + quantity * price
        const gain = value / equity - 1
        equity = value
        sum += gain
        squares += gain * gain
        if (value > peak) {
          peak = value
          lowest = peak * (1 + depth)
        } else if (value < lowest) {
          lowest = value
          depth = value / peak - 1
          if (value <= peak * keep) {
            stoppedAt = bar
            break
          }
        }
        near += price - at(close, bar - fast)
        far += price - at(close, bar - slow)
        isClear = near * ratio - far > NEAR * far
      }
    } else {
      for (; isClear && bar < end; bar++) {
        const price = at(close, bar)
        near += price - at(close, bar - fast)
        far += price - at(close, bar - slow)
        isClear = far - near * ratio > NEAR * far
      }
    }
    const apart = near * ratio - far
    wants = Math.abs(apart) > NEAR * far ? apart > 0 : isAbove(close, bar - 1, fast, slow)
  }

  if (stoppedAt !== null && stoppedAt + 1 < length && quantity > 0) {
    const value = cash + quantity * at(open, stoppedAt + 1) * got
    const gain = value / equity - 1
    equity = value
    sum += gain
    squares += gain * gain
    depth = Math.min(depth, value / peak - 1)
  }
  const bars = length - from
  const mean = sum / bars
  return {
    from,
    bars,
    finalEquity: equity,
    maximumDrawdown: depth,
    mean,
    deviation: bars < 2 ? null : Math.sqrt(Math.max(0, squares - bars * mean * mean) / (bars - 1)),
    trades,
    stoppedAt,
  }
}

/** Whether the fast average is above the slow one, by the very figures that the strategy compares. */
function isAbove(close: Float64Array, last: number, fast: number, slow: number): boolean {
  return averageOf(close, last, fast) > averageOf(close, last, slow)
}

function averageOf(values: Float64Array, last: number, count: number): number {
  const average = new Sma(count)
  let current = Number.NaN
  for (let i = last - count + 1; i <= last; i++) current = average.push(at(values, i))
  return current
}

function sumOf(values: Float64Array, last: number, count: number): number {
  let sum = 0
  for (let i = last - count + 1; i <= last; i++) sum += at(values, i)
  return sum
}
