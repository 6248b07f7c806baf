import type { ActorCall } from '../../http/call.ts'
import { verifyPassword } from '../../lib/crypto/password.ts'
import { beginTry, type Ending, endingOf, passwordCounter, refuseTry } from './tries.ts'

/** What is read of whose password is checked: its hash, and whatever else the caller wants in the same round trip. */
interface Hashed {
  readonly hash: string
}

/**
 * Checks the password of whoever is signed in: a session may be stolen. Refuses a wrong one, and after ten within 15
 * minutes any. A right one keeps its place among the tries until the caller ends it: with `passed()` in its batch, or
 * with `fail` where what came along was wrong as well.
 * @param read gives the row, as `hash` and more; of no effect, because it may run more than once
 */
export async function checkPassword<Row extends Hashed = Hashed>(
  { actor, db, env }: ActorCall,
  password: string,
  read: D1PreparedStatement = env.DB.prepare('SELECT password_hash AS hash FROM users WHERE id = ?').bind(
    actor.id,
  ),
): Promise<Ending & { readonly row: Row }> {
  const { row, admission } = await beginTry<Row>(env, [passwordCounter(actor.id)], read)
  if (admission.state === 'full') return refuseTry(admission.retryAfterSeconds)
  const ending = endingOf(db, admission.reserved)
  if (row === null || !(await verifyPassword(password, row.hash))) return ending.fail('wrong_password')
  return { row, ...ending }
}
