import { sql } from 'drizzle-orm'
import type { ActorCall, Effect } from '../../http/call.ts'
import type { Factors } from '../../http/factorProof.ts'
import { prepare, runBatch } from '../../lib/database.ts'
import { refusalOfDatabase } from '../../lib/errors.ts'
import { checkPassword } from '../credentials/tries.ts'
import { type Asked, contextOf } from './challenges.ts'
import { checkProof, factorColumns, isOn, readProof, waysToProve, waysWithoutApp } from './factors.ts'
import { type NewFactor, proveMailbox } from './mailboxProof.ts'

/** Proof that the account owner makes the call. */
export interface OwnerProof {
  readonly password: string
  /** A code of the app, or a recovery code. */
  readonly code?: string | undefined
  /** The passkey's answer to the question in the refusal. */
  readonly passkey?: unknown
}

type Found = Factors & { readonly hash: string }

interface Demands {
  /** Without a second factor: the password is enough, or the call is refused. */
  readonly whereOff?: 'password' | 'refuse'
  /** A second factor to add: its mailed code is asked for last. */
  readonly newFactor?: NewFactor
}

/**
 * Commits what only password and second factor together allow, and spends the proof in the same batch. Refuses a wrong
 * password or proof, and any after ten wrong ones within 15 minutes. Without a proof it says how to give one. A passkey's
 * answer confirms only this call in this session.
 */
export async function commitWithProof(
  call: ActorCall,
  { password, ...sent }: OwnerProof,
  effect: Effect,
  { whereOff = 'refuse', newFactor }: Demands = {},
): Promise<void> {
  const { actor, db, nowMs } = call
  const act = `${call.request.method} ${new URL(call.request.url).pathname}`
  const context = await contextOf(actor.session.id, act)
  const asked: Asked = { userId: actor.id, purpose: 'account', context }
  const proof = await readProof(sent)
  const shown = await checkPassword<Found>(
    call,
    password,
    prepare(
      db,
      sql`SELECT u.password_hash AS hash, ${factorColumns(call.env, proof, asked, nowMs)} FROM users u WHERE u.id = ${actor.id}`,
    ),
  )
  const factors = shown.row
  const wrong = async (code: 'invalid_code' | 'invalid_passkey') =>
    shown.fail(code, code === 'invalid_passkey' ? await waysToProve(call, asked, factors) : undefined)
  if (!isOn(factors) && whereOff === 'refuse') return shown.drop('two_factor_not_set_up')
  const checked = isOn(factors)
    ? await checkProof(call, asked, factors, proof)
    : { state: 'right' as const, spend: [] }
  switch (checked.state) {
    case 'missing':
      return shown.drop('second_factor_required', await waysToProve(call, asked, factors))
    case 'too many codes':
      return shown.drop(
        'too_many_codes',
        await waysWithoutApp(call, asked, factors, checked.retryAfterSeconds),
      )
    case 'wrong code':
      return wrong('invalid_code')
    case 'wrong passkey':
      return wrong('invalid_passkey')
  }
  try {
    const mailed = newFactor === undefined ? [] : await proveMailbox(call, newFactor)
    const statements = [...shown.passed(), ...checked.spend, ...mailed, ...(effect.statements ?? [])]
    await call.commit({ ...effect, statements })
  } catch (error) {
    const code = refusalOfDatabase(error)?.code
    // Another call used the same proof a moment earlier.
    if (code === 'invalid_code' || code === 'invalid_passkey') return wrong(code)
    await runBatch(db, shown.passed())
    throw error
  }
}
