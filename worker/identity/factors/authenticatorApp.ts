import { and, count, eq, isNull, sql } from 'drizzle-orm'
import { renderSVG } from 'uqr'
import type { AnswerOf } from '../../../src/contract/endpoint.ts'
import type {
  twoFactorDisable,
  twoFactorEnable,
  twoFactorSetup,
  twoFactorStatus,
} from '../../../src/contract/identity/factors.ts'
import { site } from '../../../src/site.ts'
import { type ActorCall, type Answer, type CallOf, type Effect, noContent, ok } from '../../http/call.ts'
import { toIso } from '../../http/paging.ts'
import { buildOtpauthUri, newTotpSecret } from '../../lib/crypto/totp.ts'
import { refuse, refuseField } from '../../lib/errors.ts'
import { recoveryCodes, secondFactors } from '../../lib/tables/people.ts'
import { DISTRUST_WORDS, distrust } from '../credentials/distrust.ts'
import { buildSecurityMail } from '../credentials/lockToken.ts'
import { hashContext } from './challenges.ts'
import { commitWithProof } from './commitWithProof.ts'
import { readPasskeys } from './keys.ts'
import { type NewFactor, proveMailbox } from './mailboxProof.ts'
import { issueRecoveryCodes } from './recoveryCodes.ts'
import { findFirstTotpStep, readFactor, sealTotpSecret, spendTotpStep } from './secondFactor.ts'

/** Issues a new secret, which is enabled by its first code. Refuses if the app is on. */
export async function setUpTwoFactor(call: ActorCall): Promise<Answer<AnswerOf<typeof twoFactorSetup>>> {
  const { actor, db, env, nowMs } = call
  const secret = newTotpSecret()
  const secretSealed = await sealTotpSecret(env, actor.id, secret)
  const pending = { secretSealed, createdAt: nowMs, lastStep: 0 }
  const stored = await db
    .insert(secondFactors)
    .values({ userId: actor.id, ...pending })
    .onConflictDoUpdate({
      target: secondFactors.userId,
      set: pending,
      setWhere: isNull(secondFactors.enabledAt),
    })
    .returning({ userId: secondFactors.userId })
  if (stored.length === 0) refuse('two_factor_enabled')
  const uri = buildOtpauthUri(secret, actor.email, site.brand)
  return ok({ secret, otpauthUri: uri, qr: `data:image/svg+xml;base64,${btoa(renderSVG(uri))}` })
}

type EnableCall = CallOf<typeof twoFactorEnable>

/** In a younger session, the password was just entered. */
const FRESH_SESSION_MS = 15 * 60_000

/**
 * Turns the authenticator app on with its first code, and returns ten recovery codes, which are never shown again. A stolen
 * session or password is not enough: it takes a mailed code; in a session older than 15 minutes also the password; and with a
 * passkey on the account, the password and that passkey. The mailed code is checked last. A refusal spends no proof.
 */
