import { env } from 'cloudflare:workers'
import { newId } from '../../worker/lib/crypto/tokens.ts'
import { newTotpSecret } from '../../worker/lib/crypto/totp.ts'
import { newInvestor, type Person } from './people.ts'

/** The id of an investor's request to remove a lost second factor, filed by SQL. */
export async function filedRecovery(owner?: Person): Promise<string> {
  const { id: investor } = owner ?? (await newInvestor({ totpSecret: newTotpSecret() }))
  const [id, nowMs] = [newId(), Date.now()]
  await env.DB.batch([
    env.DB.prepare(
      "INSERT INTO factor_recoveries (id, investor, code_hash, asked_at, expires_at) VALUES (?, ?, '', ?, ?)",
    ).bind(id, investor, nowMs, nowMs + 1),
    env.DB.prepare('UPDATE factor_recoveries SET filed_at = ?, expires_at = NULL WHERE id = ?').bind(
      nowMs,
      id,
    ),
  ])
  return id
}
