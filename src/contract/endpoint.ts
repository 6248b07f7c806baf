import * as z from 'zod/mini'
import type { AuditAction } from './auditActions.ts'
import type { RefusalCode } from './errors.ts'
import type { OperatorScope } from './roles.ts'

/**
 * Who may call an endpoint. `signed-in` is any investor or operator; `roles.ts` says which roles have an operator scope.
 * `signed-in-or-key` is also a program or a guest with a key of the investor: only a GET can have this scope. `monitoring` is a program
 * with a token of its own, and no session.
 */
export type Scope = 'public' | 'signed-in' | 'signed-in-or-key' | 'monitoring' | OperatorScope

/** A key reads. Another method with the scope of keys does not compile. */
type MethodOf<Caller extends Scope> = Caller extends 'signed-in-or-key' ? 'GET' : Endpoint['method']

/** The most calls in a window, counted exactly, by account or network address. */
export interface Limit {
  readonly name: string
  readonly per: 'account' | 'address'
  readonly max: number
  readonly windowSeconds: number
}

/** Everything about an endpoint except its method, path and scope. */
interface Details<
  Body extends z.ZodMiniType = z.ZodMiniType,
  Query extends z.ZodMiniType = z.ZodMiniType,
  Answer = unknown,
> {
  readonly summary: string
  /** 200 unless given. */
  readonly status?: 201 | 202 | 204
  /** The status while a second operator still has to act. The answer has the same shape. */
  readonly statusAwaiting?: 202
  /**
   * `json` (default where there is a body), `either` JSON or form data, `form` multipart with a required file.
   * `anything` takes its fields from the query or from a body of any type, and ignores a body that it cannot read.
   */
  readonly accepts?: 'json' | 'either' | 'form' | 'anything'
  readonly body?: Body
  /** Parts that must be exactly one picture each, with the error for a missing one. */
  readonly files?: Readonly<Record<string, string>>
  /** Files that may be missing if another field has a value: then the verb decides. */
  readonly optionalFiles?: Readonly<Record<string, string>>
  /** Files may also be PDFs. They are stored as sent and only ever downloaded. */
  readonly takesPdf?: true
  /** Whether files may be encrypted with `age` (media type `application/age`), or must be (`only`). */
  readonly takesEncrypted?: true | 'only'
  readonly query?: Query
  readonly answer?: z.ZodMiniType<Answer>
  /** The media types of an answer that is not JSON, separated by “, ”. */
  readonly answerType?: string
  /** Honours `Idempotency-Key`, because it moves money or files a request. */
  readonly idempotent?: true
  /** Refused while the account is frozen; with `kyc` also without an approved identity while the settings require one. */
  readonly requires?: readonly ('unfrozen' | 'kyc')[]
  readonly limit?: Limit
  /** Takes a second factor: the body may carry `code` or `passkey` (`identity/factors.ts`). Attempts are limited. */
  readonly asksFactor?: true
  /** Open pages poll it. A call does not count as use of the session, so the idle limit keeps running. */
  readonly isPolled?: true
  /** The audit actions of an operator’s change. Each change writes one of them in the same database batch. */
  readonly audit?: readonly AuditAction[]
  /** A query that is too long or too private for a URL, so it comes as a body. Without `audit` it may not change data. */
  readonly isQuery?: true
  /** The field of a list's query that may be a person's name or address. It also comes as a body: see `searchBy`. */
  readonly findsPeopleBy?: 'query' | 'subject'
  readonly refusals?: readonly RefusalCode[]
}

/** One endpoint of the API. The Worker’s validation and routing, forms, client types and OpenAPI all derive from it. */
export interface Endpoint<
  Body extends z.ZodMiniType = z.ZodMiniType,
  Query extends z.ZodMiniType = z.ZodMiniType,
  Answer = unknown,
  Caller extends Scope = Scope,
> extends Omit<Details<Body, Query, Answer>, 'status'> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below `/api/v1`, parameters as `:id`. */
  readonly path: string
  readonly scope: Caller
  readonly status: 200 | 201 | 202 | 204
}

/** Defines an endpoint. The annotation lets the bundler drop the ones that a page does not use. */
/* @__NO_SIDE_EFFECTS__ */
export function endpoint<
  Body extends z.ZodMiniType = z.ZodMiniType<undefined>,
  Query extends z.ZodMiniType = z.ZodMiniType<undefined>,
  Answer = undefined,
  Caller extends Scope = Scope,
>(
  method: MethodOf<Caller>,
  path: string,
  scope: Caller,
  details: Details<Body, Query, Answer>,
): Endpoint<Body, Query, Answer, Caller> {
  return { method, path, scope, status: 200, ...details }
}

/**
 * The same list by `POST …/search`: the body has the field that finds people (`{ "query": "…" }`), all other filters stay in the URL.
 * Names, addresses and numbers then stand in no request log.
 */
export function searchBy({ findsPeopleBy = 'query', ...list }: Endpoint): Endpoint {
  const fields = list.query instanceof z.ZodMiniObject ? list.query.shape : {}
  const body = z.object({ [findsPeopleBy]: fields[findsPeopleBy] ?? z.string() })
  return { ...list, method: 'POST', path: `${list.path}/search`, body, isQuery: true }
}

export type BodyOf<E> = E extends Endpoint<infer B, infer _Q, infer _A> ? z.output<B> : never
export type InputOf<E> = E extends Endpoint<infer B, infer _Q, infer _A> ? z.input<B> : never
export type QueryOf<E> = E extends Endpoint<infer _B, infer Q, infer _A> ? z.output<Q> : never
export type AnswerOf<E> = E extends Endpoint<infer _B, infer _Q, infer A> ? A : never
