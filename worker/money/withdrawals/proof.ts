import { and, eq, sql } from 'drizzle-orm'
import type { StepUpReason } from '../../../src/contract/money/withdrawals.ts'
import type { Actor } from '../../http/actor.ts'
import type { AuditEntry } from '../../http/audit.ts'
import type { ActorCall, Call } from '../../http/call.ts'
import type { Device } from '../../http/device.ts'
import { recordWrongCode } from '../../identity/credentials/codeLimit.ts'
import { isRecentChange } from '../../identity/credentials/recentChange.ts'
import { buildProofMethods, checkProof, hasFactor, toAccountOwner } from '../../identity/factors/factors.ts'
import { parseKeys } from '../../identity/factors/keys.ts'
import { checkCode } from '../../identity/factors/secondFactor.ts'
import { compareMailedCode, refuseMailedCodes, spendUsedLink } from '../../identity/mailedCodes/codes.ts'
import { assertMayMail, mailCode } from '../../identity/mailedCodes/mailCode.ts'
import type { Database, Statement } from '../../lib/database.ts'
import { hasRateLimits } from '../../lib/env.ts'
import { refuse } from '../../lib/errors.ts'
import type { Mail } from '../../lib/mail/outbox.ts'
import { devices, sessions } from '../../lib/tables/people.ts'
import { knownDestinations } from '../../lib/tables/requests.ts'
import { buildConfirmationLink } from './confirmationLink.ts'
import { computeDelayEnd, listProofReasons } from './decide.ts'
import {
  type Facts,
  isProofGiven,
  type NewWithdrawal,
  type ProofFacts,
  type ProofSubject,
  takeOffTry,
} from './facts.ts'
import { buildCodeMail } from './mails.ts'
import { isProofTrusted } from './ownerProofs.ts'

/** The extra proof that was given, and its effects. */
export interface Proof {
  readonly by: 'none' | 'email' | 'totp' | 'passkey'
  /** The id of the passkey that answered. */
  readonly passkey: string | null
  /** Until when the withdrawal is not paid, in epoch milliseconds; null if it may be paid at once. */
  readonly heldUntil: number | null
  /** Why extra proof was needed; empty if it was not. */
  readonly reasons: readonly StepUpReason[]
  readonly statements: readonly Statement[]
}

/**
 * Checks the proof that was sent, even if none is needed: a withdrawal repeated with its used code must not be filed twice.
 * A used link of the mail counts like its code. Filing marks either as used, and makes destination and device known. Refuses `step_up_required` if a proof is needed but missing,
 * and a wrong one as `checkSentProof` does.
 *
 * A second factor, or a proof that the destination is the investor's own, lifts the delay of a new destination, unless a factor, the password or the e-mail address changed in the
 * last 72 hours: a thief could have changed it. Then it counts like e-mail. The database applies the same rule.
 */
export async function confirm(
  call: ActorCall,
  withdrawal: NewWithdrawal,
  facts: Facts,
  standing?: StandingProof,
): Promise<Proof> {
  const { db, env, actor, device, nowMs } = call
  const asked = listProofReasons(withdrawal, facts, actor.session.known, nowMs)
  const reasons = standing === undefined ? asked : [...asked, standing.reason]
  const buildMail = standing?.buildMail ?? buildCodeMail
  const checked = isProofGiven(withdrawal)
    ? await checkSentProof(call, withdrawal, facts)
    : checkUsedLink(facts, nowMs)
  if (checked !== null) {
    const { by, passkey, spend } = checked
    const { provedAt, securityChangedAtMs } = facts
    const liftsDelay =
      (by !== 'email' && !isRecentChange(securityChangedAtMs, nowMs)) ||
      isProofTrusted(provedAt, securityChangedAtMs, nowMs)
    const heldUntil = computeDelayEnd(facts, liftsDelay, nowMs)
    const known = [
      makeDestinationKnown(db, withdrawal, heldUntil, liftsDelay, nowMs),
      ...makeDeviceKnown(db, actor, device, nowMs),
    ]
    return { by, passkey, heldUntil, reasons, statements: [...spend, ...known] }
  }
  if (reasons.length > 0) {
    const detail = { amountCents: withdrawal.amountCents, reasons: reasons.join(' ') }
    await requestProof(call, withdrawal, facts, {
      msg: 'Please confirm this: we have sent you a mail. Enter its code, or use its link and then send this again, unchanged.',
      reasons,
      mailOf: async (code, id) => buildMail(actor, withdrawal, code, await buildConfirmationLink(env, id)),
      audit: { action: 'withdrawal.code_mailed', subject: actor.id, detail },
    })
  }
  return {
    by: 'none',
    passkey: null,
    heldUntil: computeDelayEnd(facts, false, nowMs),
    reasons,
    statements: [],
  }
}

/** What always needs a proof, because it withdraws again and again. Its proof confirms nothing else. */
interface StandingProof {
  readonly reason: StepUpReason
  readonly buildMail: typeof buildCodeMail
}

interface ProofRequest {
  /** What to do once the mail has arrived. */
  readonly msg?: string
  readonly reasons: readonly StepUpReason[]
  readonly mailOf: (code: string, id: string) => Mail | Promise<Mail>
  readonly audit: AuditEntry
}

