import { MAIL_KINDS, type MailKind } from '../../../src/contract/identity/preferences.ts'
import { isSignatureOf, sign } from '../../lib/crypto/signature.ts'
import type { Env } from '../../lib/env.ts'

const LABEL = 'mail-preference-off'

/**
 * The token that turns one kind of mail off for one person. Signed, not stored, as the newsletter's is: it is the same in
 * each mail, and works for as long as the key that signed it stays in `VAULT_KEYS`.
 */
export async function mailsOffTokenOf(env: Env, userId: string, kind: MailKind): Promise<string> {
  const content = `${userId}.${kind}`
  return `${content}.${await sign(env.VAULT_KEYS, LABEL, content)}`
}

/** Whose mails of which kind a token turns off; null when we did not make it. */
export async function kindOfToken(
  env: Env,
  token: string,
): Promise<{ readonly userId: string; readonly kind: MailKind } | null> {
  const [, userId = '', name, signature = ''] =
    /^([0-9a-f-]{36})\.([A-Za-z]+)\.(\d+\.[\w-]+)$/.exec(token) ?? []
  const kind = MAIL_KINDS.find((each) => each === name)
  if (kind === undefined) return null
  return (await isSignatureOf(env.VAULT_KEYS, LABEL, `${userId}.${kind}`, signature))
    ? { userId, kind }
    : null
}
