import { and, count, eq, isNull } from 'drizzle-orm'
import type { twoFactorStanding as endpoint } from '../../src/contract/auth.ts'
import type { AnswerOf } from '../../src/contract/endpoint.ts'
import { type ActorCall, type Answer, ok } from '../lib/call.ts'
import { iso } from '../lib/paging.ts'
import { readFactor } from './secondFactor.ts'
import { recoveryCodes } from './tables.ts'

/** Whether somebody's own second factor is on. One that was only set up is off: no code of it was given yet. */
export async function twoFactorStanding({
  actor,
  db,
}: ActorCall): Promise<Answer<AnswerOf<typeof endpoint>>> {
  const [[factor], [left]] = await db.batch([
    readFactor(db, actor.id),
    db
      .select({ codes: count() })
      .from(recoveryCodes)
      .where(and(eq(recoveryCodes.userId, actor.id), isNull(recoveryCodes.usedAt))),
  ])
  const since = factor?.enabledAt ?? null
  if (since === null) return ok({ on: false, since: null, recoveryCodesLeft: 0 })
  return ok({ on: true, since: iso(since), recoveryCodesLeft: left?.codes ?? 0 })
}
