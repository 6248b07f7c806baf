import { sql } from 'drizzle-orm'
import type { getSelf, OperatorRow } from '../../../src/contract/console/operators.ts'
import { rolesIn } from '../../../src/contract/console/roles.ts'
import type { AnswerOf } from '../../../src/contract/endpoint.ts'
import { type ActorCall, type Answer, type CheckedCall, ok } from '../../http/call.ts'
import { openCursor, pageOf } from '../../http/paging.ts'
import { readTogether } from '../../lib/database.ts'
import { operatorRow, readOperators } from './operator.ts'

/** Operators, newest first. */
export async function listOperators(
  call: CheckedCall<unknown, { limit: number; cursor?: string | undefined }> & ActorCall,
): Promise<Answer<OperatorRow[]>> {
  const { limit, cursor } = call.query
  const after = openCursor(cursor)
  const where = after === null ? sql`1` : sql`u.seq < ${after.seq}`
  const [found] = await readTogether(call.db, readOperators(where, limit + 1))
  const { rows, headers } = pageOf(call, found, limit, ({ seq }) => ({ at: 0, seq }))
  return ok(
    rows.map((facts) => operatorRow(call.actor.id, facts)),
    headers,
  )
}

/** Who one is as an operator. */
export async function showSelf({ actor }: ActorCall): Promise<Answer<AnswerOf<typeof getSelf>>> {
  const { id, displayName: name, email, operatorRoles } = actor
  return ok({ _id: id, name, email, roles: rolesIn(operatorRoles) })
}
