import { isSignatureOf, sign } from '../../lib/crypto/signature.ts'
import type { Env } from '../../lib/env.ts'
import type { Part } from '../../lib/mail/compose.ts'
import { linkTo } from '../../lib/mail/linkTo.ts'

const LABEL = 'stop-factor-recovery'

/** Which request a token stops; null where we did not make it. It works for as long as the request is open. */
export async function recoveryOfStopToken(env: Env, token: string): Promise<string | null> {
  const [, id, signature] = /^([0-9a-f-]{36})\.(\d+\.[\w-]+)$/.exec(token) ?? []
  if (id === undefined || signature === undefined) return null
  return (await isSignatureOf(env.VAULT_KEYS, LABEL, id, signature)) ? id : null
}

/** The link that stops a request. Signed, not stored: each mail about the request carries the same one. */
export async function stopLink(env: Env, recovery: string): Promise<Part> {
  const token = `${recovery}.${await sign(env.VAULT_KEYS, LABEL, recovery)}`
  return { label: 'Stop it', href: linkTo(env, '/stop-factor-recovery', { token }) }
}
