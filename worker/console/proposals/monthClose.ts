import { sql } from 'drizzle-orm'
import { DAY_MS } from '../../../src/time.ts'
import type { ActorCall } from '../../http/call.ts'
import { readKindsAt } from '../../ledger/ledgerDays.ts'
import { sha256Hex } from '../../lib/crypto/tokens.ts'
import { buildQuery, type Database, readTogether, selectValues } from '../../lib/database.ts'
import { refuse, refuseField } from '../../lib/errors.ts'
import { ledgerDays } from '../../lib/tables/treasury.ts'
import type { ProposalEffect } from './effect.ts'
import type { NewProposal, ProposalOfKind } from './proposal.ts'
import { readPendingProposals } from './proposal.ts'
import type { MonthPayload } from './treasury.ts'

const ENTRIES_A_PAGE = 1_000

/** The months that can be closed: over, after the last closed one, and with balances of the ledger. Oldest first. */
export function listClosable(
  firstDayMs: number | null,
  lastClosed: string | undefined,
  nowMs: number,
): string[] {
  const months: string[] = []
  for (let ms = firstDayMs ?? nowMs; ms < nowMs; ms += DAY_MS) {
    const month = new Date(ms).toISOString().slice(0, 7)
    if (month > (lastClosed ?? '') && computeMonthEnd(month) <= nowMs && months.at(-1) !== month)
      months.push(month)
  }
  return months
}

/** The month after the last closed one, or that of the first balances; null before them. */
export function findNextMonth(firstDayMs: number | null, lastClosed: string | undefined): string | null {
  if (lastClosed !== undefined) return new Date(computeMonthEnd(lastClosed)).toISOString().slice(0, 7)
  return firstDayMs === null ? null : new Date(firstDayMs).toISOString().slice(0, 7)
}

export function readFirstLedgerDay() {
  return selectValues({ at: sql<number | null>`(SELECT at FROM ${ledgerDays} ORDER BY day LIMIT 1)` })
}

export async function proposeMonthClose(
  { db, nowMs }: ActorCall,
  { kind, month, reason }: { kind: 'month_close'; month: string; reason: string },
): Promise<NewProposal> {
  const [[first], [last], pending] = await readTogether(
    db,
    readFirstLedgerDay(),
    readLastClose(),
    readPendingProposals(sql`kind = ${kind}`),
  )
  if (!listClosable(first?.at ?? null, last?.month, nowMs).includes(month))
    refuseField('month', 'This month is not over, is closed, or is from before we kept daily balances')
  if (pending.length > 0) refuse('conflict', { msg: 'Closing a month is already proposed.' })
  return { kind, reason, payload: await computeClose(db, month) }
}

/** Computes the hash again, so that the second person approves the present books. */
export async function buildMonthCloseEffect(
  { db }: ActorCall,
  { id: proposal, payload }: ProposalOfKind<'month_close'>,
): Promise<ProposalEffect> {
  const { month, hash } = payload
  if ((await computeClose(db, month)).hash !== hash)
    refuse('conflict', { msg: 'The books of this month have changed. Please reject this proposal.' })
  return {
    statements: [],
    audit: [{ action: 'month.closed', subject: month, detail: { proposal, hash } }],
  }
}

function readLastClose() {
  return buildQuery<{ month: string; hash: string; lastEntry: number }>(sql`
    SELECT month, hash, last_entry AS lastEntry FROM month_closes ORDER BY ends_at DESC LIMIT 1`)
}

/**
 * The hash of a month: SHA-256 of the JSON of the month, the hash of the close before, a chain of hashes over the entries since then (a
 * thousand at a time), the balance of each place and the sum of each kind of account at its end.
 */
async function computeClose(db: Database, month: string): Promise<MonthPayload> {
  const endsAt = computeMonthEnd(month)
  const [[last], places, [newest], kinds] = await readTogether(
    db,
    readLastClose(),
    buildQuery<{ place: string; balance: string }>(sql`
      SELECT id AS place, CAST(coalesce((
        SELECT balance FROM place_entries WHERE place = l.id AND at < ${endsAt} ORDER BY at DESC, seq DESC LIMIT 1), 0) AS TEXT) AS balance
      FROM custody_places l WHERE at < ${endsAt} ORDER BY id`),
    selectValues({
      seq: sql<number>`coalesce((SELECT seq FROM place_entries WHERE at < ${endsAt} ORDER BY seq DESC LIMIT 1), 0)`,
    }),
    readKindsAt(endsAt - 1),
  )
  const lastEntry = newest?.seq ?? 0
  let entries = ''
  for (let after = last?.lastEntry ?? 0; after < lastEntry; ) {
    const [page] = await readTogether(
      db,
      buildQuery<{ seq: number; entry: string }>(sql`
        SELECT seq, json_array(seq, place, CAST(quantity AS TEXT), CAST(balance AS TEXT), code, ref, at) AS entry
        FROM place_entries WHERE seq > ${after} AND seq <= ${lastEntry} ORDER BY seq LIMIT ${ENTRIES_A_PAGE}`),
    )
    entries = await sha256Hex([entries, ...page.map(({ entry }) => entry)].join('\n'))
    after = page.at(-1)?.seq ?? lastEntry
  }
  const previous = last?.hash ?? null
  const hash = await sha256Hex(
    JSON.stringify({
      ...{ month, previous, entries },
      places: places.map(({ place, balance }) => [place, balance]),
      ledger: kinds.map(({ kind, cents }) => [kind, cents]),
    }),
  )
  return { month, endsAt, lastEntry, hash, previous }
}

/** The first moment after a month (UTC). */
export function computeMonthEnd(month: string): number {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return Date.UTC(year, number, 1)
}
