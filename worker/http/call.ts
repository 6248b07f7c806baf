import type { SQL } from 'drizzle-orm'
import type * as z from 'zod/mini'
import type { BodyOf, Endpoint, QueryOf, Scope } from '../../src/contract/endpoint.ts'
import type { InspectedImage } from '../../src/pictures/inspect.ts'
import { type Database, type RowQuery, type RowsOf, runBatch, type Statement } from '../lib/database.ts'
import type { Env } from '../lib/env.ts'
import type { AgeFile } from '../lib/files/age.ts'
import { deliverOutbox, enqueueMails, type Mail } from '../lib/mail/outbox.ts'
import { runtime } from '../lib/runtime.ts'
import type { Actor, Reader } from './actor.ts'
import { type AuditEntry, recordAudit, recordEntryActivity } from './audit.ts'
import type { Device } from './device.ts'
import type { SentProof } from './factorProof.ts'
import { type Claim, storeAnswer } from './idempotency.ts'

/** An inspected picture: its detected type, size in pixels, and bytes without metadata. */
export type Picture = Extract<InspectedImage, { ok: true }>

/** A file that a browser encrypted: its parsed header and all of its bytes. */
export interface SealedUpload extends AgeFile {
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** The answer of an endpoint. `body` undefined means an empty answer (204). */
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
export const created = <T>(body: T, headers?: Record<string, string>): Answer<T> => ({
  status: 201,
  body,
  ...(headers && { headers }),
})
export const accepted = <T>(body: T): Answer<T> => ({ status: 202, body })
export const noContent = (): Answer<undefined> => ({ status: 204, body: undefined })

/** The changes of one call, committed atomically. */
export interface Effect<A extends Answer<unknown> | undefined = Answer<unknown> | undefined> {
  readonly statements?: readonly Statement[]
  readonly audit?: readonly AuditEntry[]
  readonly mails?: readonly Mail[]
  /** Returned after the commit, and stored under the idempotency key. Idempotent endpoints must set it. */
  readonly answer?: A
  /** The effect carries and spends a second factor that was just checked. */
  readonly isProven?: true
}

/** The context of one request. Times are epoch milliseconds. */
export interface Call {
  readonly env: Env
  readonly db: Database
  readonly nowMs: number
  readonly requestId: string
  readonly request: Request
  readonly endpoint: Endpoint
  /** The client's address as the platform reports it, never from a header that the client sets. */
  readonly ip: string
  readonly userAgent: string
  /** The device of the cookie, if we issued that cookie. */
  readonly device: Device | null
  readonly params: Readonly<Record<string, string>>
  /** Does work after the answer, so that it neither delays nor colours it. */
  defer(work: () => Promise<unknown>): void
  /** Commits an effect as one atomic batch (statements, audit lines, mails, stored answer) and returns its `answer`. */
  commit<A extends Answer<unknown> | undefined = undefined>(effect: Effect<A>): Promise<A>
}

/** A call with validated fields. */
export interface CheckedCall<Body, Query> extends Call {
  readonly body: Body
  readonly query: Query
  /** The pictures of the endpoint's `files`, inspected and without metadata. */
  readonly pictures: Readonly<Record<string, Picture>>
  /** The PDFs of the endpoint's `files`, as sent. */
  readonly pdfs: Readonly<Record<string, Uint8Array<ArrayBuffer>>>
  /** The encrypted ones of the endpoint's `files`. */
  readonly sealed: Readonly<Record<string, SealedUpload>>
}

/** The call of a public endpoint. */
export type PublicCallOf<E> = CheckedCall<BodyOf<E>, QueryOf<E>>

/** The call of a signed-in endpoint, or of one that keys may call too. */
export type CallOf<E> = PublicCallOf<E> &
  (E extends { readonly scope: 'signed-in-or-key' } ? ReaderCall : ActorCall)

/** A call by the owner of an account, or with a key of theirs. */
export interface ReaderCall extends Call {
  readonly actor: Reader
}

/** A call by a signed-in user. */
export interface ActorCall extends Call {
  readonly actor: Actor
  /** The second factor sent with the call, not yet checked. */
  readonly proof?: SentProof | null
}

/** Commits an effect in the order that its triggers need. Every change by an operator needs its audit line. */
export async function commitEffect<A extends Answer<unknown> | undefined>(
  call: Omit<Call, 'commit'> & { readonly claim: Claim | null; readonly fingerprint: () => Promise<string> },
  actorId: string,
  effect: Effect<A>,
): Promise<A> {
  const { db, nowMs, claim } = call
  assertAudited(call.endpoint, effect)
  const kept: Statement[] = []
  if (claim !== null && effect.answer !== undefined) {
    const { status, body } = effect.answer
    const answer = { fingerprint: await call.fingerprint(), status, body: JSON.stringify(body ?? null) }
    kept.push(storeAnswer(db, claim, answer, nowMs))
  }
  await runBatch(db, [
    ...(effect.statements ?? []),
    ...(effect.audit ?? []).flatMap((entry) => [
      recordAudit(db, actorId, entry, nowMs),
      ...recordEntryActivity(call, actorId, entry),
    ]),
    ...(await enqueueMails(call.env, effect.mails ?? [], nowMs)),
    ...kept,
  ])
  if (effect.mails && effect.mails.length > 0) call.defer(() => deliverOutbox(call.env, db, runtime.now()))
  return effect.answer as A
}

function assertAudited({ method, path, audit, isQuery }: Endpoint, effect: Effect): void {
  if (isQuery && audit === undefined) throw new Error(`${method} ${path} says that it changes nothing.`)
  if (audit === undefined || effect.audit?.some(({ action }) => audit.includes(action))) return
  throw new Error(`${method} ${path} changes something without its line on the audit log.`)
}

/** An answer, or a response of another media type than JSON. */
export type Reply<T> = Answer<T> | Response

type SignedInCall<
  B extends z.ZodMiniType,
  Q extends z.ZodMiniType,
  S extends Scope = 'signed-in',
> = CheckedCall<z.output<B>, z.output<Q>> & (S extends 'signed-in-or-key' ? ReaderCall : ActorCall)

/** A route to mount. The pipeline checks the endpoint's requirements in the contract's order of refusals. */
export interface Route {
  readonly endpoint: Endpoint
  /** Loads the thing that `:id` names within the actor's scope, or refuses `not_found`. Runs before fields are validated. */
  readonly load?: (call: ActorCall) => Promise<unknown>
  /** The first reads of a route without `load`. */
  readonly reads?: (first: FirstReadsCall<unknown>) => readonly RowQuery<unknown>[]
  /** @param thing what `load` returned, or the rows of `reads` */
  readonly run: (call: CheckedCall<unknown, unknown> & ActorCall, thing: unknown) => Promise<Reply<unknown>>
}

/** The facts for the first reads of a route. They are sent with the look-up of the session, before the actor is known. */
export interface FirstReadsCall<Query> extends Pick<Call, 'db' | 'nowMs'> {
  /** SQL of the actor's id. It is NULL without a live session, so that reads find nothing. */
  readonly actorId: SQL
  readonly query: Query
}

/** A route for callers within the endpoint's scope. The call of a public endpoint has no actor. */
export function createRoute<B extends z.ZodMiniType, Q extends z.ZodMiniType, A, S extends Scope>(
  endpoint: Endpoint<B, Q, A, S>,
  run: (
    call: S extends 'public' | 'monitoring' ? CheckedCall<z.output<B>, z.output<Q>> : SignedInCall<B, Q, S>,
  ) => Promise<Reply<NoInfer<A>>>,
): Route {
  return { endpoint: endpoint as Endpoint, run: run as unknown as Route['run'] }
}

/**
 * A route for the most frequent calls. Its reads share the round trip of the session, and `run` receives their rows. A refused
 * call drops the rows.
 */
export function createReadRoute<
  B extends z.ZodMiniType,
  Q extends z.ZodMiniType,
  A,
  S extends Scope,
  const Reads extends readonly RowQuery<unknown>[],
>(
  endpoint: Endpoint<B, Q, A, S>,
  reads: (first: FirstReadsCall<z.output<Q>>) => Reads,
  run: (call: SignedInCall<B, Q, S>, rows: RowsOf<Reads>) => Promise<Reply<NoInfer<A>>>,
): Route {
  return { endpoint: endpoint as Endpoint, reads: reads as Route['reads'], run: run as Route['run'] }
}

/** A route about one thing: `load` finds it within the actor's scope, `run` receives it. */
export function createItemRoute<B extends z.ZodMiniType, Q extends z.ZodMiniType, A, T>(
  endpoint: Endpoint<B, Q, A, Exclude<Scope, 'signed-in-or-key'>>,
  load: (call: ActorCall) => Promise<T>,
  run: (call: SignedInCall<B, Q>, thing: T) => Promise<Reply<NoInfer<A>>>,
): Route {
  return { endpoint: endpoint as Endpoint, load, run: run as Route['run'] }
}
