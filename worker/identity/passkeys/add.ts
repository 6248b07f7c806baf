import type { RegistrationResponseJSON } from '@simplewebauthn/server'
import * as z from 'zod/mini'
import type { AnswerOf } from '../../../src/contract/endpoint.ts'
import type { addPasskey as endpoint, passkeyOptions } from '../../../src/contract/identity/passkeys.ts'
import { site } from '../../../src/site.ts'
import type { Actor } from '../../http/actor.ts'
import { type Answer, type Call, type CallOf, created, ok } from '../../http/call.ts'
import { encodeBase64url, newId, sha256Hex } from '../../lib/crypto/tokens.ts'
import { refuse } from '../../lib/errors.ts'
import { quotePerson } from '../../lib/mail/compose.ts'
import { passkeys } from '../../lib/tables/people.ts'
import { DISTRUST_WORDS, distrust } from '../credentials/distrust.ts'
import { buildSecurityMail } from '../credentials/lockToken.ts'
import {
  ANSWER_MS,
  type ChallengeScope,
  getRelyingPartyId,
  hashContext,
  isOpenChallenge,
  listPasskeyOrigins,
  newChallenge,
  spendChallenge,
  toCredentialDescriptor,
} from '../factors/challenges.ts'
import { commitWithProof } from '../factors/commitWithProof.ts'
import { readPasskeys, toPasskey } from '../factors/keys.ts'
import { proveMailbox } from '../factors/mailboxProof.ts'
import { issueRecoveryCodes } from '../factors/recoveryCodes.ts'
import { parseChallenge } from '../factors/verify.ts'

type OptionsCall = CallOf<typeof passkeyOptions>

/** COSE algorithms: ES256, which nearly every device supports, Ed25519, and RS256 for Windows. */
const ALGORITHMS = [-7, -8, -257]
const MAX_KEYS = 10

/**
 * The options from which a browser creates a passkey. Takes the password and the second factor, if there is one: otherwise a
 * stolen session and password could add a key.
 */
export async function beginPasskey(call: OptionsCall): Promise<Answer<AnswerOf<typeof passkeyOptions>>> {
  const { actor, db, env, nowMs, body } = call
  const keys = await readPasskeys(db, actor.id)
  // Refused before the device creates a useless key. The database checks again.
  if (keys.length >= MAX_KEYS) refuse('too_many_passkeys')
  const { challenge, statement } = await newChallenge(db, await buildRegistrationScope(actor), nowMs)
  await commitWithProof(call, body, { statements: [statement] }, { withoutFactor: 'password' })
  return ok({
    challenge,
    rp: { id: getRelyingPartyId(env), name: site.brand },
    user: {
      id: encodeBase64url(new TextEncoder().encode(actor.id)),
      name: actor.email,
      displayName: actor.displayName,
    },
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key' as const, alg })),
    timeout: ANSWER_MS,
    excludeCredentials: keys.map(toCredentialDescriptor),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    attestation: 'none' as const,
  })
}

type AddCall = CallOf<typeof endpoint>

/**
 * Adds the passkey that the browser created, with the code mailed to its owner. Password and proof were checked by
 * `beginPasskey` in the same session. A refusal does not spend the challenge: the same passkey is sent again with the code. The first
 * second factor comes with ten recovery codes.
 */
export async function addPasskey(call: AddCall): Promise<Answer<AnswerOf<typeof endpoint>>> {
  const { actor, db, env, nowMs, body } = call
  const newKey = readNewKey(body.response)
  if (newKey === null) return refuse('invalid_passkey')
  const challengeHash = await sha256Hex(newKey.challenge)
  if (!(await isOpenChallenge(call, await buildRegistrationScope(actor), challengeHash)))
    refuse('invalid_passkey')
  const info = await verifyNewKey(call, newKey)
  if (info === null) return refuse('invalid_passkey')
  const { credential, credentialBackedUp } = info
  const row = {
    id: newId(),
    userId: actor.id,
    credentialId: credential.id,
    publicKey: encodeBase64url(credential.publicKey),
    signCount: credential.counter,
    transports: newKey.transports.join(' '),
    name: body.name,
    backedUp: credentialBackedUp ? 1 : 0,
    createdAt: nowMs,
    lastUsedAt: null,
  }
  const mailed = await proveMailbox(call, {
    words: `the passkey ${quotePerson(body.name)}`,
    context: await hashContext('passkey', challengeHash),
    proof: body.proof,
  })
  const recovery = actor.twoFactor ? null : await issueRecoveryCodes(db, actor.id, nowMs)
  await call.commit({
    statements: [
      ...mailed,
      db.insert(passkeys).values(row),
      spendChallenge(challengeHash, row.id, nowMs),
      ...(recovery?.statements ?? []),
      ...distrust({ userId: actor.id, cause: 'factor_changed', keepSession: actor.session.id, nowMs }),
    ],
    audit: [{ action: 'passkey.added', subject: row.id }],
    mails: [
      await buildSecurityMail(env, actor, nowMs, 'A passkey was added to your account', [
        `The passkey ${quotePerson(row.name)} was added to your account at ${site.brand}. Signing in now needs this passkey or another of your second factors.`,
        DISTRUST_WORDS,
      ]),
    ],
  })
  return created({
    msg: 'Your passkey was added.',
    passkey: toPasskey({ ...row, seq: 0 }),
    ...(recovery !== null && { recoveryCodes: recovery.codes }),
  })
}

/** The scope of a new passkey's challenge: this session. */
async function buildRegistrationScope(actor: Actor): Promise<ChallengeScope> {
  return { userId: actor.id, purpose: 'register', context: await hashContext(actor.session.id) }
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

/** A new passkey, not yet verified. */
interface NewKey {
  readonly challenge: string
  readonly transports: readonly string[]
  readonly response: RegistrationResponseJSON
}

/** Reads a new passkey (RegistrationResponseJSON). Null if it is malformed. */
function readNewKey(sent: unknown): NewKey | null {
  const found = shape.safeParse(sent)
  if (!found.success) return null
  const { id, rawId, type, response } = found.data
  const challenge = parseChallenge(response.clientDataJSON)
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

/** Verifies a new passkey of any maker against an open challenge (WebAuthn level 2, section 7.1). Null if invalid. */
async function verifyNewKey(call: Pick<Call, 'env' | 'request'>, newKey: NewKey) {
  // As in `verifyAnswer`: loaded when first needed.
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  try {
    const result = await verifyRegistrationResponse({
      response: newKey.response,
      expectedChallenge: newKey.challenge,
      expectedOrigin: listPasskeyOrigins(call.env, call.request),
      expectedRPID: getRelyingPartyId(call.env),
      requireUserVerification: false,
      supportedAlgorithmIDs: ALGORITHMS,
    })
    return result.verified ? result.registrationInfo : null
  } catch {
    // The library throws on any malformed answer.
    return null
  }
}
