import { type SQL, sql } from 'drizzle-orm'
import {
  CASE_REFERENCE,
  type ContactMessage,
  getMessage,
  type MentionedCase,
} from '../../../src/contract/console/messages.ts'
import { toUsd } from '../../../src/contract/money.ts'
import { type ActorCall, createItemRoute, ok } from '../../http/call.ts'
import { toIso } from '../../http/paging.ts'
import { buildQuery, type Database, type RowQuery, readTogether } from '../../lib/database.ts'
import { refuse } from '../../lib/errors.ts'
import { toInvestor } from '../cases/requests.ts'

/** A thread with its entries. The first one is the message itself. */
export interface Thread {
  readonly facts: MessageFacts
  readonly entries: readonly EntryFacts[]
}

/** Loads the thread that `:id` names, or refuses `not_found`. */
export async function loadThread({ db, params }: ActorCall): Promise<Thread> {
  const id = params.id ?? ''
  const [[facts], later] = await readTogether(
    db,
    readMessages(sql`m.id = ${id}`, 1),
    buildQuery<EntryFacts>(sql`
      SELECT e.id, e.place, e.at, o.display_name AS by, e.text
      FROM thread_entries e LEFT JOIN users o ON o.id = e.operator
      WHERE e.thread = ${id} ORDER BY e.place`),
  )
  if (facts === undefined) return refuse('not_found')
  const { createdAt: at, message: text } = facts
  return { facts, entries: [{ id: facts.id, place: 1, at, by: null, text }, ...later] }
}

export const showMessage = createItemRoute(getMessage, loadThread, async ({ db }, thread) =>
  ok(await buildThreadRow(db, thread)),
)

/** A thread as the answers about one thread show it. */
export async function buildThreadRow(db: Database, { facts, entries }: Thread): Promise<ContactMessage> {
  return {
    ...toMessageRow(facts),
    entries: entries.map(({ id, at, by, text }) => ({ _id: id, at: toIso(at), by, text })),
    mentioned: await readMentioned(db, facts.investor, entries),
  }
}

/** At most so many references of a thread are looked up. */
const MOST_MENTIONED = 20

/** The cases whose references stand in the entries, in the order of the text. */
async function readMentioned(
  db: Database,
  investor: string | null,
  entries: readonly EntryFacts[],
): Promise<MentionedCase[]> {
  const found = entries.flatMap(({ text }) => text.match(CASE_REFERENCE) ?? [])
  const refs = [...new Set(found.map((ref) => ref.toUpperCase()))].slice(0, MOST_MENTIONED)
  if (refs.length === 0) return []
  const among = sql`ref IN (SELECT value FROM json_each(${JSON.stringify(refs)}))`
  const [rows] = await readTogether(
    db,
    buildQuery<Omit<MentionedCase, 'isTheirs'> & { owner: string | null }>(sql`
      SELECT ref, iif(queue = 'deposits', 'deposit', 'withdrawal') AS kind, id AS _id, status, amount, investor AS owner
      FROM requests WHERE ${among}
      UNION ALL SELECT ref, 'kyc', id, status, NULL, user_id FROM kyc_submissions WHERE ${among}
      UNION ALL SELECT ref, 'message', id, status, NULL, investor FROM contact_messages WHERE ${among}`),
  )
  return rows
    .map(({ owner, amount, ...mentioned }) => ({
      ...mentioned,
      amount: amount === null ? null : toUsd(amount),
      isTheirs: owner !== null && owner === investor,
    }))
    .toSorted((a, b) => refs.indexOf(a.ref) - refs.indexOf(b.ref))
}

interface EntryFacts {
  readonly id: string
  readonly place: number
  readonly at: number
  readonly by: string | null
  readonly text: string
}

export interface MessageFacts {
  readonly seq: number
  readonly id: string
  readonly ref: string
  readonly name: string
  readonly email: string
  readonly message: string
  readonly status: ContactMessage['status']
  readonly createdAt: number
  readonly openedAt: number
  readonly handledAt: number | null
  readonly replies: number
  readonly answeredBy: string | null
  readonly closedByName: string | null
  readonly isProven: 0 | 1
  readonly investor: string | null
  readonly investorName: string | null
  readonly investorEmail: string | null
}

/** Threads `m` under a condition, newest first unless told otherwise. */
export function readMessages(where: SQL, limit: number, by = sql`m.seq DESC`): RowQuery<MessageFacts> {
  return buildQuery(sql`
    SELECT m.seq, m.id, m.ref, m.name, m.email, m.message, m.status, m.created_at AS createdAt, m.opened_at AS openedAt, m.handled_at AS handledAt,
           (SELECT count(*) FROM thread_entries e WHERE e.thread = m.id AND e.operator IS NOT NULL) AS replies,
           (SELECT o.display_name FROM thread_entries e JOIN users o ON o.id = e.operator
             WHERE e.thread = m.id ORDER BY e.place DESC LIMIT 1) AS answeredBy,
           u.display_name AS closedByName, m.investor IS NOT NULL AS isProven,
           v.id AS investor, v.display_name AS investorName, v.email AS investorEmail
    FROM contact_messages m LEFT JOIN users u ON u.id = m.closed_by
    LEFT JOIN users v ON v.email = lower(m.email) AND v.role = 'investor'
    WHERE ${where} ORDER BY ${by} LIMIT ${limit}`)
}

export function toMessageRow(facts: MessageFacts): ContactMessage {
  const { id, ref, name, email, message, status, replies, answeredBy } = facts
  const { investor, investorName, investorEmail } = facts
  return {
    _id: id,
    ref,
    name,
    email,
    message,
    status,
    createdAt: toIso(facts.createdAt),
    openedAt: toIso(facts.openedAt),
    replies,
    answeredBy,
    closedBy: facts.closedByName,
    isProven: facts.isProven === 1,
    investor:
      investor === null || investorName === null || investorEmail === null
        ? null
        : toInvestor({ investor, investorName, investorEmail }),
  }
}
