import { isSignatureOf, sign } from '../../lib/crypto/signature.ts'
import type { Env } from '../../lib/env.ts'

const LABEL = 'newsletter-unsubscribe'

/**
 * The token that ends a subscription. Each mail carries it, so it must be the same work for the hundredth mail as for the
 * first: it is signed, not stored. The database holds nothing that unsubscribes anybody, no mail needs a row of its own, and
 * a link in an old mail works for as long as the key that signed it stays in `VAULT_KEYS`.
 */
export async function unsubscribeTokenOf(env: Env, subscriberId: string): Promise<string> {
  return `${subscriberId}.${await sign(env.VAULT_KEYS, LABEL, subscriberId)}`
}

/** Which subscription a token ends; null when we did not make it. */
export async function subscriberOfToken(env: Env, token: string): Promise<string | null> {
  const [, id, signature] = /^([0-9a-f-]{36})\.(.+)$/.exec(token) ?? []
  if (id === undefined || signature === undefined) return null
  return (await isSignatureOf(env.VAULT_KEYS, LABEL, id, signature)) ? id : null
}
