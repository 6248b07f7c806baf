import { sql } from 'drizzle-orm'
import type { Endpoint } from '../../../src/contract/endpoint.ts'
import { FACTOR_LIMIT, type FactorReason } from '../../../src/contract/identity/factors.ts'
import { type Site, site } from '../../../src/site.ts'
import type { Actor, Rule } from '../../http/actor.ts'
import { type ActorCall, type Answer, type Call, type Effect, noContent } from '../../http/call.ts'
import type { Factors, SentProof } from '../../http/factorProof.ts'
import { assertWithin, countForAccount } from '../../http/limits.ts'
import { buildQuery, readTogether, runBatch, type Statement, selectValues } from '../../lib/database.ts'
import { hasRateLimits } from '../../lib/env.ts'
import { refuse } from '../../lib/errors.ts'
import { type ChallengeScope, hashContext } from './challenges.ts'
import { buildProofMethods, checkProof, selectFactorColumns } from './factors.ts'
import { selectKeysJson } from './keys.ts'

/** An act that needs a second factor. The proof is bound to it. */
export interface Act {
  /** The amount that the act decides about, if any. */
  readonly amountCents?: number
  /** The subject of the act, if the URL does not name it. */
  readonly about?: string
  /** The act only renews the session's factor, so an earlier proof never counts. */
  readonly renews?: true
}

/**
 * Refuses an act without a second factor: `fresh_factor` if the session's last one is too old, `bound_factor` if the amount
 * is above the two-person limit and the call carries no proof. Needs no round trip unless it refuses. In live mode operators
 * need a passkey.
 * @param refuseFirst makes the refusals that take precedence and need the database
 */
export async function assertFactor(
  call: ActorCall,
  act: Act,
  refuseFirst?: () => Promise<void>,
): Promise<void> {
  const reason = findMissingFactor(call, act)
  if (reason === null) return
  await refuseFirst?.()
  const { details, statements } = await buildActProofMethods(call, act)
  await runBatch(call.db, statements)
  refuse('step_up_required', { ...details, reasons: [reason], msg: WORDS[pickWordsKey(call, reason)] })
}

/** Commits an act together with its proof, if one was sent, and returns the answer. Refuses a wrong proof. */
export async function commitWithFactor<A extends Answer<unknown> | undefined = undefined>(
  call: ActorCall,
  act: Act,
  effect: Effect<A>,
): Promise<A> {
  const { proof } = call
  if (!proof || !isAccepted(call)) return call.commit(effect)
  const scope = await buildActScope(call, act)
  const factors = await readFactors(call, scope, proof)
  const checked = await checkProof(call, scope, factors, proof)
  if (checked.state === 'wrong passkey') {
    // A challenge can be answered once, so the next try needs a new one.
    const { details, statements } = await buildActProofMethods(call, act, factors.passkeys)
    await runBatch(call.db, statements)
    return refuse('invalid_passkey', details)
  }
  if (checked.state === 'too many codes')
    return refuse('too_many_codes', { retryAfterSeconds: checked.retryAfterSeconds })
  if (checked.state !== 'right') return refuse('invalid_code')
  return call.commit({
    ...effect,
    isProven: true,
    statements: [...checked.spend, renewFactor(call, proof.isPasskey), ...(effect.statements ?? [])],
  })
}

/** Reads the second factors that a proof is checked against. A code counts as a guess: refuses 429 above the limit. */
async function readFactors(
  { actor, db, env, nowMs }: ActorCall,
  scope: ChallengeScope,
  proof: SentProof,
): Promise<Factors> {
  const isCounted = proof.code !== undefined && hasRateLimits(env)
  const [[factors], [counter] = []] = await readTogether(
    db,
    buildQuery<Factors>(sql`
      SELECT ${selectFactorColumns(env, proof, scope, nowMs)} FROM users u WHERE u.id = ${actor.id}`),
    ...(isCounted ? [countForAccount(FACTOR_LIMIT, actor.id, nowMs)] : []),
  )
  assertWithin(FACTOR_LIMIT, counter, nowMs)
  return factors ?? refuse('unauthorized')
}

/** Why an act needs a proof first; null if it does not. */
function findMissingFactor(call: ActorCall, { amountCents = 0, renews }: Act): FactorReason | null {
  const { actor, proof } = call
  if (proof && isAccepted(call)) return null
  if (renews) return 'fresh_factor'
  if (amountCents > actor.acts.twoPersonLimitCents) return 'bound_factor'
  return hasFreshFactor(actor, call.nowMs) ? null : 'fresh_factor'
}

function hasFreshFactor(actor: Actor, nowMs: number): boolean {
  const { factor } = actor.session
  return (
    factor !== null &&
    nowMs - factor.atMs <= actor.acts.factorMinutes * 60_000 &&
    (factor.by === 'passkey' || !isPasskeyRequired({ actor }))
  )
}

