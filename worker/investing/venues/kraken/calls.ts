import type * as z from 'zod/mini'
import { runtime } from '../../../lib/runtime.ts'
import { Budget, type Budgets } from '../budget.ts'
import { type Access, VenueFailure } from '../client.ts'
import { send } from '../send.ts'
import { envelope } from './answers.ts'
import { signRequest } from './sign.ts'

/** Gives each private call a number higher than all before it, also after a restart. */
export interface Nonces {
  next(): number | Promise<number>
}

/** Nonces from the clock, in microseconds. They only rise in one process, so one sender at a time may use a key. */
export function createClockNonces(): Nonces {
  let last = 0
  return {
    next: () => {
      last = Math.max(last + 1, runtime.now() * 1000)
      return last
    },
  }
}

/** Budgets within the limits of Kraken's lowest tier (https://docs.kraken.com/exchange/guides/rest/ratelimits). */
export function createKrakenBudgets(): Budgets {
  return {
    market: new Budget({ most: 5, perSecond: 1 }),
    account: new Budget({ most: 15, perSecond: 0.33 }),
    // Kraken counts by pair. One counter for all of them is stricter.
    trading: new Budget({ most: 60, perSecond: 1 }),
  }
}

/** An error that Kraken answered, in its own words. It is for decisions, not for logs or people. */
export class KrakenError extends Error {}

/** Sends signed and unsigned calls, one at a time, so that nonces arrive in their order. */
export class KrakenCalls {
  readonly #access: Access
  readonly #nonces: Nonces
  readonly #budgets: Budgets
  #last: Promise<unknown> = Promise.resolve()

  constructor(access: Access, nonces: Nonces, budgets: Budgets) {
    this.#access = access
    this.#nonces = nonces
    this.#budgets = budgets
  }

  async public<S extends z.ZodMiniType>(name: string, fields: Fields, schema: S): Promise<z.infer<S>> {
    await this.#budgets.market.spend(1)
    const query = new URLSearchParams(fields).toString()
    const path = `/0/public/${name}${query === '' ? '' : `?${query}`}`
    return parseResult(await send(`${this.#access.base}${path}`, {}), schema)
  }

  /** A call that reads the account. @param cost 2 for histories, else 1 */
  account<S extends z.ZodMiniType>(name: string, fields: Fields, schema: S, cost = 1): Promise<z.infer<S>> {
    return this.#private(name, fields, schema, this.#budgets.account, cost)
  }

  /** A call that places or cancels an order. A cancellation costs 8 if the order is new. */
  trading<S extends z.ZodMiniType>(
    name: string,
    fields: Fields,
    schema: S,
    cost: number,
  ): Promise<z.infer<S>> {
    return this.#private(name, fields, schema, this.#budgets.trading, cost)
  }

  #private<S extends z.ZodMiniType>(name: string, fields: Fields, schema: S, budget: Budget, cost: number) {
    const call = this.#last.then(async (): Promise<z.infer<S>> => {
      await budget.spend(cost)
      const nonce = String(await this.#nonces.next())
      const path = `/0/private/${name}`
      const body = new URLSearchParams({ nonce, ...fields }).toString()
      const headers = {
        'Content-Type': 'application/x-www-form-urlencoded',
        'API-Key': this.#access.key,
        'API-Sign': await signRequest(this.#access.secret, path, nonce, body),
      }
      return parseResult(await send(`${this.#access.base}${path}`, { method: 'POST', headers, body }), schema)
    })
    this.#last = call.catch(() => {})
    return call
  }
}

export type Fields = Readonly<Record<string, string>>

/** The result of an answer. Throws a `KrakenError` if it is an error. */
function parseResult<S extends z.ZodMiniType>(
  { status, json }: { status: number; json: unknown },
  schema: S,
): z.infer<S> {
  if (status === 429) throw new VenueFailure('rate_limit', 'asks for fewer calls')
  const answer = envelope.safeParse(json)
  // A gateway answers in its place: the call may have arrived.
  if (!answer.success || status >= 500) throw new VenueFailure('lost', `answered ${status} without a result`)
  const error = answer.data.error.find((words) => words.startsWith('E'))
  if (error !== undefined) throw new KrakenError(error)
  const result = schema.safeParse(answer.data.result)
  if (!result.success) throw new VenueFailure('unreadable', 'answered in an unknown form')
  return result.data
}
