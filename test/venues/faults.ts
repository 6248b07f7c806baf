/** What can go wrong, by name. Each can be switched on alone; `storm` is all of them. */
export const FAULTS = {
  invisible: 'an accepted order, its fills and its effect on the balances appear up to 30 minutes later',
  'late-fills': 'a fill appears in the lists up to 2 minutes after its order shows it',
  'lost-answers': 'the request is carried out, then the connection is cut',
  'lost-requests': 'the connection is cut before the request is carried out',
  'late-requests': 'the connection is cut, and an order arrives up to 90 seconds later',
  gateway:
    'an error page (500, 502, 503, 504 or 520) instead of the answer, whether it was carried out or not',
  duplicates: 'lists repeat fills: pages overlap, and Coinbase repeats rows within one',
  reordered: 'lists of fills are not in the order of time',
  busy: 'the rate limit is reached early, or the service says that it is busy',
  maintenance: 'for some minutes the exchange is in maintenance',
  'cancel-only': 'for some minutes orders can only be cancelled',
  'post-only': 'for some minutes orders must not match',
  'limit-only': 'for some minutes market orders are refused',
  clock: 'the clock of the exchange is up to 60 seconds wrong',
  'cancel-races': 'an order fills while its cancellation is on its way',
  'coin-fees': 'Kraken takes a fee in the coin although the order asks for dollars',
} as const
export type Fault = keyof typeof FAULTS

const isFault = (name: string): name is Fault => Object.hasOwn(FAULTS, name)

/** Reads `--faults`: names with commas between them, `storm` for all, nothing for none. Throws for an unknown name. */
export function faultsOf(text: string): readonly Fault[] {
  if (text === 'storm') return Object.keys(FAULTS) as Fault[]
  return text
    .split(',')
    .filter((name) => name !== '')
    .map((name) => {
      if (!isFault(name))
        throw new Error(`There is no fault ${name}, only storm, ${Object.keys(FAULTS).join(', ')}`)
      return name
    })
}

/** Decides when a fault happens, and counts how often it did. */
export class Faults {
  readonly counts: Record<Fault, number>
  on: ReadonlySet<Fault>
  /** How often a fault that is on happens where it can. */
  likelihood: number
  readonly #chance: () => number

  constructor(on: readonly Fault[], likelihood: number, chance: () => number) {
    this.on = new Set(on)
    this.likelihood = likelihood
    this.#chance = chance
    this.counts = Object.fromEntries(Object.keys(FAULTS).map((name) => [name, 0])) as Record<Fault, number>
  }

  /** Whether the fault happens now. Counts it. */
  strikes(fault: Fault): boolean {
    const happens = this.on.has(fault) && this.#chance() < this.likelihood
    if (happens) this.counts[fault]++
    return happens
  }

  /** A whole number from `from` to `to`. */
  between(from: number, to: number): number {
    return from + Math.floor(this.#chance() * (to - from + 1))
  }

  /** In random order. */
  shuffled<T>(rows: readonly T[]): T[] {
    return rows
      .map((row) => ({ row, place: this.#chance() }))
      .toSorted((a, b) => a.place - b.place)
      .map(({ row }) => row)
  }
}