export async function enableTwoFactor(call: EnableCall): Promise<Answer<AnswerOf<typeof twoFactorEnable>>> {
  const { actor, db, env, nowMs, body } = call
  const password = body.password || undefined
  const needsPassword = actor.twoFactor || nowMs - actor.session.createdAtMs > FRESH_SESSION_MS
  const [factor] = await readFactor(db, actor.id)
  if (factor === undefined) return refuse('two_factor_not_set_up')
  if (factor.enabledAt !== null) return refuse('two_factor_enabled')
  if (needsPassword && password === undefined) refuseField('password', 'Please enter your password')
  const step = await findFirstTotpStep(env, actor.id, factor, body.code, nowMs)
  if (step === null) return refuse('invalid_code')
  const isNewStep = step > factor.lastStep
  const newFactor: NewFactor = {
    words: 'an authenticator app',
    context: await hashContext('authenticator app', actor.session.id, factor.secretSealed),
    proof: body.proof,
    mailedWith: isNewStep ? [spendTotpStep(actor.id, step)] : [],
  }
  const { codes, statements } = await issueRecoveryCodes(db, actor.id, nowMs)
  const effect: Effect = {
    statements: [
      // Stores the secret that was proved, even if another set-up replaced it meanwhile. A trigger allows this once.
      db
        .update(secondFactors)
        .set({
          secretSealed: factor.secretSealed,
          enabledAt: nowMs,
          ...(isNewStep && { lastStep: step }),
        })
        .where(eq(secondFactors.userId, actor.id)),
      ...statements,
      ...distrust({ userId: actor.id, cause: 'factor_changed', keepSession: actor.session.id, nowMs }),
    ],
    audit: [{ action: 'two_factor.enabled', subject: actor.id }],
    mails: [
      await buildSecurityMail(env, actor, nowMs, 'Your second factor is on', [
        `Signing in to ${site.brand} now needs a code from your authenticator app. Keep your recovery codes in a place that you can reach without your phone.`,
        DISTRUST_WORDS,
      ]),
    ],
  }
  if (password === undefined) {
    const mailed = await proveMailbox(call, newFactor)
    await call.commit({ ...effect, statements: [...mailed, ...(effect.statements ?? [])] })
  } else {
    await commitWithProof(call, { password, passkey: body.passkey }, effect, {
      withoutFactor: 'password',
      newFactor,
    })
  }
  return ok({ recoveryCodes: codes })
}

type DisableCall = CallOf<typeof twoFactorDisable>

/**
 * Turns the app off with the password and a proof: its code, a recovery code or a passkey. Recovery codes are deleted
 * unless a passkey stays. Refuses an operator's last second factor.
 */
export async function disableTwoFactor(call: DisableCall): Promise<Answer<undefined>> {
  const { actor, db, env, nowMs, body } = call
  const [[factor], keys] = await db.batch([readFactor(db, actor.id), readPasskeys(db, actor.id)])
  if (actor.role === 'operator' && keys.length === 0) refuse('two_factor_mandatory')
  if (factor === undefined || factor.enabledAt === null) refuse('two_factor_not_set_up')
  const [subject, asks] =
    keys.length === 0
      ? ['Your second factor was turned off', 'your password only']
      : ['Your authenticator app was turned off', 'your password and a passkey']
  await commitWithProof(call, body, {
    statements: [
      sql`DELETE FROM second_factors WHERE user_id = ${actor.id}`,
      ...distrust({ userId: actor.id, cause: 'factor_changed', keepSession: actor.session.id, nowMs }),
    ],
    audit: [{ action: 'two_factor.disabled', subject: actor.id }],
    mails: [
      await buildSecurityMail(env, actor, nowMs, subject, [
        `Signing in to ${site.brand} now needs ${asks}. For three days, withdrawals need extra proof.`,
        DISTRUST_WORDS,
      ]),
    ],
  })
  return noContent()
}

/** The actor's second factors. An app that was only set up is off. */
export async function showTwoFactor({
  actor,
  db,
}: ActorCall): Promise<Answer<AnswerOf<typeof twoFactorStatus>>> {
  const [[factor], keys, [left]] = await db.batch([
    readFactor(db, actor.id),
    readPasskeys(db, actor.id),
    db
      .select({ codes: count() })
      .from(recoveryCodes)
      .where(and(eq(recoveryCodes.userId, actor.id), isNull(recoveryCodes.usedAt))),
  ])
  const app = factor?.enabledAt ?? null
  const since = [...(app === null ? [] : [app]), ...keys.map(({ createdAt }) => createdAt)]
  if (since.length === 0) return ok({ on: false, since: null, methods: [], recoveryCodesLeft: 0 })
  return ok({
    on: true,
    since: toIso(Math.min(...since)),
    methods: [
      ...(keys.length > 0 ? (['passkey'] as const) : []),
      ...(app === null ? [] : (['totp'] as const)),
    ],
    recoveryCodesLeft: left?.codes ?? 0,
  })
}
