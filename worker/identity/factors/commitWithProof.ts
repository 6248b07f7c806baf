import { sql } from 'drizzle-orm'
import type { ActorCall, Effect } from '../../http/call.ts'
import type { Factors } from '../../http/factorProof.ts'
import { prepare, runBatch } from '../../lib/database.ts'
import { findDatabaseRefusal } from '../../lib/errors.ts'
import { checkPassword } from '../credentials/tries.ts'
import { type ChallengeScope, hashContext } from './challenges.ts'
import {
  buildProofMethods,
  buildProofMethodsWithoutApp,
  checkProof,
  hasFactor,
  readProof,
  selectFactorColumns,
} from './factors.ts'
import { type NewFactor, proveMailbox } from './mailboxProof.ts'

/** Proof that the account owner makes the call. */
export interface OwnerProof {
  readonly password: string
  /** An app code or a recovery code. */
  readonly code?: string | undefined
  /** The passkey's answer to the challenge in the refusal. */
  readonly passkey?: unknown
}

interface ProofOptions {
  /** If the account has no second factor: the password is enough, or the call is refused. */
  readonly withoutFactor?: 'password' | 'refuse'
  /** A second factor to add. Its mailed code is checked last. */
  readonly newFactor?: NewFactor
}

/**
 * Commits an effect that needs the password and a second factor, and marks the proof as used in the same batch. Refuses a
 * wrong password or proof, and every one after ten wrong ones within 15 minutes. Without a proof, the refusal says how to give
 * one. A passkey's answer confirms only this call in this session.
 */
export async function commitWithProof(
  call: ActorCall,
  { password, ...sent }: OwnerProof,
  effect: Effect,
  { withoutFactor = 'refuse', newFactor }: ProofOptions = {},
): Promise<void> {
  const { actor, db, nowMs } = call
  const act = `${call.request.method} ${new URL(call.request.url).pathname}`
  const context = await hashContext(actor.session.id, act)
  const scope: ChallengeScope = { userId: actor.id, purpose: 'account', context }
  const proof = await readProof(sent)
  const attempt = await checkPassword<Factors & { readonly hash: string }>(
    call,
    password,
    prepare(
      db,
      sql`SELECT u.password_hash AS hash, ${selectFactorColumns(call.env, proof, scope, nowMs)} FROM users u WHERE u.id = ${actor.id}`,
    ),
  )
  const factors = attempt.row
  const refuseWrongProof = async (code: 'invalid_code' | 'invalid_passkey') =>
    attempt.fail(code, code === 'invalid_passkey' ? await buildProofMethods(call, scope, factors) : undefined)
  if (!hasFactor(factors) && withoutFactor === 'refuse') return attempt.drop('two_factor_not_set_up')
  const checked = hasFactor(factors)
    ? await checkProof(call, scope, factors, proof)
    : { state: 'right' as const, spend: [] }
  switch (checked.state) {
    case 'missing':
      return attempt.drop('second_factor_required', await buildProofMethods(call, scope, factors))
    case 'too many codes':
      return attempt.drop(
        'too_many_codes',
        await buildProofMethodsWithoutApp(call, scope, factors, checked.retryAfterSeconds),
      )
    case 'wrong code':
      return refuseWrongProof('invalid_code')
    case 'wrong passkey':
      return refuseWrongProof('invalid_passkey')
  }
  try {
    const mailed = newFactor === undefined ? [] : await proveMailbox(call, newFactor)
    const statements = [...attempt.passed(), ...checked.spend, ...mailed, ...(effect.statements ?? [])]
    await call.commit({ ...effect, statements })
  } catch (error) {
    const code = findDatabaseRefusal(error)?.code
    // Another call used the same proof a moment earlier.
    if (code === 'invalid_code' || code === 'invalid_passkey') return refuseWrongProof(code)
    await runBatch(db, attempt.passed())
    throw error
  }
}
