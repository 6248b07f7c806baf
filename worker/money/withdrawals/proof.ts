import { and, eq, sql } from 'drizzle-orm'
import { STEP_UP_METHODS, type StepUpReason } from '../../../src/contract/money/withdrawals.ts'
import type { AuditEntry } from '../../http/audit.ts'
import type { ActorCall } from '../../http/call.ts'
import { isRecentChange } from '../../identity/credentials/recentChange.ts'
import type { ChallengeScope } from '../../identity/factors/challenges.ts'
import {
  buildProofMethods,
  checkProof,
  type ProofMethods,
  toAccountOwner,
} from '../../identity/factors/factors.ts'
import { parseKeys } from '../../identity/factors/keys.ts'
import { checkCode } from '../../identity/factors/secondFactor.ts'
import {
  compareMailedCode,
  recordWrongMailedCode,
  refuseMailedCodes,
} from '../../identity/mailedCodes/codes.ts'
import { assertMayMail, mailCode } from '../../identity/mailedCodes/mailCode.ts'
import type { Statement } from '../../lib/database.ts'
import { hasRateLimits } from '../../lib/env.ts'
import { refuse } from '../../lib/errors.ts'
import type { Mail } from '../../lib/mail/outbox.ts'
import { devices, sessions } from '../../lib/tables/people.ts'
import { knownDestinations } from '../../lib/tables/requests.ts'
import { computeDelayEnd, listProofReasons } from './decide.ts'
import {
  buildChallengeScope,
  type Facts,
  isProofGiven,
  type NewWithdrawal,
  type ProofFacts,
  type ProofSubject,
} from './facts.ts'
import { buildCodeMail } from './mails.ts'

/** The extra proof that was given, and its effects. */
export interface Proof {
  readonly by: 'none' | 'email' | 'totp' | 'passkey'
  /** The id of the passkey that answered. */
  readonly passkey: string | null
  /** Until when the withdrawal is not paid, in epoch milliseconds; null if it may be paid at once. */
  readonly heldUntil: number | null
  readonly statements: readonly Statement[]
}

/** The proof of a withdrawal that may be filed, and why extra proof was needed. */
export interface ConfirmedWithdrawal {
  readonly proof: Proof
  readonly reasons: readonly StepUpReason[]
}

/** Checks the proof that was sent. Refuses `step_up_required` if one is needed but missing. */
export async function confirm(
  call: ActorCall,
  withdrawal: NewWithdrawal,
  facts: Facts,
): Promise<ConfirmedWithdrawal> {
  const reasons = listProofReasons(call, withdrawal, facts)
  // A code is checked even if none is needed: a withdrawal repeated with its used code must not be filed twice.
  if (isProofGiven(withdrawal)) return { reasons, proof: await verifyProof(call, withdrawal, facts) }
  if (reasons.length > 0) await requestWithdrawalProof(call, withdrawal, reasons, facts)
  return { reasons, proof: buildEmptyProof(call, facts) }
}

async function requestWithdrawalProof(
  call: ActorCall,
  withdrawal: NewWithdrawal,
  reasons: readonly StepUpReason[],
  facts: Facts,
): Promise<never> {
  return requestProof(call, withdrawal, facts, {
    reasons,
    mailOf: (code) => buildCodeMail(call.actor, withdrawal, code),
    audit: {
      action: 'withdrawal.code_mailed',
      subject: call.actor.id,
      detail: { amountCents: withdrawal.amountCents, reasons: reasons.join(' ') },
    },
  })
}

interface ProofRequest {
  readonly reasons: readonly StepUpReason[]
  readonly mailOf: (code: string) => Mail
  readonly audit: AuditEntry
}

/** Mails a code and creates a passkey challenge for exactly this request. Refuses `step_up_required`. */
export async function requestProof(
  call: ActorCall,
  asked: ProofSubject,
  facts: ProofFacts,
  { reasons, mailOf, audit }: ProofRequest,
): Promise<never> {
  const { actor, nowMs, env } = call
  const ways = await buildProofMethods(call, await buildChallengeScope(actor.id, asked), facts.factors)
  const refusedUntil = facts.mailed.limit?.refusedUntil ?? null
  if (refusedUntil !== null && refusedUntil > nowMs)
    return requestFactor(call, ways, reasons, Math.ceil((refusedUntil - nowMs) / 1000))
  if (hasRateLimits(env)) assertMayMail(facts.mails, nowMs)
  const bound = {
    investor: actor.id,
    amountCents: asked.amountCents,
    destinationHash: asked.destination.hash,
  }
  await mailCode(call, { bound, mailOf, audit, statements: ways.statements, mails: facts.mails })
  return refuse('step_up_required', {
    ...ways.details,
    methods: STEP_UP_METHODS.filter((method) => method === 'email' || ways.details.methods.includes(method)),
    reasons: [...reasons],
  })
}

/** Asks for a second factor alone, while mailed codes are refused. Without one, the user cannot confirm a request for now. */
async function requestFactor(
  call: ActorCall,
  ways: ProofMethods,
  reasons: readonly StepUpReason[],
  retryAfterSeconds: number,
): Promise<never> {
  if (ways.details.methods.length === 0) return refuseMailedCodes(retryAfterSeconds)
  await call.commit({ statements: ways.statements })
  return refuse('step_up_required', {
    ...ways.details,
    methods: STEP_UP_METHODS.filter((method) => ways.details.methods.includes(method)),
    reasons: [...reasons],
  })
}

