import type { AnswerOf, BodyOf } from '../../../src/contract/endpoint.ts'
import type { passkeyOptions } from '../../../src/contract/identity/passkeys.ts'
import { site } from '../../../src/site.ts'
import { type ActorCall, type Answer, type CheckedCall, ok } from '../../http/call.ts'
import { base64url } from '../../lib/crypto/tokens.ts'
import { refuse } from '../../lib/errors.ts'
import { ANSWER_MS, descriptorOf, newChallenge } from '../factors/challenges.ts'
import { commitWithProof } from '../factors/commitWithProof.ts'
import { readPasskeys } from '../factors/keys.ts'
import { relyingPartyId } from '../factors/relyingParty.ts'
import { registration } from './registration.ts'

type OptionsCall = CheckedCall<BodyOf<typeof passkeyOptions>, undefined> & ActorCall

/** COSE algorithms: ES256, which nearly every device has, Ed25519, and RS256 for Windows. */
export const ALGORITHMS = [-7, -8, -257]
const MAX_KEYS = 10

/**
 * Begins to add a passkey: what a browser makes one from. It takes the password and, where a second factor is on, a proof
 * of that: otherwise whoever stole a session and the password would get past it with a key of theirs.
 */
export async function beginPasskey(call: OptionsCall): Promise<Answer<AnswerOf<typeof passkeyOptions>>> {
  const { actor, db, env, body } = call
  const keys = await readPasskeys(db, actor.id)
  // Said before a device makes a key in vain; the database counts again.
  if (keys.length >= MAX_KEYS) refuse('too_many_passkeys')
  const { challenge, statement } = await newChallenge(call, await registration(actor))
  await commitWithProof(call, body, { statements: [statement] }, { whereOff: 'password' })
  return ok({
    challenge,
    rp: { id: relyingPartyId(env), name: site.brand },
    user: {
      id: base64url(new TextEncoder().encode(actor.id)),
      name: actor.email,
      displayName: actor.name,
    },
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key' as const, alg })),
    timeout: ANSWER_MS,
    excludeCredentials: keys.map(descriptorOf),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    attestation: 'none' as const,
  })
}
