import { sql } from 'drizzle-orm'
import type { QueryOf } from '../../src/contract/endpoint.ts'
import { usdOf } from '../../src/contract/money.ts'
import {
  type getStatement as endpoint,
  MOST_STATEMENT_ENTRIES,
  type Statement,
  type StatementEntry,
} from '../../src/contract/statements.ts'
import { type ActorCall, type Answer, type CheckedCall, ok } from '../lib/call.ts'
import { type Database, type Read, readTogether } from '../lib/database.ts'
import { refuse } from '../lib/errors.ts'
import { iso } from '../lib/paging.ts'
import { csvResponse } from './csv.ts'
import {
  after,
  type Balances,
  type EntryRow,
  minus,
  NOTHING,
  ownedBy,
  readBalances,
  readEntries,
  readMoved,
} from './entries.ts'
import { entryOf } from './entryOf.ts'

/** Rows of one read of the file: it is written while it is read. */
const PAGE = 1000

/**
 * The actor's books over a period. The opening balance is reckoned back from what stands now, so that it costs as much
 * as the entries since `from` and not as the whole history; opening, changes and closing add up because they come from
 * one state of the database. Refuses `too_many_entries` but for CSV, which is streamed.
 */
export async function getStatement(
  call: CheckedCall<unknown, QueryOf<typeof endpoint>> & ActorCall,
): Promise<Answer<Statement> | Response> {
  const { actor, db, nowMs } = call
  const { from = 0, format = 'json' } = call.query
  const to = Math.min(call.query.to ?? nowMs, nowMs)
  const limit = format === 'csv' ? PAGE : MOST_STATEMENT_ENTRIES
  const page = readPage(actor.id, from, to, null, limit + 1)
  const { opening, rows } =
    from === 0 ? await fromTheBeginning(db, page) : await reckonedBack(call, from, page)
  if (format === 'csv') {
    const more = (last: EntryRow) =>
      readTogether(db, readPage(actor.id, from, to, last, PAGE)).then(([page]) => page)
    return csvResponse(call, { opening, firstRows: rows.slice(0, PAGE), pageSize: PAGE, more, from, to })
  }
  if (rows.length > limit) refuse('too_many_entries')
  let balances = opening
  const entries = rows.map((row): StatementEntry => {
    balances = after(balances, row)
    return { ...entryOf(row), ...inUsd(balances) }
  })
  return ok({
    from: from === 0 ? null : iso(from),
    to: iso(to),
    name: actor.name,
    opening: inUsd(opening),
    entries,
    closing: inUsd(balances),
  })
}

interface Beginning {
  readonly opening: Balances
  /** The first page's, and one more where there are more. */
  readonly rows: readonly EntryRow[]
}

// Before the first entry there is nothing: a sum over the whole history would only say so.
async function fromTheBeginning(db: Database, page: Read<EntryRow>): Promise<Beginning> {
  const [rows] = await readTogether(db, page)
  return { opening: NOTHING, rows }
}

async function reckonedBack(
  { actor, db }: ActorCall,
  from: number,
  page: Read<EntryRow>,
): Promise<Beginning> {
  const [[now], [since], rows] = await readTogether(
    db,
    readBalances(actor.id),
    readMoved(actor.id, from),
    page,
  )
  if (now === undefined || since === undefined) throw new Error('A sum without a row')
  return { opening: minus(now, since), rows }
}

function readPage(owner: string, from: number, to: number, last: EntryRow | null, limit: number) {
  return readEntries(sql`
    WHERE ${ownedBy(owner)} AND t.at <= ${to}
      AND ${last === null ? sql`t.at >= ${from}` : sql`(t.at, t.seq) > (${last.at}, ${last.seq})`}
    ORDER BY t.at, t.seq LIMIT ${limit}`)
}

function inUsd({ available, held, balance }: Balances) {
  return { available: usdOf(available), held: usdOf(held), balance: usdOf(balance) }
}
