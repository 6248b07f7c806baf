import { type SQL, sql } from 'drizzle-orm'
import type { OperatorRow } from '../../../src/contract/console/operators.ts'
import { rolesIn } from '../../../src/contract/console/roles.ts'
import type { ActorCall } from '../../http/call.ts'
import { iso } from '../../http/paging.ts'
import { type Read, reading, readTogether } from '../../lib/database.ts'
import { refuse } from '../../lib/errors.ts'
import { hasSecondFactor } from '../../lib/hasSecondFactor.ts'

export interface OperatorFacts {
  readonly seq: number
  readonly id: string
  readonly name: string
  readonly email: string
  /** Separated by spaces. */
  readonly roles: string
  readonly createdAt: number
  readonly twoFactor: 0 | 1
  readonly lastSeenAt: number | null
  readonly disabledAt: number | null
  readonly disabledReason: string | null
}

/** Operators `u`, newest first, that meet a condition. */
export function readOperators(where: SQL, limit: number): Read<OperatorFacts> {
  return reading(sql`
    SELECT u.seq, u.id, u.display_name AS name, u.email, u.operator_roles AS roles, u.created_at AS createdAt,
           ${sql.raw(hasSecondFactor('u.id'))} AS twoFactor,
           (SELECT max(s.last_seen_at) FROM sessions s WHERE s.user_id = u.id) AS lastSeenAt,
           u.disabled_at AS disabledAt, u.disabled_reason AS disabledReason
    FROM users u WHERE u.role = 'operator' AND ${where} ORDER BY u.seq DESC LIMIT ${limit}`)
}

/** The operator that `:id` names. */
export async function loadOperator(call: ActorCall): Promise<OperatorFacts> {
  const [[operator]] = await readTogether(call.db, readOperators(sql`u.id = ${call.params.id ?? ''}`, 1))
  return operator ?? refuse('not_found')
}

/** An operator as another one sees them. */
export function operatorRow(actorId: string, facts: OperatorFacts): OperatorRow {
  const { id, name, email, roles, createdAt, twoFactor, lastSeenAt, disabledAt, disabledReason } = facts
  return {
    _id: id,
    name,
    email,
    roles: rolesIn(roles),
    createdAt: iso(createdAt),
    secondFactor: twoFactor === 1,
    lastSeenAt: lastSeenAt === null ? null : iso(lastSeenAt),
    disabledAt: disabledAt === null ? null : iso(disabledAt),
    disabledReason,
    own: id === actorId,
  }
}

/** Refuses what somebody would do to their own access. */
export function refuseOwn({ actor }: Pick<ActorCall, 'actor'>, operatorId: string): void {
  if (operatorId === actor.id)
    refuse('forbidden', { msg: 'Nobody changes their own access. Another administrator can.' })
}
