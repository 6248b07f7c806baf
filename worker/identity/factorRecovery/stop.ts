import { eq, sql } from 'drizzle-orm'
import type { Message } from '../../../src/contract/common.ts'
import type { stopFactorRecovery as endpoint } from '../../../src/contract/identity/factorRecovery.ts'
import { recordActivity } from '../../http/audit.ts'
import { type Answer, ok, type PublicCallOf } from '../../http/call.ts'
import { findDatabaseRefusal, refuse } from '../../lib/errors.ts'
import { factorRecoveries, users } from '../../lib/tables/people.ts'
import { buildStoppedMail, verifyStopToken } from './mails.ts'

type StopCall = PublicCallOf<typeof endpoint>

const DONE: Message = { msg: 'The request is stopped. Your second factor was not changed.' }

/**
 * Stops the removal of a second factor before it takes effect. Idempotent: a repeated call returns the same answer. Refuses
 * `invalid_token`, also for a closed account, and `already_decided` once the factor is removed.
 */
export async function stopRecovery(call: StopCall): Promise<Answer<Message>> {
  const { env, nowMs, body } = call
  const id = await verifyStopToken(env, body.token)
  const found = id === null ? null : await findRecovery(call, id)
  if (found === null) return refuse('invalid_token')
  if (found.outcome === 'completed') return refuseTooLate()
  if (found.outcome !== null) return ok(DONE)
  try {
    await call.commit({
      statements: [
        // No further condition: a trigger refuses to end it twice.
        sql`UPDATE factor_recoveries SET ended_at = ${nowMs}, outcome = 'stopped' WHERE id = ${found.id}`,
        recordActivity(call, found.investor, 'factor_recovery.stopped'),
      ],
      mails: [await buildStoppedMail(env, { ...found, id: found.investor }, nowMs)],
    })
  } catch (error) {
    if (findDatabaseRefusal(error)?.code !== 'already_decided') throw error
    const now = await findRecovery(call, found.id)
    if (now?.outcome === 'completed') return refuseTooLate()
  }
  return ok(DONE)
}

function refuseTooLate(): never {
  refuse('already_decided', {
    msg: 'This is too late: the second factor was already removed. If you did not ask for this, lock your account with the link in our mail.',
  })
}

async function findRecovery({ db }: StopCall, id: string) {
  const [found] = await db
    .select({
      id: factorRecoveries.id,
      investor: factorRecoveries.investor,
      outcome: factorRecoveries.outcome,
      email: users.email,
      displayName: users.displayName,
    })
    .from(factorRecoveries)
    .innerJoin(users, eq(users.id, factorRecoveries.investor))
    .where(eq(factorRecoveries.id, id))
  return found ?? null
}
