/** A counter that falls with time. Kraken counts calls like this, and Coinbase's requests per second are the same with other numbers. */
export class DecayingCounter {
  readonly #most: number
  readonly #decayPerSecond: number
  #count = 0
  #at = 0

  constructor(most: number, decayPerSecond: number) {
    this.#most = most
    this.#decayPerSecond = decayPerSecond
  }

  /** Whether this much more would exceed the most. If not, it is added. */
  isExceededBy(cost: number, now: number): boolean {
    this.#count = Math.max(0, this.#count - (Math.max(0, now - this.#at) / 1000) * this.#decayPerSecond)
    this.#at = now
    if (this.#count + cost > this.#most) return true
    this.#count += cost
    return false
  }
}
