import { and, eq, type SQL, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import type { AuditAction } from '../../../src/contract/auditActions.ts'
import { ASSIGNMENT_HOURS, type Assignment } from '../../../src/contract/console/cases.ts'
import { isolate } from '../../../src/contract/isolate.ts'
import { type ActorCall, ok } from '../../http/call.ts'
import { toIso } from '../../http/paging.ts'
import { parseStored, type RowOf, readTogether, selectRows } from '../../lib/database.ts'
import { refuse } from '../../lib/errors.ts'
import { caseAssignments } from '../../lib/tables/operators.ts'

/** The field `assigned` that a queue's row needs for `parseAssignment`, of the case with this id: JSON; null if no operator has taken it. */
export function selectAssigned(caseId: SQL): SQL<string | null> {
  return sql`(
    SELECT json_object('operator', h.operator, 'name', o.display_name, 'at', h.at, 'expiresAt', h.expires_at)
    FROM case_assignments h JOIN users o ON o.id = h.operator WHERE h.case_id = ${caseId})`
}

export interface AssignedFacts {
  readonly assigned: string | null
}

const assignedOperator = z.object({
  operator: z.string(),
  name: z.string(),
  at: z.number(),
  expiresAt: z.number(),
})

/** The operator assigned to a case now; null if there is none. An expired assignment does not count. */
export function parseAssignment(
  { assigned }: AssignedFacts,
  { nowMs }: Pick<ActorCall, 'nowMs'>,
): Assignment | null {
  if (assigned === null) return null
  const { operator, name, at, expiresAt } = parseStored(assignedOperator, assigned)
  return expiresAt > nowMs ? { _id: operator, name, since: toIso(at), until: toIso(expiresAt) } : null
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

type Case = RowOf<typeof readCase>

/** Loads a case by a query of id, subject and whether it is open. */
function loadCase(query: (id: string) => SQL): (call: ActorCall) => Promise<Case> {
  return async ({ db, params }) => {
    const [[found]] = await readTogether(db, readCase(query(params.id ?? '')))
    return found ?? refuse('not_found')
  }
}

function readCase(query: SQL) {
  return selectRows({
    id: sql<string>`c.id`,
    /** The subject of the audit line. */
    subject: sql<string>`c.subject`,
    isOpen: sql<0 | 1>`c.isOpen`,
    assigned: selectAssigned(sql`c.id`),
  }).from(sql`(${query}) c`)
}

/** Takes a case for the caller. A trigger refuses the second of two operators who take it at once. */
export function assignCase(action: AuditAction) {
  return async (call: ActorCall, found: Case) => {
    const { db, actor, nowMs } = call
    if (found.isOpen === 0) refuse('already_decided')
    const before = parseAssignment(found, call)
    if (before !== null && before._id !== actor.id)
      refuse('case_assigned', { msg: `${isolate(before.name)} has this case. You can still decide it.` })
    const at = before === null ? nowMs : Date.parse(before.since)
    const expiresAt = nowMs + ASSIGNMENT_HOURS * 3_600_000
    const taken = { operator: actor.id, at, expiresAt }
    return call.commit({
      statements: [
        db
          .insert(caseAssignments)
          .values({ caseId: found.id, ...taken })
          .onConflictDoUpdate({ target: caseAssignments.caseId, set: taken }),
      ],
      audit: [{ action, subject: found.subject }],
      answer: ok({
        assigned: { _id: actor.id, name: actor.displayName, since: toIso(at), until: toIso(expiresAt) },
      }),
    })
  }
}

/** Gives back a case that the caller has. */
export function unassignCase(action: AuditAction) {
  return async (call: ActorCall, found: Case) => {
    const { db, actor } = call
    if (parseAssignment(found, call)?._id !== actor.id)
      refuse('conflict', { msg: 'This case is not assigned to you.' })
    return call.commit({
      statements: [
        db
          .delete(caseAssignments)
          .where(and(eq(caseAssignments.caseId, found.id), eq(caseAssignments.operator, actor.id))),
      ],
      audit: [{ action, subject: found.subject }],
      answer: ok({ assigned: null }),
    })
  }
}

export const loadDepositToAssign = loadCase(
  (id) => sql`
    SELECT id, id AS subject, status = 'pending' AS isOpen FROM requests WHERE id = ${id} AND queue = 'deposits'`,
)
export const loadWithdrawalToAssign = loadCase(
  (id) => sql`
    SELECT id, id AS subject, status IN ('pending', 'approved') AS isOpen
    FROM requests WHERE id = ${id} AND queue = 'withdrawals'`,
)
export const loadKycToAssign = loadCase(
  (id) => sql`SELECT id, id AS subject, status = 'pending' AS isOpen FROM kyc_submissions WHERE id = ${id}`,
)
export const loadRecoveryToAssign = loadCase(
  (id) => sql`
    SELECT id, investor AS subject, ended_at IS NULL AS isOpen
    FROM factor_recoveries WHERE id = ${id} AND filed_at IS NOT NULL`,
)
