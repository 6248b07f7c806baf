import type * as z from 'zod/mini'
import type { RefusalCode } from './errors.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** What an operator may do; each operator route names one, roles grant them (`console/roles.ts`). `signed-in` is any investor or operator. */
export type Scope = 'public' | 'signed-in' | OperatorScope
export type OperatorScope =
  | 'operator:overview'
  | 'operator:deposits.read'
  | 'operator:deposits.decide'
  | 'operator:withdrawals.read'
  | 'operator:withdrawals.decide'
  | 'operator:kyc.read'
  | 'operator:kyc.documents'
  | 'operator:kyc.decide'
  | 'operator:kyc.keys'
  | 'operator:investors.read'
  | 'operator:investors.write'
  | 'operator:investors.note'
  | 'operator:wallets.read'
  | 'operator:wallets.write'
  | 'operator:strategies.read'
  | 'operator:strategies.suspend'
  | 'operator:proposals.read'
  | 'operator:proposals.write'
  | 'operator:proposals.decide'
  | 'operator:messages.read'
  | 'operator:messages.write'
  | 'operator:settings.read'
  | 'operator:settings.write'
  | 'operator:audit.read'
  | 'operator:ledger.read'
  | 'operator:outbox.write'
  | 'operator:operators.read'
  | 'operator:operators.write'

/** How many times something may be done in a window, counted exactly, by account or by network address. */
export interface Limit {
  readonly name: string
  readonly per: 'account' | 'address'
  readonly max: number
  readonly windowSeconds: number
}

/**
 * One call of the API, as both sides see it. The worker validates and routes by it, forms and the client take their
 * types from it, the OpenAPI document is generated from it.
 */
export interface Endpoint<
  Body extends z.ZodMiniType = z.ZodMiniType,
  Query extends z.ZodMiniType = z.ZodMiniType,
  Answer = unknown,
> {
  readonly method: Method
  /** Below `/api/v1`, parameters as `:id`. */
  readonly path: string
  readonly scope: Scope
  readonly summary: string
  readonly status: 200 | 201 | 202 | 204
  /** Answered with the same shape where a second operator has to act first. */
  readonly statusAwaiting?: 202
  /**
   * `json` (default where there is a body), `either` JSON or form data, `form` multipart with a required file. `anything`
   * takes its fields from the query or from a body of any kind, and ignores a body that it cannot read.
   */
  readonly accepts?: 'json' | 'either' | 'form' | 'anything'
  readonly body?: Body
  /** Parts that must be exactly one picture each, with the sentence for a missing one. */
  readonly files?: Readonly<Record<string, string>>
  /** Its files may be encrypted in the format `age` as well, which says so as `application/age`; or must be, where `only`. */
  readonly takesEncrypted?: true | 'only'
  readonly query?: Query
  readonly answer?: z.ZodMiniType<Answer>
  /** Answers something other than JSON: its media type. */
  readonly answerType?: string
  /** Honours `Idempotency-Key`: it moves money or files a request. */
  readonly idempotent?: true
  /** Refused while the account is frozen; and, where `kyc`, without an approved identity while the settings ask for one. */
  readonly requires?: readonly ('unfrozen' | 'kyc')[]
  readonly limit?: Limit
  /** It takes a second factor: its body may carry `code` or `passkey` (`identity/factors.ts`), and codes are limited in tries. */
  readonly asksFactor?: true
  /** An open page asks it by itself, again and again: that is no use of the session, whose idle limit goes on running. */
  readonly byItself?: true
  /** Of what an operator changes: the acts of the audit log, one of which stands in the batch of each change. */
  readonly audit?: readonly string[]
  /** A question that is too long for an address and comes as a body: nothing can be committed. */
  readonly changesNothing?: true
  readonly refusals?: readonly RefusalCode[]
}

/** Keeps the literal types of an endpoint while checking its shape. By the note below, a page ships only those it uses. */
/* @__NO_SIDE_EFFECTS__ */
export function endpoint<
  Body extends z.ZodMiniType = z.ZodMiniType<undefined>,
  Query extends z.ZodMiniType = z.ZodMiniType<undefined>,
  Answer = undefined,
>(definition: Endpoint<Body, Query, Answer>): Endpoint<Body, Query, Answer> {
  return definition
}

/** What the handler gets: the parsed body. */
export type BodyOf<E> = E extends Endpoint<infer B, infer _Q, infer _A> ? z.output<B> : never
/** What a client may send. */
export type InputOf<E> = E extends Endpoint<infer B, infer _Q, infer _A> ? z.input<B> : never
export type QueryOf<E> = E extends Endpoint<infer _B, infer Q, infer _A> ? z.output<Q> : never
export type AnswerOf<E> = E extends Endpoint<infer _B, infer _Q, infer A> ? A : never
