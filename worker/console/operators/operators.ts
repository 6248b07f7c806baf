import { desc, eq, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type * as investorActs from '../../../src/contract/console/investors.ts'
import * as contract from '../../../src/contract/console/operators.ts'
import { parseRoles } from '../../../src/contract/roles.ts'
import { type ActorCall, type CallOf, ok } from '../../http/call.ts'
import { toIso, toIsoOrNull } from '../../http/paging.ts'
import { createQueue } from '../../http/queue.ts'
import { addStep, parseSteps, selectHistory } from '../../http/steps.ts'
import { endSessions, revokeKeys } from '../../identity/credentials/distrust.ts'
import { endTokens } from '../../identity/credentials/emailTokens.ts'
import { stopPayouts } from '../../ledger/stopPayouts.ts'
import { type RowOf, readTogether, selectRows } from '../../lib/database.ts'
import { refuse } from '../../lib/errors.ts'
import { hasSecondFactor } from '../../lib/hasSecondFactor.ts'
import { users } from '../../lib/tables/people.ts'
import { type Investor, toInvestorDetail } from '../investors/investor.ts'
import { buildOperatorDisabledMail, buildSessionsEndedMail } from './mails.ts'

export const listOperators = createQueue(contract.listOperators, {
  read: async ({ db }, after, rows) => {
    const where = after === null ? sql`1` : sql`u.seq < ${after.seq}`
    return (await readTogether(db, readOperators(where, rows)))[0]
  },
  row: (facts, { actor }) => toOperatorRow(actor.id, facts),
})

/** The signed-in operator. */
export async function showSelf({ actor }: CallOf<typeof contract.getSelf>) {
  const { id, displayName: name, email, operatorRoles } = actor
  return ok({ _id: id, name, email, roles: parseRoles(operatorRoles) })
}

/**
 * Disables an operator at once. The database also ends their sessions, retires their document key unless it is the last one,
 * and refuses to disable the last administrator who can act.
 */
export async function disableOperator(
  call: CallOf<typeof contract.disableOperator>,
  operator: OperatorFacts,
) {
  const { db, actor, nowMs, body } = call
  refuseOwn(call, operator.id)
  if (operator.disabledAt !== null) refuse('already_decided', { msg: 'This operator is already disabled.' })
  const steps = addStep(operator.steps, 'disabled', call, body.reason)
  return call.commit({
    statements: [
      db
        .update(users)
        .set({ disabledAt: nowMs, disabledReason: body.reason, disabledBy: actor.id })
        .where(eq(users.id, operator.id)),
      endTokens(operator.id, 'reset-password', nowMs),
    ],
    audit: [{ action: 'operator.disabled', subject: operator.id }],
    mails: [buildOperatorDisabledMail(operator)],
    answer: ok(toOperatorRow(actor.id, { ...operator, disabledAt: nowMs, steps })),
  })
}

export async function endOperatorSessions(
  call: CallOf<typeof contract.endOperatorSessions>,
  operator: OperatorFacts,
) {
  const { env, actor, nowMs } = call
  const { id, email, name: displayName } = operator
  return call.commit({
    statements: [endSessions(id, nowMs)],
    audit: [{ action: 'operator.sessions_ended', subject: id }],
    mails: [await buildSessionsEndedMail(env, { id, email, displayName, role: 'operator' }, nowMs)],
    answer: ok(toOperatorRow(actor.id, operator)),
  })
}

/** Ends every session of an investor, and stops the withdrawals that they requested. Closed accounts get no mail. */
export async function endInvestorSessions(
  call: CallOf<typeof investorActs.endInvestorSessions>,
  investor: Investor,
) {
  const { env, nowMs } = call
  const { id, investorEmail: email, investorName: displayName, closedAt } = investor.facts
  return call.commit({
    statements: [stopPayouts(id, 'session_ended', nowMs), endSessions(id, nowMs), revokeKeys(id, nowMs)],
    audit: [{ action: 'investor.sessions_ended', subject: id }],
    mails:
      closedAt === null
        ? [await buildSessionsEndedMail(env, { id, email, displayName, role: 'investor' }, nowMs)]
        : [],
    answer: ok(toInvestorDetail(investor)),
  })
}

/** `roles` are separated by spaces. */
export type OperatorFacts = RowOf<typeof readOperators>

/** Operators `u` under a condition, newest first. */
export function readOperators(where: SQL, limit: number) {
  const u = alias(users, 'u')
  return selectRows({
    seq: u.seq,
    id: u.id,
    name: u.displayName,
    email: u.email,
    roles: u.operatorRoles,
    createdAt: u.createdAt,
    twoFactor: sql<0 | 1>`${sql.raw(hasSecondFactor('u.id'))}`,
    lastSeenAt: sql<number | null>`(SELECT max(s.last_seen_at) FROM sessions s WHERE s.user_id = u.id)`,
    disabledAt: u.disabledAt,
    steps: selectHistory({
      step: 'disabled',
      at: sql`u.disabled_at`,
      by: sql`u.disabled_by`,
      note: sql`u.disabled_reason`,
    }),
  })
    .from(u)
    .where(sql`u.role = 'operator' AND u.id <> 'system' AND ${where}`)
    .orderBy(desc(u.seq))
    .limit(limit)
}

export async function loadOperator(call: ActorCall): Promise<OperatorFacts> {
  const [[operator]] = await readTogether(call.db, readOperators(sql`u.id = ${call.params.id ?? ''}`, 1))
  return operator ?? refuse('not_found')
}

/** The row of an operator for another operator. */
function toOperatorRow(actorId: string, facts: OperatorFacts): contract.OperatorRow {
  const { id, name, email, roles, createdAt, twoFactor, lastSeenAt, disabledAt } = facts
  return {
    _id: id,
    name,
    email,
    roles: parseRoles(roles),
    createdAt: toIso(createdAt),
    secondFactor: twoFactor === 1,
    lastSeenAt: toIsoOrNull(lastSeenAt),
    disabledAt: toIsoOrNull(disabledAt),
    steps: parseSteps(facts.steps),
    own: id === actorId,
  }
}

/** Refuses an operator who would change their own access. */
export function refuseOwn({ actor }: Pick<ActorCall, 'actor'>, operatorId: string): void {
  if (operatorId === actor.id)
    refuse('forbidden', { msg: 'You cannot change your own access. Another administrator can.' })
}
