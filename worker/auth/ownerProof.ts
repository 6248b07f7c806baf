import type { ActorCall } from '../lib/call.ts'
import { verifyPassword } from '../lib/crypto/password.ts'
import { runBatch } from '../lib/database.ts'
import { refuse } from '../lib/errors.ts'
import { beginTry, countFailure, giveBack, passwordCounter, refuseTry } from './tries.ts'

/** A session this young was opened with the password just now. */
const FRESH_SESSION_MS = 15 * 60_000

/**
 * Whether whoever calls has just shown the password, with this call or by signing in within the last 15 minutes. A
 * session alone shows nothing of the kind: it may be stolen. Refuses a password that is wrong, and after ten of them in 15
 * minutes any.
 */
export async function hasShownPassword(call: ActorCall, password: string | undefined): Promise<boolean> {
  const { actor, db, env, nowMs } = call
  if (password === undefined) return nowMs - actor.session.createdAtMs <= FRESH_SESSION_MS
  const { row, admission } = await beginTry<{ hash: string }>(
    env,
    [passwordCounter(actor.id)],
    env.DB.prepare('SELECT password_hash AS hash FROM users WHERE id = ?').bind(actor.id),
  )
  if (admission.state === 'full') return refuseTry(admission.retryAfterSeconds)
  if (row === null || !(await verifyPassword(password, row.hash))) {
    await runBatch(db, countFailure(db, admission.reserved))
    return refuse('wrong_password')
  }
  await runBatch(db, giveBack(db, admission.reserved))
  return true
}
