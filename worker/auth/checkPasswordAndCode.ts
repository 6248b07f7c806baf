import type { ActorCall, Effect } from '../lib/call.ts'
import { refusalOfDatabase } from '../lib/errors.ts'
import { checkPassword } from './checkPassword.ts'
import { recoveryCodeHash, spendCode } from './secondFactor.ts'

interface Proof {
  readonly password: string
  /** Of the app, or a recovery code. */
  readonly code: string
}

interface Factor {
  readonly hash: string
  /** Null where the second factor is off. */
  readonly secretSealed: string | null
  readonly lastStep: number
  readonly recoveryHash: string | null
}

/**
 * Commits what only the password and a code together allow, and spends the code in the same batch. Refuses a wrong
 * password or code, and after ten of either within 15 minutes any; and whose second factor is off.
 */
export async function commitWithPasswordAndCode(
  call: ActorCall,
  { password, code }: Proof,
  effect: Effect,
): Promise<void> {
  const shown = await checkPassword<Factor>(call, password, await findFactor(call, code))
  const { secretSealed, lastStep, recoveryHash } = shown.row
  if (secretSealed === null) return shown.drop('two_factor_not_set_up')
  const spent = await spendCode(call, call.actor.id, { secretSealed, lastStep, recoveryHash }, code)
  if (spent === null) return shown.fail('invalid_code')
  try {
    await call.commit({ ...effect, statements: [...shown.passed(), ...spent, ...(effect.statements ?? [])] })
  } catch (error) {
    // Another call used the same code a moment earlier.
    if (refusalOfDatabase(error)?.code === 'invalid_code') return shown.fail('invalid_code')
    throw error
  }
}

async function findFactor({ actor, env }: ActorCall, code: string): Promise<D1PreparedStatement> {
  return env.DB.prepare(
    `SELECT u.password_hash AS hash, f.secret_sealed AS secretSealed, coalesce(f.last_step, 0) AS lastStep,
            (SELECT r.code_hash FROM recovery_codes r
             WHERE r.user_id = u.id AND r.code_hash = ?2 AND r.used_at IS NULL) AS recoveryHash
     FROM users u LEFT JOIN second_factors f ON f.user_id = u.id AND f.enabled_at IS NOT NULL
     WHERE u.id = ?1`,
  ).bind(actor.id, (await recoveryCodeHash(code)) ?? '')
}
