import { type RegistrationResponseJSON, verifyRegistrationResponse } from '@simplewebauthn/server'
import * as z from 'zod/mini'
import type { Actor } from '../../http/actor.ts'
import type { Call } from '../../http/call.ts'
import { challengeOf } from '../factors/answer.ts'
import { type Asked, contextOf } from '../factors/challenges.ts'
import { passkeyOrigins, relyingPartyId } from '../factors/relyingParty.ts'

/** What a new key answers: the question that was put in this session. */
export async function registration(actor: Actor): Promise<Asked> {
  return { userId: actor.id, purpose: 'register', context: await contextOf(actor.session.id) }
}

const bytes = z.string().check(z.regex(/^[A-Za-z0-9_-]+$/), z.maxLength(16_384))
const transport = z.string().check(z.regex(/^[a-z-]{1,20}$/))

const shape = z.object({
  id: bytes,
  rawId: bytes,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: bytes,
    attestationObject: bytes,
    transports: z.optional(z.array(transport).check(z.maxLength(10))),
  }),
})

/** What a browser made, read and not yet checked. */
export interface MadeKey {
  readonly challenge: string
  readonly transports: readonly string[]
  readonly response: RegistrationResponseJSON
}

/** Reads what a client sent as a new passkey: RegistrationResponseJSON. Null for what cannot be one. */
export function readMade(sent: unknown): MadeKey | null {
  const found = shape.safeParse(sent)
  if (!found.success) return null
  const { id, rawId, type, response } = found.data
  const challenge = challengeOf(response.clientDataJSON)
  if (challenge === null) return null
  const { clientDataJSON, attestationObject, transports = [] } = response
  return {
    challenge,
    transports: [...new Set(transports)],
    response: {
      id,
      rawId,
      type,
      response: { clientDataJSON, attestationObject },
      clientExtensionResults: {},
    },
  }
}

/**
 * Checks a new key against a challenge that is known to be open (WebAuthn level 2, section 7.1). Which maker its device has
 * is not asked. Null when anything is not as it should be.
 */
export async function checkMade(call: Pick<Call, 'env' | 'request'>, made: MadeKey, algorithms: number[]) {
  try {
    const result = await verifyRegistrationResponse({
      response: made.response,
      expectedChallenge: made.challenge,
      expectedOrigin: passkeyOrigins(call),
      expectedRPID: relyingPartyId(call.env),
      requireUserVerification: false,
      supportedAlgorithmIDs: algorithms,
    })
    return result.verified ? result.registrationInfo : null
  } catch {
    // The library throws at whatever is not as it should be, and what came is anybody's.
    return null
  }
}
