import * as z from 'zod/mini'
import type { PasskeyAnswer } from '../../http/factorProof.ts'
import { fromBase64url, sha256Hex } from '../../lib/crypto/tokens.ts'

const MAX = 8192
const bytes = z.string().check(z.regex(/^[A-Za-z0-9_-]+$/), z.maxLength(MAX))

const shape = z.object({
  id: bytes,
  rawId: bytes,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: bytes,
    authenticatorData: bytes,
    signature: bytes,
  }),
})

const asked = z.object({ challenge: bytes })

/** Whether anything was sent as an answer: blank means "not given". */
export function isGiven(sent: unknown): boolean {
  return sent !== undefined && sent !== null && sent !== ''
}

/** Reads what a client sent as a passkey's answer: the object, or its JSON as text. Null for what cannot be one. */
export async function readAnswer(sent: unknown): Promise<PasskeyAnswer | null> {
  const value = typeof sent === 'string' ? parsed(sent) : sent
  const found = shape.safeParse(value)
  if (!found.success) return null
  const { id, rawId, type, response } = found.data
  const challenge = challengeOf(response.clientDataJSON)
  if (challenge === null) return null
  return {
    credentialId: id,
    challenge,
    challengeHash: await sha256Hex(challenge),
    response: { id, rawId, type, response, clientExtensionResults: {} },
  }
}

/** The challenge that a browser's `clientDataJSON` (base64url) names; null where it names none. */
export function challengeOf(clientDataJSON: string): string | null {
  try {
    const found = asked.safeParse(parsed(new TextDecoder().decode(fromBase64url(clientDataJSON))))
    return found.success ? found.data.challenge : null
  } catch {
    return null
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
