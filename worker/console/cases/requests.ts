import { eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { CaseStep } from '../../../src/contract/console/cases.ts'
import type { RequestStatus } from '../../../src/contract/money/transactions.ts'
import type { Actor } from '../../http/actor.ts'
import type { ActorCall } from '../../http/call.ts'
import { buildFilters, MOST_FILTERED, type QueueFilters } from '../../http/filters.ts'
import type { Position } from '../../http/paging.ts'
import type { Order } from '../../http/queue.ts'
import { parseSteps, selectHistory, toStep } from '../../http/steps.ts'
import { type RequestEvent, STEP_FIELDS, STEP_ORDER, selectSteps } from '../../ledger/requestEvents.ts'
import {
  type Database,
  type RowOf,
  type RowQuery,
  type RowsOf,
  readTogether,
  selectRows,
} from '../../lib/database.ts'
import { users } from '../../lib/tables/people.ts'
import { requests } from '../../lib/tables/requests.ts'
import { selectAccepted, withAccepted } from './accepted.ts'
import { selectScreening } from './screening.ts'
import { selectMatchingRequests } from './search.ts'
import { KIND_OF_REQUEST, SINCE_OF_REQUEST, selectWork } from './workState.ts'

export type RequestQueue = 'deposits' | 'withdrawals'

interface QueuePage {
  readonly queue: RequestQueue
  /** All statuses if undefined. */
  readonly status: RequestStatus | undefined
  /** Search text, see `selectMatchingRequests`. */
  readonly query: string | undefined
  readonly filters: QueueFilters
  readonly order: Order
  readonly after: Position | null
  readonly rows: number
  /** A further condition on `requests r`. */
  readonly also?: SQL
}

const DETAILS = { deposits: sql`deposit_details`, withdrawals: sql`withdrawal_details` } as const

/** SQL of the ids of one page of a queue. */
export function selectQueuePage(page: QueuePage): SQL {
  const { queue, status, query, filters, order, rows, also = sql`1` } = page
  const { indexed, read } = buildFilters(filters, {
    id: sql`r.id`,
    at: sql`r.created_at`,
    investor: sql`r.investor`,
    amount: sql`r.amount`,
    isOfCoin: (coin) =>
      sql`EXISTS (SELECT 1 FROM ${DETAILS[queue]} d WHERE d.request = r.id AND d.coin = ${coin})`,
  })
  const where = sql`
    ${status === undefined ? sql`1` : sql`r.status = ${status}`} AND ${also} AND ${indexed} ${isAfter(page)}`
  const by = sortByCreationSql(order)
  // The unary plus keeps SQLite from walking the whole queue for rows it has already found.
  const inQueue =
    query === undefined && !filters.person && !filters.ids
      ? sql`r.queue = ${queue}`
      : sql`+r.queue = ${queue}`
  const which =
    query === undefined
      ? inQueue
      : sql`${inQueue} AND r.seq IN (${selectMatchingRequests({ queue, query, where, by, rows: read === null ? rows : MOST_SEARCHED })})`
  const from =
    read === null
      ? sql`requests r WHERE ${which} AND ${where}`
      : sql`(
          SELECT r.id, r.seq, r.investor, r.amount, r.created_at FROM requests r WHERE ${which} AND ${where}
          ORDER BY ${by} LIMIT ${filters.format === 'csv' ? -1 : MOST_FILTERED}) r WHERE ${read}`
  return sql`SELECT r.id FROM ${from} ORDER BY ${by} LIMIT ${rows}`
}

/** A search with filters compares this many requests of each matching investor. */
const MOST_SEARCHED = 100

function isAfter({ order, after }: QueuePage): SQL {
  if (after === null) return sql``
  return order === 'oldest'
    ? sql`AND r.created_at >= ${after.at} AND (r.created_at > ${after.at} OR r.seq > ${after.seq})`
    : sql`AND r.created_at <= ${after.at} AND (r.created_at < ${after.at} OR r.seq < ${after.seq})`
}

function sortByCreationSql(order: Order): SQL {
  return order === 'oldest' ? sql`r.created_at, r.seq` : sql`r.created_at DESC, r.seq DESC`
}

/** SQL of a request's id, if it is in the queue. */
export function selectQueueRequest(queue: RequestQueue, id: string): SQL {
  return sql`SELECT r.id FROM requests r WHERE r.id = ${id} AND r.queue = ${queue}`
}

/** The tables that `REQUEST_FIELDS` come from: a request and its investor. */
export const [r, u] = [alias(requests, 'r'), alias(users, 'u')]

/** The fields that every request's row begins with. */
export const REQUEST_FIELDS = {
  ...getTableColumns(r),
  investorName: u.displayName,
  investorEmail: u.email,
  /** When the investor's account was frozen; null if it is not. */
  frozenAt: u.frozenAt,
  /** The step in which its reversal was proposed, see `selectHistory`; null if it is not reversed. */
  reversalProposal: sql<string | null>`(
    SELECT ${selectHistory({ step: 'reversal_proposed', at: sql`p.created_at`, by: sql`p.proposed_by` })}
    FROM proposals p WHERE p.request = r.id AND p.status = 'approved' AND p.kind = 'reversal')`,
  work: selectWork(KIND_OF_REQUEST, sql`r.id`, SINCE_OF_REQUEST),
  screening: selectScreening(sql`r.id`),
  accepted: selectAccepted(sql`r.id`),
}

export type RequestFacts = RowOf<typeof readRequestFields>

function readRequestFields() {
  return selectRows(REQUEST_FIELDS).from(r).innerJoin(u, eq(u.id, r.investor))
}

/** One step of a request, with the name of the person who took it. */
export type EventFacts = RowOf<typeof readEvents>

function readEvents(ids: SQL) {
  const a = alias(users, 'a')
  return selectRows({ ...STEP_FIELDS, actorName: a.displayName })
    .from(selectSteps(ids))
    .innerJoin(a, sql`a.id = e.actor`)
    .orderBy(STEP_ORDER)
}

export type WithEvents<Facts> = Facts & { readonly events: readonly EventFacts[] }

/** Requests, each with its events in order. `further` reads share the round trip. */
export async function readRequests<
  Facts extends RequestFacts,
  const Reads extends readonly RowQuery<unknown>[],
>(
  db: Database,
  read: (ids: SQL) => RowQuery<Facts>,
  ids: SQL,
  ...further: Reads
): Promise<[WithEvents<Facts>[], ...RowsOf<Reads>]> {
  const [rows, events, ...others] = await readTogether(db, read(ids), readEvents(ids), ...further)
  const ofRequest = Map.groupBy(events, (event) => event.request)
  const requests = rows.map((row) => ({ ...row, events: ofRequest.get(row.id) ?? [] }))
  return [requests, ...(others as unknown as RowsOf<Reads>)]
}

/** A step that the caller takes now. */
export function createStep(
  { actor, nowMs }: ActorCall,
  { id, investor }: Pick<RequestFacts, 'id' | 'investor'>,
  status: RequestEvent['status'],
  more?: Partial<RequestEvent>,
): RequestEvent {
  return { request: id, investor, status, actor: actor.id, atMs: nowMs, ...more }
}

/** The request as it will be after the event. */
export function applyEvent<Request extends WithEvents<RequestFacts>>(
  request: Request,
  event: RequestEvent,
  actor: Actor,
): Request {
  const { status, atMs, reference = null, note = null, amountCents = request.amount } = event
  const step = { request: request.id, status, at: atMs, actor: actor.id, reference, note, isPast: 0 } as const
  return {
    ...request,
    status,
    // A trigger ends the assignment with each event.
    work: null,
    amount: amountCents,
    events: [...request.events, { ...step, actorName: actor.displayName }],
  }
}

/** The event that set a status, unless it was taken back. */
export function findEvent(events: readonly EventFacts[], status: RequestStatus): EventFacts | undefined {
  return events.find((event) => event.status === status && event.isPast === 0)
}

/** Why an operator rejected or reversed a request. */
export function findReason(events: readonly EventFacts[]): string | null {
  return (findEvent(events, 'reversed') ?? findEvent(events, 'rejected'))?.note ?? null
}

/** All steps of a request. `second` comes after it was filed: a first approval. */
export function toRequestSteps(
  {
    events,
    queue,
    reversalProposal,
    accepted,
  }: WithEvents<Pick<RequestFacts, 'queue' | 'reversalProposal' | 'accepted'>>,
  second: readonly CaseStep[] = [],
): CaseStep[] {
  const steps = events.flatMap(({ status, isPast, at, actor, actorName, note }) => {
    const name = isPast === 1 && status === 'pending' ? 'returned' : STEP_NAMES[queue][status]
    const step = toStep(name, at, actor, actorName, note)
    if (name === 'filed') return [step, ...second]
    return name === 'reversed' ? [...parseSteps(reversalProposal), step] : [step]
  })
  return withAccepted(steps, { accepted })
}

const REQUEST_STEPS = {
  pending: 'filed',
  approved: 'approved',
  completed: 'paid',
  rejected: 'rejected',
  cancelled: 'cancelled',
  reversed: 'reversed',
} as const satisfies Record<RequestStatus, CaseStep['step']>

const STEP_NAMES: Readonly<Record<RequestQueue, Readonly<Record<RequestStatus, CaseStep['step']>>>> = {
  deposits: { ...REQUEST_STEPS, approved: 'credited' },
  withdrawals: REQUEST_STEPS,
}

export function toInvestor(facts: Pick<RequestFacts, 'investor' | 'investorName' | 'investorEmail'>) {
  return { _id: facts.investor, name: facts.investorName, email: facts.investorEmail }
}

export function toPosition({ createdAt, seq }: Pick<RequestFacts, 'createdAt' | 'seq'>): Position {
  return { at: createdAt, seq }
}
