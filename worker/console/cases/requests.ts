import { type SQL, sql } from 'drizzle-orm'
import type { RequestStatus } from '../../../src/contract/money/transactions.ts'
import type { Actor } from '../../http/actor.ts'
import { iso, type Position } from '../../http/paging.ts'
import { type Read, reading } from '../../lib/database.ts'
import { type RequestEvent, STEP_ORDER, type Step, stepsOf } from '../../money/requests/events.ts'
import { requestsMeant } from './search.ts'

export type Queue = 'deposits' | 'withdrawals'

interface QueuePage {
  readonly queue: Queue
  /** All of them where there is none. */
  readonly status: RequestStatus | undefined
  /** Whose, or which: see `requestsMeant`. */
  readonly query: string | undefined
  readonly after: Position | null
  readonly rows: number
}

/** The ids of so many requests of a queue, newest first. */
export function pageOfQueue({ queue, status, query, after, rows }: QueuePage): SQL {
  const where = sql`
    ${status === undefined ? sql`1` : sql`r.status = ${status}`}
    ${after === null ? sql`` : sql`AND r.created_at <= ${after.at} AND (r.created_at < ${after.at} OR r.seq < ${after.seq})`}`
  // The plus keeps SQLite from walking the whole queue for what was found already.
  const which =
    query === undefined
      ? sql`r.queue = ${queue}`
      : sql`+r.queue = ${queue} AND r.seq IN (${requestsMeant({ queue, query, where, rows })})`
  return sql`
    SELECT r.id FROM requests r WHERE ${which} AND ${where}
    ORDER BY r.created_at DESC, r.seq DESC LIMIT ${rows}`
}

/** The id of one request, where it is one of the queue. */
export function oneOfQueue(queue: Queue, id: string): SQL {
  return sql`SELECT r.id FROM requests r WHERE r.id = ${id} AND r.queue = ${queue}`
}

/** What every request's row begins with: columns of `requests r` and its investor `u`. */
export const REQUEST_COLUMNS = sql`
  r.seq, r.id, r.ref, r.kind, r.status, r.amount, r.asked, r.created_at AS createdAt,
  r.investor, u.display_name AS investorName, u.email AS investorEmail, u.frozen_at AS frozenAt`

export interface RequestFacts {
  readonly seq: number
  readonly id: string
  readonly ref: string
  readonly kind: 'deposit' | 'withdrawal' | 'online-service-withdrawal'
  readonly status: RequestStatus
  readonly amount: number
  readonly asked: number
  readonly createdAt: number
  readonly investor: string
  readonly investorName: string
  readonly investorEmail: string
  /** When the investor's account was frozen, if it is. */
  readonly frozenAt: number | null
}

/** One step of a request's way, with the name of who took it. */
export interface EventFacts extends Step {
  readonly actorName: string
}

/** The events of the requests whose ids a query gives, each request's in their order. */
export function readEvents(ids: SQL): Read<EventFacts> {
  return reading(sql`
    SELECT e.request, e.status, e.at, e.actor, a.display_name AS actorName, e.reference, e.note, e.isPast
    FROM ${stepsOf(ids)} JOIN users a ON a.id = e.actor ORDER BY ${STEP_ORDER}`)
}

/** Requests with their events. */
export function withEvents<Facts extends RequestFacts>(
  rows: readonly Facts[],
  events: readonly EventFacts[],
): (Facts & { readonly events: readonly EventFacts[] })[] {
  const ofRequest = Map.groupBy(events, (event) => event.request)
  return rows.map((row) => ({ ...row, events: ofRequest.get(row.id) ?? [] }))
}

/** The request as it stands once the event is recorded. */
export function afterEvent<Request extends RequestFacts & { readonly events: readonly EventFacts[] }>(
  request: Request,
  event: RequestEvent,
  actor: Actor,
): Request {
  const { status, atMs, reference, note, amountCents } = event
  return {
    ...request,
    status,
    amount: amountCents ?? request.amount,
    events: [
      ...request.events,
      {
        request: request.id,
        status,
        at: atMs,
        actor: actor.id,
        actorName: actor.displayName,
        reference: reference ?? null,
        note: note ?? null,
        isPast: 0,
      },
    ],
  }
}

/** The event that brought a request to a state, unless it was taken back. */
export function eventOf(events: readonly EventFacts[], status: RequestStatus): EventFacts | undefined {
  return events.find((event) => event.status === status && event.isPast === 0)
}

/** Why a request was refused or taken back by an operator. */
export function reasonOf(events: readonly EventFacts[]): string | null {
  return (eventOf(events, 'reversed') ?? eventOf(events, 'rejected'))?.note ?? null
}

export function timelineOf(events: readonly EventFacts[]) {
  return events.map(({ at, status, note }) => ({ at: iso(at), status, ...(note !== null && { note }) }))
}

export function investorOf(facts: Pick<RequestFacts, 'investor' | 'investorName' | 'investorEmail'>) {
  return { _id: facts.investor, name: facts.investorName, email: facts.investorEmail }
}

/** Where a request stands in its queue. */
export function positionOf({ createdAt, seq }: Pick<RequestFacts, 'createdAt' | 'seq'>): Position {
  return { at: createdAt, seq }
}