/** The rule that the session's second factor is fresh. It has no challenge of its own: `POST /auth/confirm` renews the factor. */
function buildFreshFactorRule({ nowMs }: Pick<Call, 'nowMs'>): Rule {
  return {
    code: 'step_up_required',
    breaks: (actor) => !hasFreshFactor(actor, nowMs),
    details: (actor) => ({
      reasons: ['fresh_factor'],
      methods: [
        ...(actor.factors.passkey || isPasskeyRequired({ actor }) ? ['passkey'] : []),
        ...(actor.factors.totp && !isPasskeyRequired({ actor }) ? ['totp'] : []),
      ],
      msg: WORDS[pickWordsKey({ actor }, 'fresh_factor')],
    }),
  }
}

/**
 * The rule of a console call that changes something, or hands out a document or an export: a fresh second factor. Null for
 * others. Reads that only write their own audit line are no change.
 * @param isProven whether the call itself carries a factor that was just checked
 */
export function findConsoleFactorRule(
  call: Pick<Call, 'endpoint' | 'request' | 'nowMs'>,
  isProven = false,
): Rule | null {
  const { endpoint, request } = call
  if (isProven || !endpoint.scope.startsWith('operator:') || isException(endpoint)) return null
  return isRead(endpoint) && !isFile(endpoint, request) ? null : buildFreshFactorRule(call)
}

function isRead({ method, isQuery }: Endpoint): boolean {
  return method === 'GET' || isQuery === true
}

/** The console's calls that need no fresh factor although they change something, with the reason. */
export const FACTOR_EXCEPTIONS: Readonly<Record<string, string>> = {
  'POST /operator/cases/:id/assign':
    'It only says who has a case open. It decides nothing and shows nothing new.',
}

function isException({ method, path }: Endpoint): boolean {
  return Object.hasOwn(FACTOR_EXCEPTIONS, `${method} ${path}`)
}

/** Whether the answer is a document or an export. */
function isFile({ answerType }: Endpoint, { url }: Request): boolean {
  return answerType !== undefined || new URL(url).searchParams.has('format')
}

function isAccepted(call: ActorCall): boolean {
  return call.proof?.isPasskey === true || !isPasskeyRequired(call)
}

/** Whether app codes do not count: with real money, operators could be phished for one. */
function isPasskeyRequired({ actor }: Pick<ActorCall, 'actor'>, mode: Site['mode'] = site.mode): boolean {
  return mode === 'live' && actor.role === 'operator'
}

async function buildActScope(
  { actor, request }: ActorCall,
  { amountCents = 0, about = '' }: Act,
): Promise<ChallengeScope> {
  const act = `${request.method} ${new URL(request.url).pathname}`
  const context = await hashContext(actor.session.id, act, about, amountCents)
  return { userId: actor.id, purpose: 'act', context }
}

/** @param knownPasskeys the passkeys, if they were read */
async function buildActProofMethods(call: ActorCall, act: Act, knownPasskeys?: string) {
  const { actor, db } = call
  const passkeys = actor.factors.passkey ? (knownPasskeys ?? (await readKeys())) : '[]'
  const secretSealed = actor.factors.totp && !isPasskeyRequired(call) ? '' : null
  const ways = await buildProofMethods(call, await buildActScope(call, act), { secretSealed, passkeys })
  return isPasskeyRequired(call) ? { ...ways, details: { ...ways.details, methods: ['passkey'] } } : ways

  async function readKeys(): Promise<string> {
    const [[keys]] = await readTogether(db, selectValues({ json: selectKeysJson(sql`${actor.id}`) }))
    return keys?.json ?? '[]'
  }
}

function renewFactor({ actor, nowMs }: ActorCall, isPasskey: boolean): Statement {
  return sql`UPDATE sessions SET factor_at = ${nowMs}, factor_by = ${isPasskey ? 'passkey' : 'totp'}
    WHERE id = ${actor.session.id}`
}

const WORDS = {
  fresh_factor: 'Please confirm with your second factor: it has been a while since you showed it.',
  bound_factor: 'This amount takes a second factor of its own. Please confirm it.',
  needs_passkey: 'Acts that move real money take a passkey. Add one under Profile, then try again.',
} as const

function pickWordsKey(call: Pick<ActorCall, 'actor'>, reason: FactorReason): keyof typeof WORDS {
  return isPasskeyRequired(call) && !call.actor.factors.passkey ? 'needs_passkey' : reason
}

/** Renews the session's second factor. Without a proof, the refusal says how to give one. */
export async function confirmFactor(call: ActorCall): Promise<Answer<undefined>> {
  if (!call.actor.twoFactor) refuse('two_factor_not_set_up')
  const act = { renews: true } as const
  await assertFactor(call, act)
  await commitWithFactor(call, act, {})
  return noContent()
}
