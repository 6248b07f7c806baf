import { runtime } from '../../lib/runtime.ts'
import { VenueFailure } from './client.ts'

/** How long a call waits for its turn at most. */
const MOST_WAIT_MS = 30_000

/**
 * A rate limit of a venue, as a token bucket. All clients with one key share it, because the venue counts by key. It starts full.
 */
export class Budget {
  readonly #most: number
  readonly #perSecond: number
  #tokens: number
  #atMs: number

  constructor({ most, perSecond }: { readonly most: number; readonly perSecond: number }) {
    this.#most = most
    this.#perSecond = perSecond
    this.#tokens = most
    this.#atMs = runtime.now()
  }

  /** Takes tokens, and waits until they are there. Throws a `VenueFailure` if that would take too long. */
  async spend(tokens: number): Promise<void> {
    const now = runtime.now()
    const refilled = this.#tokens + (Math.max(0, now - this.#atMs) / 1000) * this.#perSecond
    this.#tokens = Math.min(this.#most, refilled)
    this.#atMs = now
    const waitMs = Math.ceil((Math.max(0, tokens - this.#tokens) / this.#perSecond) * 1000)
    if (waitMs > MOST_WAIT_MS) throw new VenueFailure('rate_limit', 'Too many calls are waiting')
    // Taken before the wait, so that the next call waits after this one.
    this.#tokens -= tokens
    if (waitMs > 0) await runtime.wait(waitMs)
  }
}

/** The budgets of one key. */
export interface Budgets {
  /** Prices and products. */
  readonly market: Budget
  /** Reading the account. */
  readonly account: Budget
  /** Placing and cancelling orders. */
  readonly trading: Budget
}
