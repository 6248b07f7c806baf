import * as z from 'zod/mini'

/**
 * What a passkey is asked to sign: PublicKeyCredentialRequestOptionsJSON of WebAuthn level 3. It comes with the refusals
 * that a passkey can answer, and works once, for five minutes.
 */
export interface PasskeyQuestion {
  challenge: string
  rpId: string
  timeout: number
  userVerification: 'preferred' | 'required'
  allowCredentials: { type: 'public-key'; id: string; transports: string[] }[]
}

/**
 * What a passkey answered: AuthenticationResponseJSON of WebAuthn level 3, or its JSON as text, for forms. Whether it is
 * one the server finds out; blank means "not given".
 */
export function passkeyAnswerField() {
  return z.optional(
    z.nullable(z.union([z.string(), z.looseObject({})], { error: 'Please send what the passkey answered' })),
  )
}