/** The result without a proof. The destination is known, but may still be delayed. */
function buildEmptyProof(call: ActorCall, facts: Facts): Proof {
  return { by: 'none', passkey: null, heldUntil: computeDelayEnd(facts, false, call.nowMs), statements: [] }
}

/**
 * Checks a code, mailed for exactly this withdrawal or from the app, or a passkey's answer for exactly this withdrawal. Filing
 * the withdrawal marks the proof as used, and makes destination and device known. Refuses `invalid_code` or `invalid_passkey`
 * without sending a mail.
 *
 * A second factor lifts the delay of a new destination, unless a factor, the password or the e-mail address changed in the
 * last 72 hours: a thief could have changed it. Then it counts like e-mail. The database applies the same rule.
 */
async function verifyProof(call: ActorCall, withdrawal: NewWithdrawal, facts: Facts): Promise<Proof> {
  return buildProof(call, withdrawal, facts, await checkSentProof(call, withdrawal, facts))
}

/**
 * Checks the code or the passkey's answer that was sent for exactly this request. Refuses `invalid_code`, `too_many_codes` or
 * `invalid_passkey`.
 */
export async function checkSentProof(
  call: ActorCall,
  asked: ProofSubject,
  facts: ProofFacts,
): Promise<CheckedProof> {
  const { code } = asked.proof
  if (code === undefined) return checkPasskey(call, asked, facts)
  const owner = toAccountOwner(call.actor.id, facts.factors)
  const mailed = await compareMailedCode(call, facts.mailed, code)
  if (mailed.state === 'right') return { by: 'email', spend: mailed.spend }
  if (mailed.state === 'too many codes' && facts.factors.secretSealed === null)
    return refuseMailedCodes(mailed.retryAfterSeconds)
  // A recovery code only signs in and confirms no withdrawal.
  const checked = await checkCode(call, owner, { ...facts.factors, recoveryHash: null }, code)
  if (mailed.state === 'wrong code' && checked.state !== 'right')
    await recordWrongMailedCode(call, owner, facts.mailed)
  if (checked.state === 'too many codes')
    return refuse('too_many_codes', {
      msg: 'Too many wrong codes in the last seven days. Codes from your app are refused for now. Ask for a code by e-mail, or use a passkey.',
      retryAfterSeconds: checked.retryAfterSeconds,
    })
  if (checked.state === 'wrong code') return refuse('invalid_code')
  return { by: 'totp', spend: checked.spend }
}

async function checkPasskey(call: ActorCall, asked: ProofSubject, facts: ProofFacts): Promise<CheckedProof> {
  const scope = await buildChallengeScope(call.actor.id, asked)
  const checked = await checkProof(call, scope, facts.factors, asked.proof)
  if (checked.state !== 'right') return refuseWithNewChallenge(call, scope, facts)
  const { credentialId } = asked.proof.answer ?? {}
  const passkey =
    parseKeys(facts.factors.passkeys).find((key) => key.credentialId === credentialId)?.id ?? null
  return { by: 'passkey', passkey, spend: checked.spend }
}

// A challenge can be answered once, so the next try needs a new one.
async function refuseWithNewChallenge(
  call: ActorCall,
  scope: ChallengeScope,
  facts: ProofFacts,
): Promise<never> {
  const { details, statements } = await buildProofMethods(call, scope, facts.factors)
  await call.commit({ statements })
  const methods = STEP_UP_METHODS.filter((method) => method === 'email' || details.methods.includes(method))
  return refuse('invalid_passkey', { ...details, methods })
}

interface CheckedProof {
  readonly by: Proof['by']
  readonly passkey?: string | null
  readonly spend: readonly Statement[]
}

function buildProof(
  call: ActorCall,
  withdrawal: NewWithdrawal,
  facts: Facts,
  { by, passkey = null, spend }: CheckedProof,
): Proof {
  const liftsDelay = by !== 'email' && !isRecentChange(facts.factors.securityChangedAtMs, call.nowMs)
  const until = computeDelayEnd(facts, liftsDelay, call.nowMs)
  return {
    by,
    passkey,
    heldUntil: until,
    statements: [
      ...spend,
      makeDestinationKnown(call, withdrawal, until, liftsDelay),
      ...makeDeviceKnown(call),
    ],
  }
}

/** The device becomes known for this account only. */
function makeDeviceKnown({ db, actor, device, nowMs }: ActorCall): Statement[] {
  return [
    db.update(sessions).set({ confirmedAt: nowMs }).where(eq(sessions.id, actor.session.id)),
    ...(device === null
      ? []
      : [
          db
            .update(devices)
            .set({ confirmedAt: nowMs })
            .where(and(eq(devices.userId, actor.id), eq(devices.deviceHash, device.hash))),
        ]),
  ]
}

/**
 * Makes the destination known; a new one is delayed until `until`. A known one keeps its delay, unless the proof lifts it. If
 * another request changed the delay meanwhile, the database refuses the batch.
 */
function makeDestinationKnown(
  { db, actor, nowMs }: ActorCall,
  { destination }: NewWithdrawal,
  until: number | null,
  lifts: boolean,
): Statement {
  return db
    .insert(knownDestinations)
    .values({
      investor: actor.id,
      destinationHash: destination.hash,
      accountHash: destination.details.accountHash,
      confirmedAt: nowMs,
      heldUntil: until,
    })
    .onConflictDoUpdate({
      target: [knownDestinations.investor, knownDestinations.destinationHash],
      set: { confirmedAt: nowMs, heldUntil: lifts ? null : sql`held_until` },
    })
}
