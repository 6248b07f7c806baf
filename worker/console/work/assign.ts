import { and, eq, sql } from 'drizzle-orm'
import { ASSIGNMENT_HOURS } from '../../../src/contract/console/cases.ts'
import type { Proposal } from '../../../src/contract/console/proposals.ts'
import { getWorkKind, type WorkKind } from '../../../src/contract/console/work.ts'
import type {
  assignCase as endpoint,
  listColleagues as listing,
} from '../../../src/contract/console/workItems.ts'
import { isolate } from '../../../src/contract/isolate.ts'
import { parseRoles, ROLES_OF_PROPOSALS } from '../../../src/contract/roles.ts'
import type { Actor } from '../../http/actor.ts'
import { type ActorCall, type CallOf, ok } from '../../http/call.ts'
import { toIso } from '../../http/paging.ts'
import { hasRole, hasScope } from '../../http/scopes.ts'
import {
  type RowOf,
  type RowQuery,
  type RowsOf,
  readTogether,
  selectRows,
  selectValues,
} from '../../lib/database.ts'
import { refuse, refuseField } from '../../lib/errors.ts'
import { hasSecondFactor } from '../../lib/hasSecondFactor.ts'
import { buildLink, composeMail } from '../../lib/mail/compose.ts'
import { caseAssignments } from '../../lib/tables/operators.ts'
import { users } from '../../lib/tables/people.ts'
import { parseWork, selectWork } from '../cases/workState.ts'
import { selectOpen } from './kinds.ts'

/** An assignment to another operator lasts longer, because they may not be there yet. */
const OTHERS_HOURS = 24
const MOST_COLLEAGUES = 200

export type OpenCase = RowOf<typeof readOpenCase>

/** An open case by its id, with its kind and the subject of its audit lines. An id is of one kind at a time. */
function readOpenCase(id: string) {
  return selectRows({
    id: sql<string>`w.id`,
    kind: sql<WorkKind>`w.kind`,
    subject: sql<string>`coalesce((SELECT investor FROM factor_recoveries WHERE id = w.id), w.id)`,
    work: selectWork(sql`w.kind`, sql`w.id`, sql`w.created_at`),
    proposal: sql<Proposal['kind'] | null>`(SELECT kind FROM proposals WHERE id = w.id)`,
  }).from(sql`(${selectOpen(id)}) w`)
}

const TABLES = [
  'requests',
  'kyc_submissions',
  'factor_recoveries',
  'sanctions_hits',
  'contact_messages',
  'proposals',
  'payments',
  'unknown_receipts',
  'payouts',
  'users',
]

/** Loads an open case, whatever its kind, and what `further` reads. Refuses `not_found` for an unknown id, and `already_decided` for a case that is not open. */
export async function loadOpenCase<const Reads extends readonly RowQuery<unknown>[]>(
  { db, params }: ActorCall,
  ...further: Reads
): Promise<[OpenCase, ...RowsOf<Reads>]> {
  const id = params.id ?? ''
  const known = [
    ...TABLES.map((table) => sql`EXISTS (SELECT 1 FROM ${sql.raw(table)} WHERE id = ${id})`),
    sql`EXISTS (SELECT 1 FROM custody_differences WHERE seq = CAST(${id} AS INTEGER) AND CAST(seq AS TEXT) = ${id})`,
    sql`EXISTS (SELECT 1 FROM self_checks WHERE name = ${id})`,
  ]
  const [[found], [is], ...others] = await readTogether(
    db,
    readOpenCase(id),
    selectValues({ known: sql<0 | 1>`${sql.join(known, sql` OR `)}` }),
    ...further,
  )
  if (found !== undefined) return [found, ...(others as unknown as RowsOf<Reads>)]
  return is?.known === 1
    ? refuse('already_decided', { msg: 'This case does not wait for an operator.' })
    : refuse('not_found')
}

export function loadCaseToAssign(call: ActorCall) {
  return loadOpenCase(call, readColleagues())
}

