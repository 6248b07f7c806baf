import { sql } from 'drizzle-orm'
import type { QueryOf } from '../../../src/contract/endpoint.ts'
import {
  type getStatement as endpoint,
  MOST_STATEMENT_ENTRIES,
  type Statement,
  type StatementEntry,
} from '../../../src/contract/money/statements.ts'
import { usdOf } from '../../../src/contract/money.ts'
import { type ActorCall, type Answer, type CheckedCall, ok } from '../../http/call.ts'
import { iso } from '../../http/paging.ts'
import { type Read, reading, readTogether } from '../../lib/database.ts'
import { refuse } from '../../lib/errors.ts'
import { csvResponse } from './csv.ts'
import {
  after,
  type Balances,
  balanceOf,
  type EntryRow,
  minus,
  NOTHING,
  ownedBy,
  readBalances,
  readEntries,
  readMoved,
} from './entries.ts'
import { entryOf } from './entryOf.ts'
import { readUnits, readUnitsAt, standingOf, unrealisedOf } from './standing.ts'

/** Rows of one read of the file: it is written while it is read. */
const PAGE = 1000

/**
 * The actor's books over a period. The opening balance is computed back from what stands now, so that it costs as much as the entries
 * since `from` and not as the whole history. Opening, changes and closing add up because they come from one state of the database.
 * Refuses `too_many_entries`, except for CSV, which is streamed.
 */
export async function getStatement(
  call: CheckedCall<unknown, QueryOf<typeof endpoint>> & ActorCall,
): Promise<Answer<Statement> | Response> {
  const { actor, db, nowMs } = call
  const { from = 0, format = 'json' } = call.query
  const to = Math.min(call.query.to ?? nowMs, nowMs)
  const limit = format === 'csv' ? PAGE : MOST_STATEMENT_ENTRIES
  const isFromTheBeginning = from === 0
  const [rows, unitsAtEnd, unitsBefore, [now], [since]] = await readTogether(
    db,
    readPage(actor.id, from, to, null, limit + 1),
    to === nowMs ? readUnits(actor.id) : readUnitsAt(actor.id, to),
    // Before the first entry there is nothing: a sum over the whole history would only say so.
    isFromTheBeginning ? NO_ROWS : readUnitsAt(actor.id, from - 1),
    isFromTheBeginning ? NO_ROWS : readBalances(actor.id),
    isFromTheBeginning ? NO_ROWS : readMoved(actor.id, from),
  )
  const opening = now === undefined || since === undefined ? NOTHING : minus(now, since)
  const unrealised = { opening: unrealisedOf(unitsBefore), closing: unrealisedOf(unitsAtEnd) }
  if (format === 'csv') {
    const more = (last: EntryRow) =>
      readTogether(db, readPage(actor.id, from, to, last, PAGE)).then(([page]) => page)
    const firstRows = rows.slice(0, PAGE)
    return csvResponse(call, { opening, unrealised, firstRows, pageSize: PAGE, more, from, to })
  }
  if (rows.length > limit) refuse('too_many_entries')
  let balances = opening
  const entries = rows.map((row): StatementEntry => {
    balances = after(balances, row)
    return { ...entryOf(row), ...inUsd(balances) }
  })
  return ok({
    from: isFromTheBeginning ? null : iso(from),
    to: iso(to),
    name: actor.name,
    opening: standingOf(opening, unrealised.opening),
    entries,
    closing: standingOf(balances, unrealised.closing),
  })
}

const NO_ROWS: Read<never> = reading(sql`SELECT 1 WHERE 0`)

function readPage(owner: string, from: number, to: number, last: EntryRow | null, limit: number) {
  return readEntries(sql`
    WHERE ${ownedBy(owner)} AND t.at <= ${to}
      AND ${last === null ? sql`t.at >= ${from}` : sql`(t.at, t.seq) > (${last.at}, ${last.seq})`}
    ORDER BY t.at, t.seq LIMIT ${limit}`)
}

function inUsd(balances: Balances) {
  const { available, held } = balances
  return { available: usdOf(available), held: usdOf(held), balance: usdOf(balanceOf(balances)) }
}
