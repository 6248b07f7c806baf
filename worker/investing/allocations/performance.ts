import { computeMoneyWeightedReturn, computeXirr } from '../../../engine/metrics/moneyWeighted.ts'
import { computeTimeWeightedReturn } from '../../../engine/metrics/returns.ts'
import type { PositionDay } from '../../../src/contract/investing/allocations.ts'
import { toUsd } from '../../../src/contract/money.ts'
import { DAY_MS } from '../../../src/time.ts'
import { valueCents } from '../../ledger/units.ts'
import { formatIsoDay } from '../../lib/days.ts'

const DAYS_A_YEAR = 365

/** A movement of units, with the unit price of that day’s open and their cost or proceeds. */
export interface PricedMovement {
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
export function computePerformance(
  moved: readonly PricedMovement[],
  now: { readonly unitPrice: number; readonly atMs: number },
): Performance {
  const first = moved[0]
  if (first === undefined) return UNKNOWN
  let units = 0
  const valued: { value: number; flow: number }[] = []
  const flows: { day: number; amount: number }[] = []
  for (const { code, units: change, unitPrice, cents, day } of moved) {
    const before = computeUnroundedCents(units, unitPrice)
    units += change
    const after = computeUnroundedCents(units, unitPrice)
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
    const value = computeUnroundedCents(units, now.unitPrice)
    valued.push({ value, flow: 0 })
    flows.push({ day: endMs / DAY_MS, amount: value })
  }
  return {
    twr: roundShare(computeTimeWeightedReturn(valued)),
    moneyWeighted: roundShare(computeMoneyWeightedReturn(flows)),
    xirr: days < DAYS_A_YEAR ? null : roundShare(computeXirr(flows)),
  }
}

/** In cents, not rounded. */
function computeUnroundedCents(units: number, unitPrice: number): number {
  return (units / 1e6) * (unitPrice / 1e4)
}

function roundShare(share: number | null): number | null {
  return share === null ? null : Math.round(share * 1e6) / 1e6 + 0
}

/** A strategy's unit price at the close of a day. */
export interface Close {
  readonly day: number
  readonly unitPrice: number
}

/** The units at each close and the money put in until then, while units were held. Oldest first. */
export function buildPositionHistory(
  closes: readonly Close[],
  moved: readonly Pick<PricedMovement, 'code' | 'day' | 'units' | 'cents'>[],
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
      day: formatIsoDay(day),
      unitPrice: unitPrice / 1e6,
      units: units / 1e6,
      value: toUsd(valueCents(units, unitPrice)),
      putIn: toUsd(putIn),
    }
  })
}
