import { type SQL, sql } from 'drizzle-orm'
import { toReferenceKey } from '../../src/contract/money/references.ts'
import type { Database, Statement } from '../lib/database.ts'
import { requestEvents, type requests } from '../lib/tables/requests.ts'

export type RequestRow = typeof requests.$inferSelect
export type RequestStatus = RequestRow['status']

/** A step of a request. The database checks the step, its actor, and whether a second operator is needed. */
export interface RequestEvent {
  readonly request: string
  readonly investor: string
  readonly status: Exclude<RequestStatus, 'pending'>
  readonly actor: string
  readonly atMs: number
  readonly amountCents?: number
  readonly reference?: string
  /** The operator who approved first; absent if one operator decided alone. */
  readonly secondOperator?: string
  readonly note?: string
  /** How much of a credit arrived, or of a payout by hand was sent. */
  readonly arrived?: ArrivedQuantity
  /** The price that the approval of a withdrawal fixes. */
  readonly price?: FixedPrice
  /** The network's fee of a payout by hand, in the smallest unit of the network's own coin. */
  readonly feeUnits?: bigint
}

/** USD for one coin, and the quantity that the amount buys at this price, in the coin's smallest unit. */
export interface FixedPrice {
  readonly rate: string
  readonly units: bigint
}

/** How much of a coin arrived, in its smallest unit, and the credited amount at the believed rate, if there is one. */
export interface ArrivedQuantity {
  readonly units: bigint
  readonly unitsAtRate: bigint | null
}

/** A step in the timeline of a request: the fields of `selectSteps`. */
export const STEP_FIELDS = {
  request: sql<string>`e.request`,
  status: sql<RequestStatus>`e.status`,
  at: sql<number>`e.at`,
  actor: sql<string>`e.actor`,
  reference: sql<string | null>`e.reference`,
  note: sql<string | null>`e.note`,
  /** A withdrawn approval, or the pending state after it. Neither counts any more. */
  isPast: sql<0 | 1>`e.isPast`,
}
export type Step = {
  readonly [Name in keyof typeof STEP_FIELDS]: (typeof STEP_FIELDS)[Name]['_']['type']
}

/**
 * SQL: the steps of the requests that a query selects, as a table `e`. `STEP_ORDER` sorts a request's steps by time. Withdrawn
 * approvals are in a separate table.
 */
export function selectSteps(ids: SQL): SQL {
  return sql`(
    WITH picked (id) AS MATERIALIZED (${ids})
    SELECT request, status, at, actor, reference, note, 0 AS isPast,
           CASE status WHEN 'pending' THEN 0 WHEN 'approved' THEN 2 WHEN 'completed' THEN 3 ELSE 4 END AS phase, 0 AS turn
    FROM request_events WHERE request IN (SELECT id FROM picked)
    UNION ALL
    SELECT request, 'approved', approved_at, operator, NULL, NULL, 1, 1, 2 * seq
    FROM withdrawn_payout_approvals WHERE request IN (SELECT id FROM picked)
    UNION ALL
    SELECT w.request, 'pending', w.at, s.investor, NULL, c.words || '. It waits for a new decision.', 1, 1, 2 * w.seq + 1
    FROM withdrawn_payout_approvals w JOIN payout_stops s ON s.seq = w.stop JOIN payout_stop_causes c ON c.cause = s.cause
    WHERE w.request IN (SELECT id FROM picked)) e`
}
export const STEP_ORDER = sql`e.phase, e.turn`

/** Records an event; a trigger updates the request. Aborts with `already_decided`, `second_operator_required` and others. */
export function recordEvent(db: Database, event: RequestEvent): Statement {
  return db.insert(requestEvents).values({
    request: event.request,
    investor: event.investor,
    status: event.status,
    actor: event.actor,
    at: event.atMs,
    amount: event.amountCents ?? null,
    reference: event.reference ?? null,
    referenceKey: event.reference === undefined ? null : toReferenceKey(event.reference),
    secondOperator: event.secondOperator ?? null,
    note: event.note ?? null,
    units: toIntegerSql(event.arrived?.units),
    unitsAtRate: toIntegerSql(event.arrived?.unitsAtRate ?? event.price?.units),
    rate: event.price?.rate ?? null,
    fee: toIntegerSql(event.feeUnits),
  })
}

/** An integer of any size for D1. JavaScript numbers are exact only up to 2^53. */
export function toIntegerSql(integer: bigint): SQL
export function toIntegerSql(integer: bigint | null | undefined): SQL | null
export function toIntegerSql(integer: bigint | null | undefined): SQL | null {
  return integer === null || integer === undefined ? null : sql`CAST(${integer.toString()} AS INTEGER)`
}