/** The operators who can act, with their roles. Without a second factor nobody can open the console. */
export function readColleagues() {
  return selectRows({
    id: users.id,
    name: users.displayName,
    email: users.email,
    operatorRoles: users.operatorRoles,
  })
    .from(users)
    .where(
      sql`role = 'operator' AND disabled_at IS NULL AND id NOT IN ('system', 'practice') AND ${sql.raw(hasSecondFactor('users.id'))}`,
    )
    .orderBy(users.displayName)
    .limit(MOST_COLLEAGUES)
}

export async function listColleagues({ db }: CallOf<typeof listing>) {
  const [rows] = await readTogether(db, readColleagues())
  return ok(rows.map(({ id, name, operatorRoles }) => ({ _id: id, name, roles: parseRoles(operatorRoles) })))
}

/**
 * Assigns an open case to an operator who can decide it, or returns it to the queue. Only its assignee passes a case on, but other
 * operators can take it over. If two operators take it at once, a trigger refuses the second.
 */
export async function assignCase(
  call: CallOf<typeof endpoint>,
  [found, colleagues]: Awaited<ReturnType<typeof loadCaseToAssign>>,
) {
  const { db, env, actor, nowMs, body } = call
  const { to = actor.id } = body
  const { id, kind, subject, proposal } = found
  const { scope, href, one } = getWorkKind(kind)
  const canDecide = (operator: Pick<Actor, 'operatorRoles'>) =>
    proposal === null ? hasScope(operator, scope) : hasRole(operator, ROLES_OF_PROPOSALS[proposal])
  if (!canDecide(actor)) refuse('forbidden')
  const { assigned: before } = parseWork(found, call)
  const isMine = before !== null && before._id === actor.id
  const drop = db
    .delete(caseAssignments)
    .where(and(eq(caseAssignments.caseId, id), eq(caseAssignments.operator, before?._id ?? actor.id)))
  if (to === null) {
    if (!isMine) refuse('conflict', { msg: 'This case is not assigned to you.' })
    return call.commit({
      statements: [drop],
      audit: [{ action: 'case.unassigned', subject, detail: { kind } }],
      answer: ok({ assigned: null }),
    })
  }
  const isTaken = before !== null && !isMine
  if (isTaken && !(body.takeOver === true && to === actor.id))
    refuse('case_assigned', { msg: `${isolate(before.name)} has this case. Do you take it over?` })
  const isOther = to !== actor.id
  const assignee = isOther
    ? colleagues.find((colleague) => colleague.id === to && canDecide(colleague))
    : { name: actor.displayName, email: actor.email }
  if (assignee === undefined) return refuseField('to', 'This operator cannot do this kind of work')
  const at = before === null || isTaken || isOther ? nowMs : Date.parse(before.since)
  const expiresAt = nowMs + (isOther ? OTHERS_HOURS : ASSIGNMENT_HOURS) * 3_600_000
  const taken = { operator: to, at, expiresAt }
  return call.commit({
    statements: [
      ...(before !== null && to !== before._id ? [drop] : []),
      db
        .insert(caseAssignments)
        .values({ caseId: id, ...taken })
        .onConflictDoUpdate({ target: caseAssignments.caseId, set: taken }),
    ],
    audit: [
      isTaken
        ? { action: 'case.taken_over', subject, detail: { kind, from: before._id } }
        : { action: 'case.assigned', subject, detail: { kind, ...(isOther && { to }) } },
    ],
    mails: isOther
      ? [
          composeMail(assignee.email, 'A case was assigned to you', assignee.name, [
            `${isolate(actor.displayName)} assigned ${one} to you. It is in My work, under “Assigned to you”.`,
            {
              label: 'Open the case',
              href: buildLink(env, `${href}${href.includes('?') ? '&' : '?'}open=${encodeURIComponent(id)}`),
            },
          ]),
        ]
      : [],
    answer: ok({
      assigned: { _id: to, name: assignee.name, since: toIso(at), until: toIso(expiresAt) },
    }),
  })
}
