import { desc, eq, getTableColumns, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type * as contract from '../../../src/contract/console/investorFile.ts'
import type * as investors from '../../../src/contract/console/investors.ts'
import type { QueryOf } from '../../../src/contract/endpoint.ts'
import { type Actor, IDLE_MS } from '../../http/actor.ts'
import { type ActorCall, type Answer, type CallOf, type CheckedCall, created, ok } from '../../http/call.ts'
import { openCursor, type Position, takePage, toIso, toIsoOrNull } from '../../http/paging.ts'
import { readRecords, toKycRecord } from '../../identity/kyc/list.ts'
import { readActivity, toActivityRow } from '../../identity/preferences/listActivity.ts'
import { computeFigures, readBooks } from '../../ledger/balances.ts'
import { newId } from '../../lib/crypto/tokens.ts'
import { type RowOf, type RowQuery, type RowsOf, readTogether, selectRows } from '../../lib/database.ts'
import { refuse } from '../../lib/errors.ts'
import { investorNotes } from '../../lib/tables/operators.ts'
import { notifications } from '../../lib/tables/outreach.ts'
import { sessions, users } from '../../lib/tables/people.ts'
import { auditLog, outbox } from '../../lib/tables/platform.ts'
import { readPage, toTransaction } from '../../money/requests/history.ts'
import { canReadNote } from '../cases/confidential.ts'
import {
  type Investor,
  type InvestorFacts,
  limitToScope,
  readInvestors,
  toInvestorDetail,
} from './investor.ts'
import { commitReserved } from './silentFreeze.ts'

/** Repeated views by the same operator within this time are audited as one. */
const LOOK_MS = 3_600_000
const MOST_NOTIFIED = 100

/**
 * Reads parts of an investor's file in one round trip; refuses `not_found`. Views are audited once an hour for each operator
 * and investor, because any single part already says much about a person.
 */
export async function readFile<const Reads extends readonly RowQuery<unknown>[]>(
  call: ActorCall,
  ...reads: Reads
): Promise<{ readonly facts: InvestorFacts; readonly rows: RowsOf<Reads> }> {
  const id = call.params.id ?? ''
  const [[facts], looks, ...rows] = await readTogether(
    call.db,
    readInvestors(call.actor.id, sql`u.id = ${id}`, 1),
    selectRows({ at: auditLog.at })
      .from(auditLog)
      .where(
        sql`actor = ${call.actor.id} AND at > ${call.nowMs - LOOK_MS} AND action = 'investor.viewed' AND subject = ${id}`,
      )
      .limit(1),
    ...reads,
  )
  if (facts === undefined) return refuse('not_found')
  if (looks.length === 0) await call.commit({ audit: [{ action: 'investor.viewed', subject: facts.id }] })
  return { facts, rows: rows as unknown as RowsOf<Reads> }
}

interface PartQuery {
  readonly limit: number
  readonly cursor?: string | undefined
}

interface Part<Query, Facts, Row> {
  /** Reads `limit + 1` rows of one investor, newest first. */
  readonly read: (investor: string, after: Position | null, query: Query, reader: Actor) => RowQuery<Facts>
  readonly position: (facts: Facts) => Position
  readonly row: (facts: Facts, nowMs: number) => Row
}

/** Answers one list in an investor's file. */
function listPart<Query extends PartQuery, Facts, Row>({ read, position, row }: Part<Query, Facts, Row>) {
  return async (call: CheckedCall<unknown, Query> & ActorCall): Promise<Answer<Row[]>> => {
    const { limit, cursor } = call.query
    const { rows } = await readFile(
      call,
      read(call.params.id ?? '', openCursor(cursor), call.query, call.actor),
    )
    const page = takePage(call, rows[0], limit, position)
    return ok(
      page.rows.map((facts) => row(facts, call.nowMs)),
      page.headers,
    )
  }
}

export async function showInvestor(call: CallOf<typeof investors.getInvestor>) {
  const { facts, rows } = await readFile(call, readBooks(call.params.id ?? ''))
  return ok(limitToScope(call.actor, toInvestorDetail({ facts, figures: computeFigures(rows[0]) })))
}

/** An investor's activity log; empty if the investor turned it off. */
export const listInvestorActivity = listPart({
  read: (investor, after, { limit }: PartQuery) => readActivity(investor, after, limit),
  position: ({ at, seq }) => ({ at, seq }),
  row: toActivityRow,
})

/** An investor's identity documents, who decided on each, and who viewed it when. */
export const listInvestorDocuments = listPart({
  read: (investor, after, { limit }: PartQuery) => readRecords(investor, after, limit),
  position: ({ seq }) => ({ at: 0, seq }),
  row: (facts) => ({
    ...toKycRecord(facts),
    ref: facts.ref,
    decidedAt: toIsoOrNull(facts.decidedAt),
    decidedBy: facts.decidedBy,
  }),
})

/** An investor's deposits and withdrawals, as the investor sees them. */
export const listInvestorRequests = listPart({
  read: (investor, after, { limit, kind, status }: QueryOf<typeof contract.listInvestorRequests>) =>
    readPage(investor, { limit, kind, status, from: undefined, to: undefined }, after),
  position: ({ createdAt, seq }) => ({ at: createdAt, seq }),
  row: toTransaction,
})

const s = alias(sessions, 's')
const { createdAt, lastSeenAt, expiresAt, endedAt, confirmedAt, ip, userAgent } = s

/** An investor's stored sessions. Their ids are not shown: each is half of a token. */
export const listInvestorSessions = listPart({
  read: (investor, after, { limit }: PartQuery) =>
    selectRows({
      seq: sql<number>`s.rowid`,
      ...{ createdAt, lastSeenAt, expiresAt, endedAt, confirmedAt, ip, userAgent },
    })
      .from(s)
      .where(
        sql`s.user_id = ${investor} AND ${after === null ? sql`1` : sql`(s.created_at, s.rowid) < (${after.at}, ${after.seq})`}`,
      )
      .orderBy(sql`s.created_at DESC, s.rowid DESC`)
      .limit(limit + 1),
  position: ({ createdAt, seq }) => ({ at: createdAt, seq }),
  row: ({ seq, createdAt, lastSeenAt, expiresAt, endedAt, confirmedAt, ip, userAgent }, nowMs) => {
    const endsAt = endedAt ?? Math.min(expiresAt, lastSeenAt + IDLE_MS)
    return {
      _id: String(seq),
      createdAt: toIso(createdAt),
      lastSeenAt: toIso(lastSeenAt),
      endedAt: toIso(endsAt),
      isLive: endedAt === null && endsAt > nowMs,
      isKnown: confirmedAt !== null,
      ip,
      userAgent,
    }
  },
})

/** An investor's current notification, the times of earlier ones, and the mails, whose text is not stored. */
export async function showNotifications(call: CallOf<typeof contract.getReceivedMessages>) {
  const id = call.params.id ?? ''
  const [l, a, m] = [alias(auditLog, 'l'), alias(users, 'a'), alias(outbox, 'm')]
  const { title, content, createdAt: at } = notifications
  const { id: _id, subject } = m
  const wasPersistent = sql<0 | 1 | null>`json_extract(l.detail, '$.persistent')`
  const { rows } = await readFile(
    call,
    selectRows({ title, content, persistent: sql<0 | 1>`persistent`, seen: sql<0 | 1>`seen`, at })
      .from(notifications)
      .where(eq(notifications.userId, id)),
    selectRows({ at: l.at, by: a.displayName, persistent: wasPersistent })
      .from(l)
      .innerJoin(a, eq(a.id, l.actor))
      .where(sql`l.subject = ${id} AND l.action = 'investor.notified'`)
      .orderBy(desc(l.seq))
      .limit(MOST_NOTIFIED),
    selectRows({ _id, at: m.createdAt, subject, deliveredAt: m.deliveredAt })
      .from(m)
      .where(sql`m.recipient = (SELECT email FROM users WHERE id = ${id} AND role = 'investor')`)
      .orderBy(desc(m.seq))
      .limit(MOST_NOTIFIED),
  )
  const [[last], sent, mails] = rows
  return ok({
    notification: last
      ? { ...last, persistent: last.persistent === 1, seen: last.seen === 1, at: toIso(last.at) }
      : null,
    sent: sent.map(({ at, by, persistent }) => ({ at: toIso(at), by, persistent: persistent === 1 })),
    mails: mails.map((mail) => ({ ...mail, at: toIso(mail.at), deliveredAt: toIsoOrNull(mail.deliveredAt) })),
  })
}

type NoteFacts = Pick<RowOf<typeof readNotes>, 'id' | 'at' | 'by' | 'text' | 'confidential'>

/** Reads `limit + 1` notes that the operator may read, newest first. */
export function readNotes(investor: string, after: Position | null, { limit }: PartQuery, reader: Actor) {
  const [n, a] = [alias(investorNotes, 'n'), alias(users, 'a')]
  return selectRows({ ...getTableColumns(n), by: a.displayName })
    .from(n)
    .innerJoin(a, eq(a.id, n.author))
    .where(
      sql`n.investor = ${investor} AND ${canReadNote(reader)} AND ${after === null ? sql`1` : sql`n.seq < ${after.seq}`}`,
    )
    .orderBy(desc(n.seq))
    .limit(limit + 1)
}

export const listInvestorNotes = listPart({
  read: readNotes,
  position: ({ seq }) => ({ at: 0, seq }),
  row: toNote,
})

/** Adds a note about an investor. The audit log does not get its text, because the text is erased with the person. */
export async function addInvestorNote(call: CallOf<typeof investors.addInvestorNote>, { facts }: Investor) {
  const { db, nowMs, actor, body } = call
  if (facts.isErased) refuse('conflict', { msg: 'This person was erased, so notes cannot be added.' })
  const id = newId()
  const { text } = body
  const confidential = body.confidential === true ? 1 : 0
  return commitReserved(call, {
    statements: [
      db
        .insert(investorNotes)
        .values({ id, investor: facts.id, author: actor.id, at: nowMs, text, confidential }),
    ],
    audit: [
      {
        action: confidential === 1 ? 'investor.noted_confidentially' : 'investor.noted',
        subject: facts.id,
        detail: { note: id },
      },
    ],
    answer: created(toNote({ id, at: nowMs, by: actor.displayName, text, confidential })),
  })
}

export function toNote({ id, at, by, text, confidential }: NoteFacts): investors.InvestorNote {
  return { _id: id, at: toIso(at), by, text, ...(confidential === 1 && { confidential: true }) }
}
