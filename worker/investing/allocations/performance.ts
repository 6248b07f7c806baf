import { DAY_MS } from '../../../engine/metrics/dailyEquity.ts'
import { moneyWeightedReturn, xirr } from '../../../engine/metrics/moneyWeighted.ts'
import { timeWeightedReturn } from '../../../engine/metrics/returns.ts'
import type { PositionDay } from '../../../src/contract/investing/allocations.ts'
import { usdOf } from '../../../src/contract/money.ts'
import { valueCents } from '../../ledger/units.ts'
import { isoDay } from '../../lib/days.ts'

const DAYS_A_YEAR = 365

/** A movement of units, with the unit price of that day’s open and what they cost or brought. */
export interface Moved {
  readonly code: 'issue' | 'redeem' | 'fee'
  /** Millionths. */
  readonly units: number
  /** Micro-USD for one. */
  readonly unitPrice: number
  readonly cents: number
  readonly day: number
}

export interface Performance {
  readonly twr: number | null
  readonly moneyWeighted: number | null
  readonly xirr: number | null
}

const UNKNOWN: Performance = { twr: null, moneyWeighted: null, xirr: null }

/**
 * The returns of a position, from its movements and the price now. Both returns include the costs of entering and leaving.
 * A fee is not money paid out but lost value.
 */
export function performanceOf(
  moved: readonly Moved[],
  now: { readonly unitPrice: number; readonly atMs: number },
): Performance {
  const first = moved[0]
  if (first === undefined) return UNKNOWN
  let units = 0
  const valued: { value: number; flow: number }[] = []
  const flows: { day: number; amount: number }[] = []
  for (const { code, units: change, unitPrice, cents, day } of moved) {
    const before = worthOf(units, unitPrice)
    units += change
    const after = worthOf(units, unitPrice)
    if (code === 'issue') valued.push({ value: before, flow: cents })
    // The cost of leaving belongs to the period that it ends.
    else valued.push({ value: after + (code === 'redeem' ? cents : 0), flow: code === 'redeem' ? -cents : 0 })
    if (code !== 'fee') flows.push({ day: day / DAY_MS, amount: code === 'issue' ? -cents : cents })
  }
  const last = moved.at(-1)
  const endMs = units === 0 ? (last?.day ?? now.atMs) : now.atMs
  const days = (endMs - first.day) / DAY_MS
  if (days < 1) return UNKNOWN
  if (units > 0) {
    const value = worthOf(units, now.unitPrice)
    valued.push({ value, flow: 0 })
    flows.push({ day: endMs / DAY_MS, amount: value })
  }
  return {
    twr: rounded(timeWeightedReturn(valued)),
    moneyWeighted: rounded(moneyWeightedReturn(flows)),
    xirr: days < DAYS_A_YEAR ? null : rounded(xirr(flows)),
  }
}

/** In cents, not rounded. */
function worthOf(units: number, unitPrice: number): number {
  return (units / 1e6) * (unitPrice / 1e4)
}

function rounded(share: number | null): number | null {
  return share === null ? null : Math.round(share * 1e6) / 1e6 + 0
}

/** A strategy's unit price at the close of a day. */
export interface Close {
  readonly day: number
  readonly unitPrice: number
}

/** The units at each close and the money put in until then, while units were held. Oldest first. */
export function historyOf(
  closes: readonly Close[],
  moved: readonly Pick<Moved, 'code' | 'day' | 'units' | 'cents'>[],
): PositionDay[] {
  const coming = moved.values()
  let next = coming.next()
  let [units, putIn] = [0, 0]
  return closes.flatMap(({ day, unitPrice }) => {
    // Movements at a day's open are part of its close.
    for (; !next.done && next.value.day <= day; next = coming.next()) {
      const { code, units: change, cents } = next.value
      units += change
      // A fee is not money paid out but lost value.
      if (code !== 'fee') putIn += code === 'issue' ? cents : -cents
    }
    if (units === 0) return []
    return {
      day: isoDay(day),
      unitPrice: unitPrice / 1e6,
      units: units / 1e6,
      value: usdOf(valueCents(units, unitPrice)),
      putIn: usdOf(putIn),
    }
  })
}
