import { and, eq, gte, type SQL, sql } from 'drizzle-orm'
import type { DayValue, getValueHistory as endpoint } from '../../../src/contract/money/statements.ts'
import { toUsd } from '../../../src/contract/money.ts'
import { DAY_MS } from '../../../src/time.ts'
import { type Answer, type CallOf, ok } from '../../http/call.ts'
import { readHoldings } from '../../ledger/balances.ts'
import { valueCents } from '../../ledger/units.ts'
import { type RowOf, readTogether, selectRows } from '../../lib/database.ts'
import { DAY_MS_SQL, formatIsoDay } from '../../lib/days.ts'
import { positions } from '../../lib/tables/ledger.ts'
import { valuations } from '../../lib/tables/strategies.ts'
import { type DayEnd, readDayEnds } from './entries.ts'

/**
 * The actor's Total Balance at the end of each of the last days (UTC): the ledger balance, in which units count at cost, plus the
 * unrealised gain or loss at each day's prices.
 */
export async function getValueHistory(call: CallOf<typeof endpoint>): Promise<Answer<DayValue[]>> {
  const { actor, db, nowMs } = call
  const today = Math.floor(nowMs / DAY_MS)
  const first = today - call.query.days + 1
  const [ends, holdings, unitEnds, closes] = await readTogether(
    db,
    readDayEnds(actor.id, first * DAY_MS),
    readHoldings(actor.id),
    readUnitEnds(actor.id, first * DAY_MS),
    readCloses(actor.id, first * DAY_MS),
  )
  const gains = computeGainsByDay(holdings, unitEnds, closes, first, today)
  const days: DayValue[] = []
  let previous = findDayEnd(first - 1)
  for (let day = first; day <= today; day++) {
    const end = day === today ? (ends.at(-1) ?? NOTHING) : findDayEnd(day)
    days.push({
      day: formatIsoDay(day * DAY_MS),
      balance: toUsd(end.balance + (gains.get(day) ?? 0)),
      paidIn: toUsd(end.paidIn - previous.paidIn),
    })
    previous = end
  }
  return ok(days)

  /** The end of a day is before the next entry of a later day. */
  function findDayEnd(day: number): Omit<DayEnd, 'before'> {
    return ends.find(({ before }) => before >= (day + 1) * DAY_MS) ?? NOTHING
  }
}

const NOTHING = { balance: 0, paidIn: 0 }

/** Units of a strategy and their cost in cents after a day's last movement, until the next one. */
type UnitEndRow = RowOf<typeof readUnitEnds>

/** The last movements of each day, newest first, down to the one before a day. Reads a row or two a day. */
function readUnitEnds(investor: string, fromMs: number) {
  const selectLastMovements = (table: SQL, before: SQL) => sql`
    SELECT h.strategy, h.at, h.units, h.cost FROM ${table} e CROSS JOIN position_history h
    WHERE h.investor = ${investor} AND h.strategy = e.strategy AND (h.at, h.seq) = (
      SELECT l.at, l.seq FROM position_history l
      WHERE l.investor = ${investor} AND l.strategy = e.strategy AND ${before} ORDER BY l.at DESC, l.seq DESC LIMIT 1)`
  return selectRows({
    strategy: sql<string>`strategy`,
    /** Epoch milliseconds of the movement. */
    at: sql<number>`at`,
    ...{ units: sql<number>`units`, cost: sql<number>`cost` },
  })
    .from(sql`(WITH RECURSIVE ends (strategy, at, units, cost) AS (
      ${selectLastMovements(sql`positions`, sql`1`)} AND e.investor = ${investor}
      UNION ALL
      ${selectLastMovements(sql`ends`, sql`l.at < e.at - e.at % ${DAY_MS_SQL}`)} AND e.at >= ${fromMs})
    SELECT * FROM ends)`)
    .orderBy(sql`at DESC`)
}

/** Closes since a day, and the one before, for all strategies that the investor ever held. */
function readCloses(investor: string, fromMs: number) {
  const { strategy, day, kind, unitPrice } = valuations
  return selectRows({ strategy, day: sql<number>`${day} / ${DAY_MS_SQL}`, price: unitPrice })
    .from(positions)
    .innerJoin(
      valuations,
      and(eq(strategy, positions.strategy), eq(kind, 'close'), gte(day, fromMs - DAY_MS)),
    )
    .where(eq(positions.investor, investor))
    .orderBy(strategy, day)
}

/** The unrealised gain or loss at the end of each day, in cents. A day without a close uses the one before. */
function computeGainsByDay(
  holdings: readonly RowOf<typeof readHoldings>[],
  unitEnds: readonly UnitEndRow[],
  closes: readonly RowOf<typeof readCloses>[],
  first: number,
  today: number,
): Map<number, number> {
  const gains = new Map<number, number>()
  for (const { strategy, price: latest, ...now } of holdings) {
    const ends = unitEnds.filter((row) => row.strategy === strategy)
    const prices = new Map(
      closes.filter((row) => row.strategy === strategy).map(({ day, price }) => [day, price]),
    )
    for (let day = today; day >= first; day--) {
      const [{ units, cost }, price] =
        day === today
          ? [now, latest]
          : [
              ends.find(({ at }) => at < (day + 1) * DAY_MS) ?? NO_UNITS,
              findLastPrice(prices, day, first - 1),
            ]
      // A position without a price counts at cost.
      const worth = price === null ? cost : valueCents(units, price)
      gains.set(day, (gains.get(day) ?? 0) + worth - cost)
    }
  }
  return gains
}

const NO_UNITS = { units: 0, cost: 0 }

function findLastPrice(prices: ReadonlyMap<number, number>, day: number, first: number): number | null {
  for (let at = day; at >= first; at--) {
    const price = prices.get(at)
    if (price !== undefined) return price
  }
  return null
}