/**
 * Mails a code and creates a passkey challenge for exactly this request. Refuses `step_up_required`. While mailed codes are
 * refused, it asks for a second factor alone.
 */
export async function requestProof(
  call: Pick<Call, 'db' | 'env' | 'nowMs' | 'commit'>,
  { bound, scope }: ProofSubject,
  { factors, mailed, mails }: ProofFacts,
  { msg, reasons, mailOf, audit }: ProofRequest,
): Promise<never> {
  const { env, nowMs } = call
  const { details, statements } = await buildProofMethods(call, scope, factors)
  const refusedUntil = mailed.limit?.refusedUntil ?? null
  if (refusedUntil !== null && refusedUntil > nowMs) {
    // Without a second factor, the user cannot confirm a request for now.
    if (details.methods.length === 0) return refuseMailedCodes(Math.ceil((refusedUntil - nowMs) / 1000))
    await call.commit({ statements })
    return refuse('step_up_required', { ...details, reasons: [...reasons] })
  }
  if (hasRateLimits(env)) assertMayMail(mails, nowMs)
  await mailCode(call, { bound, mailOf, audit, statements, mails })
  return refuse('step_up_required', {
    ...details,
    methods: [...details.methods, 'email'],
    reasons: [...reasons],
    ...(msg !== undefined && { msg }),
  })
}

interface CheckedProof {
  readonly by: 'email' | 'totp' | 'passkey'
  /** The id of the passkey that answered. */
  readonly passkey: string | null
  /** Marks the proof as used. */
  readonly spend: readonly Statement[]
}

/**
 * Checks the code, mailed for exactly this request or from the app, or the passkey's answer for exactly this request. Refuses
 * `invalid_code`, `too_many_codes` or `invalid_passkey` without sending a mail.
 */
export async function checkSentProof(
  call: Pick<Call, 'db' | 'env' | 'request' | 'nowMs' | 'commit'>,
  { sent, scope }: ProofSubject,
  { factors, mailed }: ProofFacts,
): Promise<CheckedProof> {
  const { db, env, nowMs } = call
  const uncounted = hasFactor(factors) ? [takeOffTry(scope.userId)] : []
  if (sent.code === undefined) {
    const checked = await checkProof(call, scope, factors, sent)
    if (checked.state === 'right') {
      const key = parseKeys(factors.passkeys).find(
        ({ credentialId }) => credentialId === sent.answer?.credentialId,
      )
      return { by: 'passkey', passkey: key?.id ?? null, spend: [...checked.spend, ...uncounted] }
    }
    // A challenge can be answered once, so the next try needs a new one.
    const { details, statements } = await buildProofMethods(call, scope, factors)
    await call.commit({ statements })
    return refuse('invalid_passkey', { ...details, methods: [...details.methods, 'email'] })
  }
  const owner = toAccountOwner(scope.userId, factors)
  const mailedCode = await compareMailedCode(env, mailed, sent.code, nowMs)
  if (mailedCode.state === 'right')
    return { by: 'email', passkey: null, spend: [...mailedCode.spend, ...uncounted] }
  if (mailedCode.state === 'too many codes' && factors.secretSealed === null)
    return refuseMailedCodes(mailedCode.retryAfterSeconds)
  // A recovery code only signs in and confirms no withdrawal.
  const appCode = await checkCode(call, owner, { ...factors, recoveryHash: null }, sent.code)
  if (appCode.state === 'right') return { by: 'totp', passkey: null, spend: [...appCode.spend, ...uncounted] }
  if (mailedCode.state === 'wrong code' && mailed.codes.length > 0)
    await recordWrongCode(db, env, owner, 'mailed', nowMs)
  if (appCode.state === 'too many codes')
    return refuse('too_many_codes', {
      msg: 'Too many wrong codes in the last seven days. Codes from your app are refused for now. Ask for a code by e-mail, or use a passkey.',
      retryAfterSeconds: appCode.retryAfterSeconds,
    })
  return refuse('invalid_code')
}

/** The proof of a request that is repeated after the link in its mail was used; null if it was not. */
function checkUsedLink({ mailed }: ProofFacts, nowMs: number): CheckedProof | null {
  const spend = spendUsedLink(mailed, nowMs)
  return spend && { by: 'email', passkey: null, spend }
}

/** The device becomes known for this account only. */
function makeDeviceKnown(
  db: Database,
  { id, session }: Pick<Actor, 'id' | 'session'>,
  device: Device | null,
  nowMs: number,
): Statement[] {
  return [
    db.update(sessions).set({ confirmedAt: nowMs }).where(eq(sessions.id, session.id)),
    ...(device === null
      ? []
      : [
          db
            .update(devices)
            .set({ confirmedAt: nowMs })
            .where(and(eq(devices.userId, id), eq(devices.deviceHash, device.hash))),
        ]),
  ]
}

/**
 * Makes the destination known; a new one is delayed until `until`. A known one keeps its delay, unless the proof lifts it. If
 * another request changed the delay meanwhile, the database refuses the batch.
 */
function makeDestinationKnown(
  db: Database,
  { bound, destination }: NewWithdrawal,
  until: number | null,
  lifts: boolean,
  nowMs: number,
): Statement {
  return db
    .insert(knownDestinations)
    .values({
      investor: bound.investor,
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
