import type {
  NewOrder,
  RefusedFor,
  SubmissionResult,
  Venue,
  VenueFill,
  VenueOrder,
  VenueStatus,
} from './venue.ts'

/** Adds calls and options that trading does not need. */
export interface VenueClient extends Venue {
  /** The mode of one market, or of the venue. */
  status(asset?: string): Promise<VenueStatus>
  submit(order: ClientOrder): Promise<SubmissionResult>
  /** An order by the venue's id, or by the client's id. */
  order(id: string): Promise<VenueOrder | null>
  openOrders(): Promise<readonly VenueOrder[]>
  /** Every order that was closed since a time. */
  closedOrders(sinceMs: number): Promise<readonly VenueOrder[]>
}

export interface ClientOrder extends NewOrder {
  /** `gtd`, the default: rests until `expiresAt`. `ioc`: the part that is not filled at once is cancelled. */
  readonly timeInForce?: 'gtd' | 'ioc'
}

/** A key of an account, with the service's address and clock. */
export interface Access {
  /** The address of the service without a path and without a trailing slash. */
  readonly base: string
  readonly key: string
  readonly secret: string
  readonly clock: VenueClock
}

/** Lists begin this much earlier than asked for, because the clock of a venue is only known to half a second. */
export const OVERLAP_MS = 1_000

/** How far a venue's clock is ahead of ours. `Venue.time` measures it. */
export class VenueClock {
  /** Null before the first measurement. */
  skewMs: number | null = null
  #measuring: Promise<unknown> | null = null

  /** Our time as the venue's. */
  venueTime(ownMs: number): number {
    return ownMs + (this.skewMs ?? 0)
  }

  /** Measures once before the first use. Calls at the same time share the measurement. */
  async ready(measure: () => Promise<number>): Promise<void> {
    if (this.skewMs !== null) return
    this.#measuring ??= measure().finally(() => {
      this.#measuring = null
    })
    await this.#measuring
  }

  /** Stores the skew of the venue's time, which was read half way between asking and hearing it. Returns the venue's time. */
  measured(venueMs: number, askedMs: number, heardMs: number): number {
    this.skewMs = Math.round(venueMs - (askedMs + heardMs) / 2)
    return venueMs
  }
}

/**
 * Why a call has no result. The message is ours and never contains the venue's text. Whatever the call was meant to change may
 * have happened if the kind is `lost`.
 */
export class VenueFailure extends Error {
  readonly kind: 'lost' | 'unreadable' | 'refused' | 'rate_limit' | 'credentials' | 'market_closed'

  constructor(kind: VenueFailure['kind'], message: string) {
    super(message)
    this.kind = kind
  }
}

/** Whether a failure is about one item alone: the exchange answers, and other items can go on. */
export function isItemFailure(error: unknown): boolean {
  return error instanceof VenueFailure && (error.kind === 'unreadable' || error.kind === 'refused')
}

/**
 * The rows of a list that can be read, in our words. One that cannot is left out and logged: an order is then looked for by its id before
 * it counts as absent, and a trade is missing until it can be read, so its order stays open.
 */
export function readRows<Row, Read>(
  venue: string,
  rows: readonly (Row | null)[],
  read: (row: Row) => Read | undefined,
): Read[] {
  let unreadable = 0
  const readable: Read[] = []
  for (const row of rows) {
    try {
      const found = row === null ? null : read(row)
      if (found === null) unreadable++
      else if (found !== undefined) readable.push(found)
    } catch {
      unreadable++
    }
  }
  if (unreadable > 0) console.error(JSON.stringify({ level: 'error', venue, unreadableRows: unreadable }))
  return readable
}

/** Throws unless the key may do all that trading needs, and cannot move money out of the account. Called before a key is used. */
export async function requireTradingKey(venue: Venue): Promise<void> {
  const { missing, withdraw } = await venue.permissions()
  if (withdraw)
    throw new VenueFailure('credentials', `The key for ${venue.name} may withdraw. Only use one that cannot.`)
  if (missing.length > 0)
    throw new VenueFailure('credentials', `The key for ${venue.name} lacks ${missing.join(', ')}.`)
}

const REFUSALS: Readonly<Record<RefusedFor, string>> = {
  funds: 'The account has too little',
  size: 'The size does not fit the market',
  price: 'The price does not fit the market',
  market_closed: 'The market takes no such orders now',
  rate_limit: 'Too many calls',
  credentials: 'The key was not accepted',
  deadline: 'The order came too late',
  other: 'The venue refused the order',
}

/** An order that certainly does not exist. */
export function buildRefusedResult(reason: RefusedFor): SubmissionResult {
  return { state: 'refused', reason, message: REFUSALS[reason] }
}

/** The result for an order that was not sent, because the venue's clock could not be read. */
export function buildUnsentResult(error: unknown): SubmissionResult {
  if (error instanceof VenueFailure)
    return { state: 'refused', reason: 'other', message: 'The venue was not there' }
  throw error
}

/** The failure of a key whose secret cannot sign. */
export function createSecretFailure(venue: string): VenueFailure {
  return new VenueFailure('credentials', `VENUE_SECRET is not the secret of a key for ${venue}`)
}

/** The sum of each asset's rows: an account may list one asset several times. */
export function sumBalances(rows: readonly (readonly [asset: string, quantity: number])[]) {
  const balances = new Map<string, number>()
  for (const [asset, quantity] of rows) balances.set(asset, (balances.get(asset) ?? 0) + quantity)
  return balances
}

/** Each fill once, the oldest first. Lists repeat fills where pages overlap. */
export function listUniqueFills(fills: readonly VenueFill[]): readonly VenueFill[] {
  return [...new Map(fills.map((fill) => [fill.tradeId, fill])).values()].toSorted(
    (a, b) => a.atMs - b.atMs || (a.tradeId < b.tradeId ? -1 : 1),
  )
}
