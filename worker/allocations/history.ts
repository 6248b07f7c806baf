import type { PositionDay } from '../../src/contract/allocations.ts'
import { usdOf } from '../../src/contract/money.ts'
import { valueCents } from '../ledger/units.ts'
import { iso } from '../lib/paging.ts'
import type { Moved } from './performance.ts'

/** A strategy's unit price at the close of a day. */
export interface Close {
  readonly day: number
  readonly unitPrice: number
}

/**
 * What was held at each close, oldest first, while units were held. Reckoned backwards from what is held now, so that it holds where
 * not every movement was read. Closes and movements come newest first.
 */
export function historyOf(
  closes: readonly Close[],
  moved: readonly Pick<Moved, 'day' | 'units'>[],
  unitsNow: number,
): PositionDay[] {
  const waiting = [...moved].reverse()
  let units = unitsNow
  const days: PositionDay[] = []
  for (const { day, unitPrice } of closes) {
    // What moved at the open of a later day was not there, or still there, at this close.
    for (let last = waiting.at(-1); last !== undefined && last.day > day; last = waiting.at(-1)) {
      units -= last.units
      waiting.pop()
    }
    if (waiting.length === 0) break
    days.push({
      day: iso(day).slice(0, 10),
      unitPrice: unitPrice / 1e6,
      units: units / 1e6,
      value: usdOf(valueCents(units, unitPrice)),
    })
  }
  return days.reverse()
}
