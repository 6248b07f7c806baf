import type * as z from 'zod/mini'
import type { BodyOf, Endpoint, QueryOf } from '../../src/contract/endpoint.ts'
import type { InspectedImage } from '../../src/pictures/inspect.ts'
import { type Database, runBatch, type Statement } from '../lib/database.ts'
import type { Env } from '../lib/env.ts'
import type { AgeFile } from '../lib/files/age.ts'
import { deliverOutbox, enqueueMails, type Mail } from '../lib/mail/outbox.ts'
import type { Actor } from './actor.ts'
import { type AuditEntry, activityOf, recordAudit } from './audit.ts'
import type { Device } from './cookies.ts'
import type { ShownFactor } from './factorProof.ts'
import { type Claim, keepAnswer } from './idempotency.ts'

/** A picture that was inspected: its real type, its size in pixels, its bytes without metadata. */
export type Picture = Extract<InspectedImage, { ok: true }>

/** A file that a browser encrypted: what its header tells, and all of its bytes. */
export interface SealedUpload extends AgeFile {
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** What a verb answers. `body` undefined is an empty answer (204). */
export interface Answer<T> {
  readonly status: 200 | 201 | 202 | 204
  readonly body: T
  readonly headers?: Readonly<Record<string, string>>
}

export const ok = <T>(body: T, headers?: Record<string, string>): Answer<T> => ({
  status: 200,
  body,
  ...(headers && { headers }),
})
export const created = <T>(body: T): Answer<T> => ({ status: 201, body })
export const accepted = <T>(body: T): Answer<T> => ({ status: 202, body })
export const noContent = (): Answer<undefined> => ({ status: 204, body: undefined })

/** What one verb changes: all of it happens, or nothing. */
export interface Effect<A extends Answer<unknown> | undefined = Answer<unknown> | undefined> {
  readonly statements?: readonly Statement[]
  readonly audit?: readonly AuditEntry[]
  readonly mails?: readonly Mail[]
  /** Given back after the commit, and stored under the idempotency key if there is one. Idempotent endpoints must give it. */
  readonly answer?: A
}

/** Everything a verb may lean on while it answers one request. Times are epoch milliseconds. */
export interface Call {
  readonly env: Env
  readonly db: Database
  readonly nowMs: number
  readonly requestId: string
  readonly request: Request
  readonly endpoint: Endpoint
  /** The client's network address as the platform names it, never a header that the client writes. */
  readonly ip: string
  readonly userAgent: string
  /** What the device cookie names, if the browser carries one that we issued. */
  readonly device: Device | null
  readonly params: Readonly<Record<string, string>>
  readonly claim: Claim | null
  /** Goes on after the answer. */
  defer(work: Promise<unknown>): void
  /** Runs an effect as one atomic batch (statements, audit lines, mails, the idempotency key's answer); returns its `answer`. */
  commit<A extends Answer<unknown> | undefined = undefined>(effect: Effect<A>): Promise<A>
}

/** A call whose fields were checked. */
export interface CheckedCall<Body, Query> extends Call {
  readonly body: Body
  readonly query: Query
  /** The pictures of the endpoint's `files`, inspected and without metadata. */
  readonly pictures: Readonly<Record<string, Picture>>
  /** Those of the endpoint's `files` that came encrypted. */
  readonly sealed: Readonly<Record<string, SealedUpload>>
}

/** What the function of a public endpoint gets. */
export type PublicCallOf<E> = CheckedCall<BodyOf<E>, QueryOf<E>>

/** What the function of an endpoint gets from somebody signed in. */
export type CallOf<E> = PublicCallOf<E> & ActorCall

/** A call of somebody signed in. */
export interface ActorCall extends Call {
  readonly actor: Actor
  /** The second factor that came along, where the endpoint asks for one; not yet checked. */
  readonly shown?: ShownFactor | null
}

/**
 * The batch of an effect, in the order in which its triggers must see it. What an operator changes goes nowhere without its
 * line on the audit log.
 */
export async function commitEffect<A extends Answer<unknown> | undefined>(
  call: Omit<Call, 'commit'>,
  actorId: string,
  effect: Effect<A>,
): Promise<A> {
  const { db, nowMs, claim } = call
  assertAudited(call.endpoint, effect)
  const kept: Statement[] = []
  if (claim !== null && effect.answer !== undefined) {
    kept.push(keepAnswer(db, claim, effect.answer.status, JSON.stringify(effect.answer.body ?? null)))
  }
  await runBatch(db, [
    ...(effect.statements ?? []),
    ...(effect.audit ?? []).flatMap((entry) => [
      recordAudit(db, actorId, entry, nowMs),
      ...activityOf(call, actorId, entry),
    ]),
    ...(await enqueueMails(call.env, effect.mails ?? [], nowMs)),
    ...kept,
  ])
  if (effect.mails && effect.mails.length > 0) call.defer(deliverOutbox(call.env, db, Date.now()))
  // `A` is inferred from `answer`, so it is undefined where there is none.
  return effect.answer as A
}

function assertAudited({ method, path, audit, changesNothing }: Endpoint, effect: Effect): void {
  if (changesNothing) throw new Error(`${method} ${path} says that it changes nothing.`)
  if (audit === undefined || effect.audit?.some(({ action }) => audit.includes(action))) return
  throw new Error(`${method} ${path} changes something without its line on the audit log.`)
}

/** An answer, or a response of another media type than JSON. */
export type Reply<T> = Answer<T> | Response

type Signed<B extends z.ZodMiniType, Q extends z.ZodMiniType> = CheckedCall<z.output<B>, z.output<Q>> &
  ActorCall

/** A route ready to be mounted; what it needs is checked by the pipeline in the contract's order of refusals. */
export interface Route {
  readonly endpoint: Endpoint
  /** Loads the thing an `:id` names, within the actor's scope, or refuses `not_found`: before fields are looked at. */
  readonly load: ((call: ActorCall) => Promise<unknown>) | null
  readonly run: (call: CheckedCall<unknown, unknown> & ActorCall, thing: unknown) => Promise<Reply<unknown>>
}

/** A route for anybody. */
export function publicRoute<B extends z.ZodMiniType, Q extends z.ZodMiniType, A>(
  endpoint: Endpoint<B, Q, A>,
  run: (call: CheckedCall<z.output<B>, z.output<Q>> & Call) => Promise<Reply<NoInfer<A>>>,
): Route {
  return { endpoint: endpoint as Endpoint, load: null, run: run as Route['run'] }
}

/** A route for somebody signed in, in the endpoint's scope. */
export function route<B extends z.ZodMiniType, Q extends z.ZodMiniType, A>(
  endpoint: Endpoint<B, Q, A>,
  run: (call: Signed<B, Q>) => Promise<Reply<NoInfer<A>>>,
): Route {
  return { endpoint: endpoint as Endpoint, load: null, run: run as Route['run'] }
}

/** A route about one thing: `load` finds it within the actor's scope, `run` gets it. */
export function routeOf<B extends z.ZodMiniType, Q extends z.ZodMiniType, A, T>(
  endpoint: Endpoint<B, Q, A>,
  load: (call: ActorCall) => Promise<T>,
  run: (call: Signed<B, Q>, thing: T) => Promise<Reply<NoInfer<A>>>,
): Route {
  return { endpoint: endpoint as Endpoint, load, run: run as Route['run'] }
}
