import { asc, eq, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import * as z from 'zod/mini'
import { MOST_MOVEMENTS } from '../../../src/contract/money/gains.ts'
import type { ReaderCall } from '../../http/call.ts'
import type { Asset } from '../../ledger/custody.ts'
import { parseStored, type RowOf, readTogether, selectRows } from '../../lib/database.ts'
import { refuse } from '../../lib/errors.ts'
import { custodyEntries, unitMovements } from '../../lib/tables/ledger.ts'
import { requests } from '../../lib/tables/requests.ts'
import { gainYears, unitOrders } from '../../lib/tables/strategies.ts'
import type { LotChoice, YearRules } from './matchLots.ts'

/** The facts behind a year's gains: movements of units, oldest first, the rules that are fixed, and coins paid in or out. */
export interface GainFacts {
  readonly year: number
  readonly movements: readonly UnitMovement[]
  readonly coins: readonly CoinRow[]
  readonly fixed: readonly FixedYear[]
}

export type UnitMovement = RowOf<typeof readMovements>
type CoinRow = RowOf<typeof readCoins>

export interface FixedYear extends YearRules {
  readonly year: number
  readonly fixedMs: number
}

const choices = z.record(z.string(), z.array(z.object({ lot: z.string(), units: z.number() })))

/** Loads the facts up to the end of a year. Refuses `too_many_entries`. */
export async function loadGainFacts({ db, actor }: ReaderCall, year: number): Promise<GainFacts> {
  const [movements, coins, years] = await readTogether(
    db,
    readMovements(actor.id, startOfYear(year + 1)),
    readCoins(actor.id, startOfYear(year), startOfYear(year + 1)),
    readFixedYears(actor.id),
  )
  if (movements.length > MOST_MOVEMENTS || coins.length > MOST_MOVEMENTS) refuse('too_many_entries')
  const fixed = years.map((row) => ({
    ...{ year: row.year, method: row.method, holdingDays: row.holdingDays, fixedMs: row.at },
    choices: parseStored(choices, row.choices) as Readonly<Record<string, readonly LotChoice[]>>,
  }))
  return { year, movements, coins, fixed }
}

/** Epoch milliseconds. Years are in UTC, as the ledger's days are. */
export function startOfYear(year: number): number {
  return Date.UTC(year, 0, 1)
}

/** The year in UTC of epoch milliseconds. */
export function getYear(ms: number): number {
  return new Date(ms).getUTCFullYear()
}

/** By strategy and then in the order of the ledger, which is their index. */
function readMovements(investor: string, beforeMs: number) {
  const [m, o] = [alias(unitMovements, 'm'), alias(unitOrders, 'o')]
  return selectRows({
    ...{ id: m.id, strategy: m.strategy, code: m.code, units: m.units, cents: m.cents, atMs: m.at },
    ref: sql<string | null>`${o.ref}`,
  })
    .from(m)
    .leftJoin(o, eq(o.id, m.ref))
    .where(sql`${m.investor} = ${investor} AND ${m.at} < ${beforeMs}`)
    .orderBy(asc(m.strategy), asc(m.seq))
    .limit(MOST_MOVEMENTS + 1)
}

/** Coins of deposits and withdrawals that count, in the asset's smallest unit: positive paid in, negative paid out. */
function readCoins(investor: string, fromMs: number, beforeMs: number) {
  const [r, c] = [alias(requests, 'r'), alias(custodyEntries, 'c')]
  return selectRows({
    ...{ ref: r.ref, cents: r.amount, atMs: c.at },
    asset: sql<Asset>`${c.asset}`,
    units: sql<string>`CAST(${c.quantity} AS TEXT)`,
  })
    .from(r)
    .innerJoin(c, sql`c.ref = r.id AND c.code IN ('in', 'out')`)
    .where(sql`
      r.investor = ${investor} AND r.status IN ('approved', 'completed') AND c.asset <> 'usd'
      AND c.at >= ${fromMs} AND c.at < ${beforeMs}`)
    .orderBy(asc(c.at), asc(c.seq))
    .limit(MOST_MOVEMENTS + 1)
}

function readFixedYears(investor: string) {
  const { year, method, holdingDays, choices, at } = gainYears
  return selectRows({ year, method, holdingDays, choices, at })
    .from(gainYears)
    .where(eq(gainYears.investor, investor))
    .orderBy(asc(year))
}
