import type { AnswerOf, BodyOf } from '../../../src/contract/endpoint.ts'
import type { addPasskey as endpoint } from '../../../src/contract/identity/passkeys.ts'
import { type ActorCall, type Answer, type CheckedCall, created } from '../../http/call.ts'
import { base64url, newId, sha256Hex } from '../../lib/crypto/tokens.ts'
import { refuse } from '../../lib/errors.ts'
import { passkeys } from '../../lib/tables/people.ts'
import { contextOf, readOpen, spendChallenge } from '../factors/challenges.ts'
import { issueRecoveryCodes } from '../factors/issueRecoveryCodes.ts'
import { passkeyOf } from '../factors/keys.ts'
import { proveMailbox } from '../factors/mailboxProof.ts'
import { ALGORITHMS } from './begin.ts'
import { passkeyAddedMail } from './mails.ts'
import { checkMade, readMade, registration } from './registration.ts'

type AddCall = CheckedCall<BodyOf<typeof endpoint>, undefined> & ActorCall

/**
 * Adds the passkey that the browser made, with the code that is mailed to its owner. The password, and a proof where a second factor
 * was on, were shown when it was begun, in the same session. A refusal uses nothing up: the same passkey is sent again with the
 * code. With the first second factor come ten recovery codes.
 */
export async function addPasskey(call: AddCall): Promise<Answer<AnswerOf<typeof endpoint>>> {
  const { actor, db, env, nowMs, body } = call
  const made = readMade(body.response)
  if (made === null) return refuse('invalid_passkey')
  const challengeHash = await sha256Hex(made.challenge)
  if (!(await readOpen(call, await registration(actor), challengeHash))) refuse('invalid_passkey')
  const info = await checkMade(call, made, ALGORITHMS)
  if (info === null) return refuse('invalid_passkey')
  const { credential, credentialBackedUp } = info
  const row = {
    id: newId(),
    userId: actor.id,
    credentialId: credential.id,
    publicKey: base64url(credential.publicKey),
    signCount: credential.counter,
    transports: made.transports.join(' '),
    name: body.name,
    backedUp: credentialBackedUp ? 1 : 0,
    createdAt: nowMs,
    lastUsedAt: null,
  }
  const mailed = await proveMailbox(call, {
    words: `the passkey “${body.name}”`,
    context: await contextOf('passkey', challengeHash),
    proof: body.proof,
  })
  const recovery = actor.twoFactor ? null : await issueRecoveryCodes(db, actor.id, nowMs)
  await call.commit({
    statements: [
      ...mailed,
      db.insert(passkeys).values(row),
      spendChallenge(db, challengeHash, row.id, nowMs),
      ...(recovery?.statements ?? []),
    ],
    audit: [{ action: 'passkey.added', subject: row.id }],
    mails: [await passkeyAddedMail(env, { ...actor, displayName: actor.name }, row.name, nowMs)],
  })
  return created({
    msg: 'Your passkey was added.',
    passkey: passkeyOf({ ...row, seq: 0 }),
    ...(recovery !== null && { recoveryCodes: recovery.codes }),
  })
}
