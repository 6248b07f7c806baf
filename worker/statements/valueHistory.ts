import type { QueryOf } from '../../src/contract/endpoint.ts'
import { usdOf } from '../../src/contract/money.ts'
import type { DayValue, getValueHistory as endpoint } from '../../src/contract/statements.ts'
import { type ActorCall, type Answer, type CheckedCall, ok } from '../lib/call.ts'
import { readTogether } from '../lib/database.ts'
import { iso } from '../lib/paging.ts'
import { readBalances, readDailyChanges } from './entries.ts'

const DAY_MS = 86_400_000

/** The actor's total balance at the end of each of the last days (UTC), reckoned back from what stands now. */
export async function getValueHistory(
  call: CheckedCall<unknown, QueryOf<typeof endpoint>> & ActorCall,
): Promise<Answer<DayValue[]>> {
  const { actor, db, nowMs } = call
  const today = Math.floor(nowMs / DAY_MS)
  const first = today - call.query.days + 1
  const [[now], changes] = await readTogether(
    db,
    readBalances(actor.id),
    readDailyChanges(actor.id, (first + 1) * DAY_MS),
  )
  const changeOfDay = new Map(changes.map(({ day, change }) => [day, change]))
  const days: DayValue[] = []
  let balance = now?.balance ?? 0
  for (let day = today; day >= first; day--) {
    days.push({ day: iso(day * DAY_MS).slice(0, 10), balance: usdOf(balance) })
    balance -= changeOfDay.get(day) ?? 0
  }
  return ok(days.reverse())
}
