import { type SQL, sql } from 'drizzle-orm'
import { referenceKey } from '../../src/contract/references.ts'
import type { Database, Statement } from '../lib/database.ts'
import { requestEvents, type requests } from './tables.ts'

export type RequestRow = typeof requests.$inferSelect
export type RequestStatus = RequestRow['status']

/** What moves a request on. The database checks the step, who takes it, and whether a second operator is needed. */
export interface RequestEvent {
  readonly request: string
  readonly investor: string
  readonly status: Exclude<RequestStatus, 'pending'>
  readonly actor: string
  readonly atMs: number
  readonly amountCents?: number
  readonly reference?: string
  /** Who approved before; absent when decided alone. */
  readonly secondOperator?: string
  readonly note?: string
  /** Of a credit: how much arrived. */
  readonly arrived?: Arrived
}

/** How much of a coin arrived, in its smallest unit, and how much the amount is at the believed rate: null without one. */
export interface Arrived {
  readonly units: bigint
  readonly unitsAtRate: bigint | null
}

/** Sorts the events `e` of a request as they came about: it passes each state once, and ends in one of the last. */
export const EVENT_ORDER = sql`CASE e.status WHEN 'pending' THEN 0 WHEN 'approved' THEN 1 WHEN 'completed' THEN 2 ELSE 3 END`

/** Records an event; a trigger moves the request with it. Aborts with `already_decided`, `second_operator_required` and the like. */
export function recordEvent(db: Database, event: RequestEvent): Statement {
  return db.insert(requestEvents).values({
    request: event.request,
    investor: event.investor,
    status: event.status,
    actor: event.actor,
    at: event.atMs,
    amount: event.amountCents ?? null,
    reference: event.reference ?? null,
    referenceKey: event.reference === undefined ? null : referenceKey(event.reference),
    secondOperator: event.secondOperator ?? null,
    note: event.note ?? null,
    units: exact(event.arrived?.units),
    unitsAtRate: exact(event.arrived?.unitsAtRate),
  })
}

/** An integer as D1 takes it whatever its size: JavaScript's numbers stop being exact at 2^53. */
export function exact(integer: bigint | null | undefined): SQL | null {
  return integer === null || integer === undefined ? null : sql`CAST(${integer.toString()} AS INTEGER)`
}
