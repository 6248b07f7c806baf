import { gte, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import {
  type getStatement as endpoint,
  MOST_STATEMENT_ENTRIES,
  type Statement,
  type StatementBalances,
  type StatementEntry,
  type StatementPosition,
} from '../../../src/contract/money/statements.ts'
import { toUsd } from '../../../src/contract/money.ts'
import { DAY_MS } from '../../../src/time.ts'
import { type Answer, type CallOf, ok } from '../../http/call.ts'
import { toIso } from '../../http/paging.ts'
import { readHoldings } from '../../ledger/balances.ts'
import { valueCents } from '../../ledger/units.ts'
import { NO_ROWS, type RowOf, readTogether, selectRows } from '../../lib/database.ts'
import { refuse } from '../../lib/errors.ts'
import { getStrategyName } from '../../lib/strategyName.ts'
import { positionHistory, positions, transfers } from '../../lib/tables/ledger.ts'
import { buildCsvResponse } from './csv.ts'
import {
  applyEntry,
  type Balances,
  type EntryRow,
  matchOwner,
  readBalancesBefore,
  readEntries,
  sumBalance,
  toLedgerEntry,
  ZERO_BALANCES,
} from './entries.ts'

/** Rows per read of the CSV file. */
const PAGE = 1000

/**
 * The actor's books over a period. The opening balance comes from a checkpoint, so neither earlier nor later entries are read. All
 * reads see one state of the database, so opening, changes and closing add up. Refuses `too_many_entries`, except for CSV,
 * which is streamed.
 */
export async function getStatement(call: CallOf<typeof endpoint>): Promise<Answer<Statement> | Response> {
  const { actor, db, nowMs } = call
  const { from = 0, format = 'json' } = call.query
  const to = Math.min(call.query.to ?? nowMs, nowMs)
  const limit = format === 'csv' ? PAGE : MOST_STATEMENT_ENTRIES
  const isFromTheBeginning = from === 0
  const [rows, unitsAtEnd, unitsBefore, [opening = ZERO_BALANCES]] = await readTogether(
    db,
    readPage(actor.id, from, to, null, limit + 1),
    to === nowMs ? readHoldings(actor.id) : readUnitsAt(actor.id, to),
    // From the beginning, the opening balance is zero.
    isFromTheBeginning ? NO_ROWS : readUnitsAt(actor.id, from - 1),
    isFromTheBeginning ? NO_ROWS : readBalancesBefore(actor.id, from),
  )
  const unrealised = { opening: sumUnrealised(unitsBefore), closing: sumUnrealised(unitsAtEnd) }
  if (format === 'csv') {
    const readMore = (last: EntryRow) =>
      readTogether(db, readPage(actor.id, from, to, last, PAGE)).then(([page]) => page)
    const firstRows = rows.slice(0, PAGE)
    return buildCsvResponse(call, {
      opening,
      unrealised,
      firstRows,
      pageSize: PAGE,
      more: readMore,
      from,
      to,
    })
  }
  if (rows.length > limit) refuse('too_many_entries')
  let balances = opening
  const entries = rows.map((row): StatementEntry => {
    balances = applyEntry(balances, row)
    return { ...toLedgerEntry(row), ...toUsdBalances(balances) }
  })
  return ok({
    from: isFromTheBeginning ? null : toIso(from),
    to: toIso(to),
    name: actor.displayName,
    opening: toStatementBalances(opening, unrealised.opening),
    entries,
    closing: toStatementBalances(balances, unrealised.closing),
    positions: toStatementPositions(unitsAtEnd),
  })
}

function readPage(owner: string, from: number, to: number, last: EntryRow | null, limit: number) {
  const { at, seq } = transfers
  const isAfter = last === null ? gte(at, from) : sql`(${at}, ${seq}) > (${last.at}, ${last.seq})`
  return readEntries(sql`${matchOwner(owner)} AND ${at} <= ${to} AND ${isAfter}`)
    .orderBy(at, seq)
    .limit(limit)
}

function toUsdBalances(balances: Balances) {
  const { available, held } = balances
  return { available: toUsd(available), held: toUsd(held), balance: toUsd(sumBalance(balances)) }
}

/** Units of one strategy at a moment, their cost in cents, and their price in micro-USD. */
type UnitsRow = RowOf<typeof readUnitsAt>

/**
 * Units at an earlier moment, inclusive (epoch milliseconds), at the newest valuation of that moment. A day's close counts from the
 * day's last millisecond on.
 */
function readUnitsAt(investor: string, atMs: number) {
  const [p, h] = [alias(positions, 'p'), alias(positionHistory, 'h')]
  return selectRows({
    ...{ strategy: h.strategy, units: h.units, cost: h.cost },
    price: sql<number | null>`(
      SELECT v.unit_price FROM valuations v
      WHERE v.strategy = p.strategy AND v.day <= ${atMs} AND v.day + iif(v.kind = 'close', ${DAY_MS} - 1, 0) <= ${atMs}
      ORDER BY v.day DESC, v.kind LIMIT 1)`,
  })
    .from(p)
    .crossJoin(h)
    .where(sql`p.investor = ${investor} AND h.investor = p.investor AND h.strategy = p.strategy AND (h.at, h.seq) = (
      SELECT at, seq FROM position_history
      WHERE investor = p.investor AND strategy = p.strategy AND at <= ${atMs} ORDER BY at DESC, seq DESC LIMIT 1)`)
}

/** Unrealised gain or loss in cents. Each position is rounded down separately, as it is shown. */
function sumUnrealised(rows: readonly UnitsRow[]): number {
  return rows.reduce(
    // A position without a price counts at cost.
    (sum, { units, cost, price }) => sum + (price === null ? 0 : valueCents(units, price) - cost),
    0,
  )
}

/** Units as a statement lists them, by the strategy's name. */
function toStatementPositions(rows: readonly UnitsRow[]): StatementPosition[] {
  return rows
    .filter(({ units }) => units > 0)
    .map(({ strategy, units, cost, price }) => ({
      strategy,
      name: getStrategyName(strategy),
      units: units / 1e6,
      unitPrice: price === null ? null : price / 1e6,
      value: toUsd(price === null ? cost : valueCents(units, price)),
    }))
    .sort((first, second) => first.name.localeCompare(second.name, 'en'))
}

/** An account at a moment, in USD. */
function toStatementBalances(balances: Balances, unrealised: number): StatementBalances {
  const balance = sumBalance(balances)
  return {
    available: toUsd(balances.available),
    held: toUsd(balances.held),
    allocating: toUsd(balances.allocating),
    invested: toUsd(balances.invested),
    owed: toUsd(balances.owed === 0 ? 0 : -balances.owed),
    balance: toUsd(balance),
    unrealised: toUsd(unrealised),
    totalBalance: toUsd(balance + unrealised),
  }
}
