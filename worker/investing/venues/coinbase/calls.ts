import type * as z from 'zod/mini'
import { runtime } from '../../../lib/runtime.ts'
import { Budget, type Budgets } from '../budget.ts'
import { type Access, VenueFailure } from '../client.ts'
import { send } from '../send.ts'
import { time } from './answers.ts'
import { importSigner, type Signer, signToken } from './token.ts'

const BROKERAGE = '/api/v3/brokerage'

/** A share of the 30 requests in a second that Coinbase takes from a user. */
export function createCoinbaseBudgets(): Budgets {
  const shared = new Budget({ most: 20, perSecond: 20 })
  return { market: shared, account: shared, trading: shared }
}

export type Query = readonly (readonly [name: string, value: string])[]

/** Sends calls with a token for each. */
export class CoinbaseCalls {
  readonly #access: Access
  readonly #budgets: Budgets
  #signer: Promise<Signer> | null = null

  constructor(access: Access, budgets: Budgets) {
    this.#access = access
    this.#budgets = budgets
  }

  /** The venue's clock. Needs no token, because tokens depend on it. */
  async time(): Promise<number> {
    await this.#budgets.market.spend(1)
    const askedMs = runtime.now()
    const { epochMillis } = parseResult(await send(`${this.#access.base}${BROKERAGE}/time`, {}), time)
    return this.#access.clock.measured(Number(epochMillis), askedMs, runtime.now())
  }

  async market<S extends z.ZodMiniType>(path: string, query: Query, schema: S): Promise<z.infer<S>> {
    await this.#budgets.market.spend(1)
    return this.#signed('GET', path, query, undefined, schema)
  }

  async account<S extends z.ZodMiniType>(path: string, query: Query, schema: S): Promise<z.infer<S>> {
    await this.#budgets.account.spend(1)
    return this.#signed('GET', path, query, undefined, schema)
  }

  async trading<S extends z.ZodMiniType>(path: string, body: unknown, schema: S): Promise<z.infer<S>> {
    await this.#budgets.trading.spend(1)
    return this.#signed('POST', path, [], body, schema)
  }

  async #signed<S extends z.ZodMiniType>(
    method: 'GET' | 'POST',
    path: string,
    query: Query,
    body: unknown,
    schema: S,
  ): Promise<z.infer<S>> {
    const { base, key, secret, clock } = this.#access
    this.#signer ??= importSigner(secret)
    await clock.ready(() => this.time())
    const uri = `${method} ${new URL(base).host}${BROKERAGE}${path}`
    const token = await signToken(await this.#signer, key, uri, clock.venueTime(runtime.now()))
    const search =
      query.length === 0 ? '' : `?${new URLSearchParams(query.map(([name, value]) => [name, value]))}`
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    return parseResult(
      await send(`${base}${BROKERAGE}${path}${search}`, { method, headers, ...sent }),
      schema,
    )
  }
}

/** 4xx are refusals: the call had no effect. */
function parseResult<S extends z.ZodMiniType>(
  { status, json }: { status: number; json: unknown },
  schema: S,
): z.infer<S> {
  if (status === 401 || status === 403) throw new VenueFailure('credentials', 'did not accept the key')
  if (status === 404) throw new VenueFailure('refused', NOT_FOUND)
  if (status === 429) throw new VenueFailure('rate_limit', 'asks for fewer calls')
  if (status === 400) throw new VenueFailure('refused', 'refused the call')
  if (status === 503 && json !== undefined) throw new VenueFailure('lost', UNAVAILABLE)
  if (status !== 200 || json === undefined)
    throw new VenueFailure('lost', `answered ${status} without a result`)
  const result = schema.safeParse(json)
  if (!result.success) throw new VenueFailure('unreadable', 'answered in an unknown form')
  return result.data
}

const NOT_FOUND = 'has no such thing'
const UNAVAILABLE = 'is not available'

/** Whether the venue does not know the requested item. */
export const isNotFound = (error: unknown): boolean =>
  error instanceof VenueFailure && error.message === NOT_FOUND

/** Whether the venue says itself that it is not available. */
export const isUnavailable = (error: unknown): boolean =>
  error instanceof VenueFailure && error.message === UNAVAILABLE
