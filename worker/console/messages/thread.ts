import { eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import {
  CASE_REFERENCE,
  type ContactMessage,
  type getMessage,
  MESSAGE_TOPICS,
  type MentionedCase,
  type MessageTopic,
  type Situation,
} from '../../../src/contract/console/messages.ts'
import { toUsd } from '../../../src/contract/money.ts'
import { CASE_SCOPES } from '../../../src/contract/roles.ts'
import { DAY_MS } from '../../../src/time.ts'
import { type ActorCall, type CallOf, ok } from '../../http/call.ts'
import { toIso, toIsoOrNull } from '../../http/paging.ts'
import { hasScope } from '../../http/scopes.ts'
import { type RowOf, readTogether, selectRows } from '../../lib/database.ts'
import { refuse } from '../../lib/errors.ts'
import { contactMessages, threadEntries } from '../../lib/tables/outreach.ts'
import { users } from '../../lib/tables/people.ts'
import { toInvestor } from '../cases/requests.ts'
import { parseWork, selectWork } from '../cases/workState.ts'

/** A thread with its entries. The first one is the message itself. */
export interface Thread {
  readonly facts: MessageFacts
  readonly entries: readonly RowOf<typeof readEntries>[]
  readonly situation: readonly RowOf<typeof readSituation>[]
}

/** Loads the thread that `:id` names, or refuses `not_found`. */
export async function loadThread({ db, params, nowMs }: ActorCall): Promise<Thread> {
  const id = params.id ?? ''
  const [[facts], later, situation] = await readTogether(
    db,
    readMessages(sql`m.id = ${id}`, 1),
    readEntries(id),
    readSituation(id, nowMs),
  )
  if (facts === undefined) return refuse('not_found')
  const { createdAt: at, message: text } = facts
  return {
    facts,
    entries: [{ id: facts.id, place: 1, at, by: facts.askedByName, text }, ...later],
    situation,
  }
}

export async function showMessage(call: CallOf<typeof getMessage>, thread: Thread) {
  return ok(await buildThreadRow(call, thread))
}

/** A thread as the answers about one thread show it. */
export async function buildThreadRow(
  call: ActorCall,
  { facts, entries, situation }: Thread,
): Promise<ContactMessage> {
  return {
    ...toMessageRow(facts, call),
    entries: entries.map(({ id, at, by, text }) => ({ _id: id, at: toIso(at), by, text })),
    mentioned: await readMentioned(call, entries, facts.investor),
    situation: situation.map(({ amount, until, at, ...state }) => ({
      ...state,
      at: toIso(at),
      amount: showAmount(call, state.kind, amount),
      until: toIsoOrNull(until),
    })),
  }
}

/** At most so many references are looked up. */
const MOST_MENTIONED = 20

/** The cases whose references stand in the texts, in their order. `investor` is whose they may be. */
export async function readMentioned(
  call: ActorCall,
  texts: readonly { readonly text: string }[],
  investor: string | null = null,
): Promise<MentionedCase[]> {
  const found = texts.flatMap(({ text }) => text.match(CASE_REFERENCE) ?? [])
  const refs = [...new Set(found.map((ref) => ref.toUpperCase()))].slice(0, MOST_MENTIONED)
  if (refs.length === 0) return []
  const among = sql`ref IN (SELECT value FROM json_each(${JSON.stringify(refs)}))`
  const [rows] = await readTogether(
    call.db,
    selectRows({
      ref: sql<string>`ref`,
      kind: sql<MentionedCase['kind']>`kind`,
      _id: sql<string>`_id`,
      status: sql<MentionedCase['status']>`status`,
      amount: sql<number | null>`amount`,
      owner: sql<string | null>`owner`,
    }).from(sql`(
      SELECT ref, iif(queue = 'deposits', 'deposit', 'withdrawal') AS kind, id AS _id, status, amount, investor AS owner
      FROM requests WHERE ${among}
      UNION ALL SELECT ref, 'kyc', id, status, NULL, user_id FROM kyc_submissions WHERE ${among}
      UNION ALL SELECT ref, 'message', id, status, NULL, investor FROM contact_messages WHERE ${among})`),
  )
  return rows
    .map(({ owner, amount, ...mentioned }) => ({
      ...mentioned,
      amount: showAmount(call, mentioned.kind, amount),
      isTheirs: owner !== null && owner === investor,
    }))
    .toSorted((a, b) => refs.indexOf(a.ref) - refs.indexOf(b.ref))
}

/** An amount in USD; null for operators who may not see such cases. */
function showAmount(
  { actor }: ActorCall,
  kind: MentionedCase['kind'] | Situation['kind'],
  amountCents: number | null,
): number | null {
  const isShown = amountCents !== null && (kind === 'deposit' || kind === 'withdrawal')
  return isShown && hasScope(actor, CASE_SCOPES[kind]) ? toUsd(amountCents) : null
}

const MOST_REQUESTS = 6
const RECENT_MS = 30 * DAY_MS

/** The state of the account of a thread's writer: open and recent requests, the newest identity document, a lost factor, a lock. */
function readSituation(thread: string, nowMs: number) {
  return selectRows({
    kind: sql<Situation['kind']>`kind`,
    ref: sql<string | null>`ref`,
    status: sql<string>`status`,
    amount: sql<number | null>`amount`,
    until: sql<number | null>`until`,
    at: sql<number>`at`,
  }).from(sql`(
    WITH writer AS (
      SELECT v.id, v.locked_at FROM contact_messages m JOIN users v ON v.email = lower(m.email) AND v.role = 'investor' AND v.closed_at IS NULL
      WHERE m.id = ${thread})
    SELECT 'lock' AS kind, NULL AS ref, 'locked' AS status, NULL AS amount, NULL AS until, locked_at AS at FROM writer WHERE locked_at IS NOT NULL
    UNION ALL SELECT 'factor_recovery', NULL, 'open', NULL, NULL, f.filed_at FROM writer w
    JOIN factor_recoveries f ON f.investor = w.id AND f.filed_at IS NOT NULL AND f.ended_at IS NULL
    UNION ALL SELECT * FROM (
      SELECT iif(r.queue = 'deposits', 'deposit', 'withdrawal'), r.ref, r.status, r.amount, iif(r.status IN ('pending', 'approved'), h.held_until, NULL), r.created_at
      FROM writer w JOIN requests r ON r.investor = w.id LEFT JOIN withdrawal_details h ON h.request = r.id AND h.held_until > ${nowMs}
      WHERE r.created_at > ${nowMs - RECENT_MS} OR (r.status IN ('pending', 'approved') AND NOT (r.queue = 'deposits' AND r.status = 'approved'))
      ORDER BY r.created_at DESC LIMIT ${MOST_REQUESTS})
    UNION ALL SELECT * FROM (
      SELECT 'kyc', k.ref, iif(k.final = 1, 'rejected for good', k.status), NULL, NULL, k.created_at
      FROM writer w JOIN kyc_submissions k ON k.user_id = w.id AND k.kind = 'identity' ORDER BY k.seq DESC LIMIT 1))`)
}

/** The later entries of a thread; `by` is null for its writer. */
function readEntries(thread: string) {
  const [e, o] = [alias(threadEntries, 'e'), alias(users, 'o')]
  return selectRows({ id: e.id, place: e.place, at: e.at, by: o.displayName, text: e.text })
    .from(e)
    .leftJoin(o, eq(o.id, e.operator))
    .where(eq(e.thread, thread))
    .orderBy(e.place)
}

/** SQL of the topic of a thread `m`, by the words of its writer; NULL without one. */
export const TOPIC = sql<MessageTopic | null>`(
  SELECT t.key FROM json_each(${JSON.stringify(MESSAGE_TOPICS)}) t JOIN json_each(t.value, '$.words') w
  WHERE instr(lower(m.name || ' ' || m.email || ' ' || m.message || ' ' || coalesce(
    (SELECT group_concat(e.text, ' ') FROM thread_entries e WHERE e.thread = m.id AND e.operator IS NULL), '')), w.value)
  LIMIT 1)`

export type MessageFacts = RowOf<typeof readMessages>

/** Threads `m` under a condition, newest first unless told otherwise. */
export function readMessages(where: SQL, limit: number, by = sql`m.seq DESC`) {
  const [m, u, v] = [alias(contactMessages, 'm'), alias(users, 'u'), alias(users, 'v')]
  return selectRows({
    ...getTableColumns(m),
    replies: sql<number>`(
      SELECT count(*) FROM thread_entries e WHERE e.thread = m.id AND e.operator IS NOT NULL)`,
    answeredBy: sql<string | null>`(
      SELECT o.display_name FROM thread_entries e JOIN users o ON o.id = e.operator
      WHERE e.thread = m.id ORDER BY e.place DESC LIMIT 1)`,
    answeredAt: sql<number | null>`(
      SELECT max(e.at) FROM thread_entries e WHERE e.thread = m.id AND e.operator IS NOT NULL)`,
    closedByName: u.displayName,
    askedByName: sql<string | null>`(SELECT o.display_name FROM users o WHERE o.id = m.asked_by)`,
    work: selectWork(sql`iif(m.status = 'open', 'message', NULL)`, sql`m.id`, sql`m.opened_at`),
    topic: TOPIC,
    isProven: sql<0 | 1>`m.investor IS NOT NULL`,
    investor: v.id,
    investorName: v.displayName,
    investorEmail: v.email,
  })
    .from(m)
    .leftJoin(u, eq(u.id, m.closedBy))
    .leftJoin(v, sql`v.email = lower(m.email) AND v.role = 'investor'`)
    .where(where)
    .orderBy(by)
    .limit(limit)
}

export function toMessageRow(facts: MessageFacts, call: Pick<ActorCall, 'nowMs'>): ContactMessage {
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
    ...parseWork(facts, call),
    answeredBy,
    closedBy: facts.closedByName,
    ...(facts.closedAt !== null && { closedAt: toIso(facts.closedAt) }),
    topic: facts.topic,
    isProven: facts.isProven === 1,
    investor:
      investor === null || investorName === null || investorEmail === null
        ? null
        : toInvestor({ investor, investorName, investorEmail }),
  }
}
