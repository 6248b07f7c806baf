import { sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { factorFields } from '../../../src/contract/identity/factors.ts'
import type { SessionKey } from '../../http/actor.ts'
import type { Factors, SentProof, ShownFactor } from '../../http/factorProof.ts'
import { type Database, prepare } from '../../lib/database.ts'
import type { Env } from '../../lib/env.ts'
import { selectCodesRefusedUntil } from '../credentials/codeLimit.ts'
import { readProof } from './factors.ts'
import { selectKeysJson } from './keys.ts'

const schema = z.object(factorFields)

/** Reads the proof in a body, or returns null. Recovery codes do not count: they only sign in. */
export async function parseProof(fields: unknown): Promise<SentProof | null> {
  const parsed = schema.safeParse(fields)
  if (!parsed.success) return null
  const sent = await readProof(parsed.data)
  return sent.isPasskey || sent.code !== undefined ? { ...sent, recoveryHash: null } : null
}

/** Reads the second factors that a proof is checked against, by the first round trip. */
export function readShown(
  env: Env,
  db: Database,
  { id, secretHash }: SessionKey,
  { answer }: SentProof,
  nowMs: number,
): D1PreparedStatement {
  return prepare(
    db,
    sql`
      SELECT f.secret_sealed AS secretSealed, coalesce(f.last_step, 0) AS lastStep, NULL AS recoveryHash,
             ${selectCodesRefusedUntil(env, 'app', nowMs)} AS refusedUntil,
             u.email AS ownerEmail, u.display_name AS ownerName, u.role AS ownerRole,
             ${selectKeysJson('s.user_id')} AS passkeys, c.context
      FROM sessions s JOIN users u ON u.id = s.user_id
      LEFT JOIN second_factors f ON f.user_id = s.user_id AND f.enabled_at IS NOT NULL
      LEFT JOIN passkey_challenges c ON c.challenge_hash = ${answer?.challengeHash ?? ''} AND c.user_id = s.user_id
        AND c.purpose = 'act' AND c.used_at IS NULL AND c.expires_at > ${nowMs}
      WHERE s.id = ${id} AND s.secret_hash = ${secretHash}`,
  )
}

export function toShownFactor(sent: SentProof, row: unknown): ShownFactor {
  const { context, ...factors } = row as Omit<Factors, 'isChallengeOpen'> & {
    readonly context: string | null
  }
  return { sent, factors, context }
}
