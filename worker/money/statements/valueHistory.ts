import { sql } from 'drizzle-orm'
import type { DayValue, getValueHistory as endpoint } from '../../../src/contract/money/statements.ts'
import { usdOf } from '../../../src/contract/money.ts'
import { type Answer, type CallOf, ok } from '../../http/call.ts'
import { LATEST_PRICE } from '../../ledger/balances.ts'
import { valueCents } from '../../ledger/units.ts'
import { type Read, reading, readTogether } from '../../lib/database.ts'
import { DAY_MS, isoDay } from '../../lib/days.ts'
import { balanceOf, readBalances, readDailyChanges, ZERO_BALANCES } from './entries.ts'

/**
 * The actor's Total Balance at the end of each of the last days (UTC), computed back from today: the ledger balance, in which
 * units count at cost, plus the unrealised gain or loss at each day's prices.
 */
export async function getValueHistory(call: CallOf<typeof endpoint>): Promise<Answer<DayValue[]>> {
  const { actor, db, nowMs } = call
  const today = Math.floor(nowMs / DAY_MS)
  const first = today - call.query.days + 1
  const [[now], changes, holdings, unitChanges, closes] = await readTogether(
    db,
    readBalances(actor.id),
    readDailyChanges(actor.id, first * DAY_MS),
    readHoldings(actor.id),
    readUnitChanges(actor.id, (first + 1) * DAY_MS),
    readCloses(actor.id, first * DAY_MS),
  )
  const gains = gainsByDay(holdings, unitChanges, closes, first, today)
  const changeOfDay = new Map(changes.map((row) => [row.day, row]))
  const days: DayValue[] = []
  let balance = balanceOf(now ?? ZERO_BALANCES)
  for (let day = today; day >= first; day--) {
    const { change = 0, paidIn = 0 } = changeOfDay.get(day) ?? {}
    days.push({
      day: isoDay(day * DAY_MS),
      balance: usdOf(balance + (gains.get(day) ?? 0)),
      paidIn: usdOf(paidIn),
    })
    balance -= change
  }
  return ok(days.reverse())
}

/** Current units of a strategy, their cost in cents and the latest price. */
interface HoldingRow {
  readonly strategy: string
  readonly units: number
  readonly cost: number
  readonly price: number | null
}

function readHoldings(investor: string): Read<HoldingRow> {
  return reading(sql`
    SELECT strategy, units, cost, ${LATEST_PRICE} AS price FROM positions WHERE investor = ${investor}`)
}

/** The change of a strategy's units and cost on one day. */
interface UnitChangeRow {
  readonly strategy: string
  readonly day: number
  readonly units: number
  readonly cost: number
}

function readUnitChanges(investor: string, fromMs: number): Read<UnitChangeRow> {
  return reading(sql`
    SELECT strategy, at / 86400000 AS day, sum(units) AS units, sum(iif(code = 'issue', cost, -cost)) AS cost
    FROM unit_movements WHERE investor = ${investor} AND at >= ${fromMs} GROUP BY strategy, 2`)
}

interface CloseRow {
  readonly strategy: string
  readonly day: number
  readonly price: number
}

/** Closes since a day, and the one before, for all strategies that the investor ever held. */
function readCloses(investor: string, fromMs: number): Read<CloseRow> {
  return reading(sql`
    SELECT v.strategy, v.day / 86400000 AS day, v.unit_price AS price
    FROM positions p JOIN valuations v ON v.strategy = p.strategy AND v.kind = 'close' AND v.day >= ${fromMs - DAY_MS}
    WHERE p.investor = ${investor} ORDER BY v.strategy, v.day`)
}

/** The unrealised gain or loss at the end of each day, in cents. A day without a close uses the one before. */
function gainsByDay(
  holdings: readonly HoldingRow[],
  unitChanges: readonly UnitChangeRow[],
  closes: readonly CloseRow[],
  first: number,
  today: number,
): Map<number, number> {
  const gains = new Map<number, number>()
  for (const { strategy, price: latest, ...now } of holdings) {
    const prices = new Map(
      closes.filter((row) => row.strategy === strategy).map(({ day, price }) => [day, price]),
    )
    const changes = new Map(
      unitChanges.filter((row) => row.strategy === strategy).map((row) => [row.day, row]),
    )
    let { units, cost } = now
    for (let day = today; day >= first; day--) {
      const price = day === today ? latest : lastUpTo(prices, day, first - 1)
      // A position without a price counts at cost.
      const worth = price === null ? cost : valueCents(units, price)
      gains.set(day, (gains.get(day) ?? 0) + worth - cost)
      units -= changes.get(day)?.units ?? 0
      cost -= changes.get(day)?.cost ?? 0
    }
  }
  return gains
}

function lastUpTo(prices: ReadonlyMap<number, number>, day: number, first: number): number | null {
  for (let at = day; at >= first; at--) {
    const price = prices.get(at)
    if (price !== undefined) return price
  }
  return null
}
