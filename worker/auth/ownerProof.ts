import type { ActorCall } from '../lib/call.ts'
import { runBatch } from '../lib/database.ts'
import { checkPassword } from './checkPassword.ts'

/** A session this young was opened with the password just now. */
const FRESH_SESSION_MS = 15 * 60_000

/**
 * Whether whoever calls has just shown the password, with this call or by signing in within the last 15 minutes. A
 * session alone shows nothing of the kind: it may be stolen. Refuses a password that is wrong, and after ten of them in 15
 * minutes any.
 */
export async function hasShownPassword(call: ActorCall, password: string | undefined): Promise<boolean> {
  const { actor, db, nowMs } = call
  if (password === undefined) return nowMs - actor.session.createdAtMs <= FRESH_SESSION_MS
  const shown = await checkPassword(call, password)
  await runBatch(db, shown.passed())
  return true
}
