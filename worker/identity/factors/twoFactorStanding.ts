import { and, count, eq, isNull } from 'drizzle-orm'
import type { AnswerOf } from '../../../src/contract/endpoint.ts'
import type { twoFactorStanding as endpoint } from '../../../src/contract/identity/twoFactorStanding.ts'
import { type ActorCall, type Answer, ok } from '../../http/call.ts'
import { iso } from '../../http/paging.ts'
import { recoveryCodes } from '../../lib/tables/people.ts'
import { readPasskeys } from './keys.ts'
import { readFactor } from './secondFactor.ts'

/** Whether somebody's own second factor is on. An app that was only set up is off: no code of it was given yet. */
export async function twoFactorStanding({
  actor,
  db,
}: ActorCall): Promise<Answer<AnswerOf<typeof endpoint>>> {
  const [[factor], keys, [left]] = await db.batch([
    readFactor(db, actor.id),
    readPasskeys(db, actor.id),
    db
      .select({ codes: count() })
      .from(recoveryCodes)
      .where(and(eq(recoveryCodes.userId, actor.id), isNull(recoveryCodes.usedAt))),
  ])
  const app = factor?.enabledAt ?? null
  const since = [...(app === null ? [] : [app]), ...keys.map(({ createdAt }) => createdAt)]
  if (since.length === 0) return ok({ on: false, since: null, methods: [], recoveryCodesLeft: 0 })
  return ok({
    on: true,
    since: iso(Math.min(...since)),
    methods: [
      ...(keys.length > 0 ? (['passkey'] as const) : []),
      ...(app === null ? [] : (['totp'] as const)),
    ],
    recoveryCodesLeft: left?.codes ?? 0,
  })
}
