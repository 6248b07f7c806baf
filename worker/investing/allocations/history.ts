import type { PositionDay } from '../../../src/contract/investing/allocations.ts'
import { usdOf } from '../../../src/contract/money.ts'
import { iso } from '../../http/paging.ts'
import { valueCents } from '../../ledger/units.ts'
import type { Moved } from './performance.ts'

/** A strategy's unit price at the close of a day. */
export interface Close {
  readonly day: number
  readonly unitPrice: number
}

/** What was held at each close, and what had been put in until then, while units were held. All of it oldest first. */
export function historyOf(
  closes: readonly Close[],
  moved: readonly Pick<Moved, 'code' | 'day' | 'units' | 'cents'>[],
): PositionDay[] {
  const coming = moved.values()
  let next = coming.next()
  let [units, putIn] = [0, 0]
  return closes.flatMap(({ day, unitPrice }) => {
    // What moved at a day's open is in what was held at its close.
    for (; !next.done && next.value.day <= day; next = coming.next()) {
      const { code, units: change, cents } = next.value
      units += change
      // A fee is no money that went out, but worth that is no longer there.
      if (code !== 'fee') putIn += code === 'issue' ? cents : -cents
    }
    if (units === 0) return []
    return {
      day: iso(day).slice(0, 10),
      unitPrice: unitPrice / 1e6,
      units: units / 1e6,
      value: usdOf(valueCents(units, unitPrice)),
      putIn: usdOf(putIn),
    }
  })
}
