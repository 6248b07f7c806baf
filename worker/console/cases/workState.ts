import { type SQL, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import {
  type Assignment,
  type Hold,
  LOCKED_MINUTES,
  type Waits,
} from '../../../src/contract/console/cases.ts'
import { WORK_KIND_NAMES, WORK_KINDS, type WorkKind } from '../../../src/contract/console/work.ts'
import { isolate } from '../../../src/contract/isolate.ts'
import type { ActorCall } from '../../http/call.ts'
import { toIso, toIsoOrNull } from '../../http/paging.ts'
import { parseStored, selectRows } from '../../lib/database.ts'
import { refuse } from '../../lib/errors.ts'

/** SQL of the field `work` of a case's row, for `parseWork`: JSON of its assignment, its last question, since when it waits without its time on hold, and its target. A kind of NULL is not open. */
export function selectWork(kind: SQL, caseId: SQL, since: SQL): SQL<string | null> {
  return sql`json_object(
    'assigned', (SELECT json_object('operator', h.operator, 'name', o.display_name, 'at', h.at, 'expiresAt', h.expires_at)
      FROM case_assignments h JOIN users o ON o.id = h.operator WHERE h.case_id = ${caseId}),
    'hold', (SELECT json_object('at', h.at, 'by', o.display_name, 'thread', h.thread, 'endedAt', h.ended_at)
      FROM case_holds h JOIN users o ON o.id = h.operator
      WHERE h.case_id = ${caseId} AND h.kind = ${kind} ORDER BY h.at DESC LIMIT 1),
    'since', ${since} + ${sumHeld(kind, caseId)}, 'hours', ${selectTargetHours(kind)})`
}

/** Reads the field `work` of an open request as it will be once a decision makes it this kind of work, and ends its assignment. */
export function readNextWork(kind: WorkKind, request: string, since = sql`r.created_at`) {
  const work = selectWork(sql`${kind}`, sql`r.id`, since)
  return selectRows({ work: sql<string>`json_set(${work}, '$.assigned', NULL)` })
    .from(sql`requests r`)
    .where(sql`r.id = ${request}`)
}

const storedWork = z.object({
  assigned: z.nullable(
    z.object({ operator: z.string(), name: z.string(), at: z.number(), expiresAt: z.number() }),
  ),
  hold: z.nullable(
    z.object({ at: z.number(), by: z.string(), thread: z.string(), endedAt: z.nullable(z.number()) }),
  ),
  since: z.nullable(z.number()),
  hours: z.nullable(z.number()),
})

interface WorkState {
  readonly assigned: Assignment | null
  readonly hold: Hold | null
  readonly waitsSince: string | null
  readonly dueAt: string | null
}

/** Parses the state of a case. An expired assignment is left out, and a case on hold has no times. */
export function parseWork(
  { work }: { readonly work: string | null },
  { nowMs }: Pick<ActorCall, 'nowMs'>,
): WorkState {
  if (work === null) return { assigned: null, hold: null, waitsSince: null, dueAt: null }
  const { assigned, hold, since, hours } = parseStored(storedWork, work)
  const waits = since !== null && hours !== null && hold?.endedAt !== null
  return {
    assigned:
      assigned === null || assigned.expiresAt <= nowMs
        ? null
        : {
            _id: assigned.operator,
            name: assigned.name,
            since: toIso(assigned.at),
            until: toIso(assigned.expiresAt),
          },
    hold: hold && {
      since: toIso(hold.at),
      by: hold.by,
      thread: hold.thread,
      answeredAt: toIsoOrNull(hold.endedAt),
    },
    waitsSince: waits ? toIso(since) : null,
    dueAt: waits ? toIso(since + hours * 3_600_000) : null,
  }
}

/** Refuses a decision about a case that another operator has not had for long. They take it over first. */
export function assertNotAssigned(
  facts: { readonly work: string | null },
  call: Pick<ActorCall, 'actor' | 'nowMs'>,
): void {
  const { assigned } = parseWork(facts, call)
  if (assigned === null || assigned._id === call.actor.id) return
  if (Date.parse(assigned.since) > call.nowMs - LOCKED_MINUTES * 60_000)
    refuse('case_assigned', {
      msg: `${isolate(assigned.name)} has this case. Take it over before you decide it.`,
    })
}

const DEFAULT_HOURS = sql.raw(
  `'${JSON.stringify(Object.fromEntries(WORK_KIND_NAMES.map((kind) => [kind, WORK_KINDS[kind].hours])))}'`,
)

/** SQL of the target of a kind, in hours: the setting or its default. */
export function selectTargetHours(kind: SQL): SQL<number> {
  return sql`coalesce((SELECT json_extract(value, '$.' || ${kind}) FROM settings WHERE key = 'targets'),
    json_extract(${DEFAULT_HOURS}, '$.' || ${kind}))`
}

/** SQL of the milliseconds that a case was on hold. */
export function sumHeld(kind: SQL, caseId: SQL): SQL<number> {
  return sql`coalesce((SELECT sum(h.ended_at - h.at) FROM case_holds h WHERE h.case_id = ${caseId} AND h.kind = ${kind}), 0)`
}

/** SQL condition: the case waits for its investor's answer. */
export function isOnHold(kind: SQL, caseId: SQL): SQL {
  return sql`EXISTS (SELECT 1 FROM case_holds h WHERE h.case_id = ${caseId} AND h.kind = ${kind} AND h.ended_at IS NULL)`
}

/** SQL condition on a deposit's id: it goes to the investor's own address, and its chain has not proved the payment yet. */
export function awaitsPayment(request: SQL): SQL {
  return sql`(
    EXISTS (SELECT 1 FROM deposit_details d JOIN deposit_addresses a ON a.address = d.payment_to WHERE d.request = ${request})
    AND NOT EXISTS (SELECT 1 FROM payments p WHERE p.request = ${request}))`
}

/** SQL condition: whom an open case waits for. True without a filter. */
export function isWaitingFor(whom: Waits, kind: SQL, caseId: SQL): SQL {
  switch (whom) {
    case undefined:
      return sql`1`
    case 'investor':
      return isOnHold(kind, caseId)
    case 'payment':
      return awaitsPayment(caseId)
    case 'operator':
      return sql`(NOT ${isOnHold(kind, caseId)} AND NOT ${awaitsPayment(caseId)})`
  }
}

/** SQL of the ids of the caller's cases. */
export function selectAssignedCases({ actor, nowMs }: Pick<ActorCall, 'actor' | 'nowMs'>): SQL {
  return sql`SELECT case_id FROM case_assignments WHERE operator = ${actor.id} AND expires_at > ${nowMs}`
}

/** SQL condition: the case is assigned to the caller, or unassigned. True without a filter. */
export function isAssignedTo(
  whom: 'me' | 'nobody' | undefined,
  caseId: SQL,
  { actor, nowMs }: Pick<ActorCall, 'actor' | 'nowMs'>,
): SQL {
  const current = sql`SELECT 1 FROM case_assignments h WHERE h.case_id = ${caseId} AND h.expires_at > ${nowMs}`
  if (whom === undefined) return sql`1`
  return whom === 'me' ? sql`EXISTS (${current} AND h.operator = ${actor.id})` : sql`NOT EXISTS (${current})`
}

/** SQL of the kind of an open request `r`; NULL if it is decided. */
export const KIND_OF_REQUEST = sql`CASE
  WHEN r.queue = 'withdrawals' THEN CASE r.status WHEN 'pending' THEN 'withdrawal' WHEN 'approved' THEN 'payout' END
  WHEN r.status = 'pending' THEN iif(EXISTS (SELECT 1 FROM credit_approvals c WHERE c.request = r.id), 'second_credit', 'deposit') END`

/**
 * SQL: the time when an approved withdrawal becomes payable: its approval, or the end of its delay if that is later.
 * @param approvedAt the time of the approval while its row is not yet written
 */
export function selectPayableFrom(request: SQL, approvedAt = sql`0`): SQL<number> {
  return sql`max(
    coalesce((SELECT e.at FROM request_events e WHERE e.request = ${request} AND e.status = 'approved'), ${approvedAt}),
    coalesce((SELECT h.held_until FROM withdrawal_details h WHERE h.request = ${request}), 0))`
}

/** SQL of the time since when an open request `r` waits for its step. */
export const SINCE_OF_REQUEST = sql`iif(
  r.queue = 'withdrawals' AND r.status = 'approved', ${selectPayableFrom(sql`r.id`)}, r.created_at)`
