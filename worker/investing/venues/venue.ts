/**
 * An exchange where pools trade with money. A client is small: it signs, sends, reads and checks one exchange's protocol, and
 * turns its answers into the words below. It keeps no state and never repeats a call that may have moved something.
 *
 * Units: quantities are whole 10⁻⁸ of an asset, prices whole nano-USD for one, amounts of USD whole 10⁻⁸ USD. Assets have the
 * project's names in small letters ("btc", "usd"). Times are epoch milliseconds.
 */
export interface Venue {
  readonly name: string
  /** The key's permissions. A key that may withdraw is refused before it is used. */
  permissions(): Promise<Permissions>
  /** The venue's clock. */
  time(): Promise<number>
  /** Which orders the venue takes now. */
  status(): Promise<VenueStatus>
  /** The markets against USD of these assets; an asset without a market is left out. */
  markets(assets: readonly string[]): Promise<readonly VenueMarket[]>
  /** The highest fee that the account pays as a taker in the markets of these assets, in millionths of an order's value. */
  takerFee(assets: readonly string[]): Promise<number>
  /** The best bid and ask of a market. A missing side is null. */
  book(asset: string): Promise<TopOfBook>
  /** Everything the account owns, including what open orders reserve. */
  balances(): Promise<ReadonlyMap<string, number>>
  /** Sends a limit order. `unknown`: it may have arrived, because the answer was lost, late or unreadable. */
  submit(order: NewOrder): Promise<SubmissionResult>
  /** Cancels an order by the venue's id. The order's own state says whether it was too late. */
  cancel(venueId: string): Promise<void>
  /** An order by the venue's id or by ours; null if the venue's lists don't have it (yet). Throws if it cannot be read. */
  order(id: string): Promise<VenueOrder | null>
  /** Every open order, and every order that was closed since a time. Reads all pages, or throws. Leaves out unreadable orders. */
  orders(sinceMs: number): Promise<readonly VenueOrder[]>
  /** Every trade since a time, each once. Reads all pages, or throws. Leaves out trades that it cannot read yet. */
  fills(sinceMs: number): Promise<readonly VenueFill[]>
}

export interface Permissions {
  /** What trading needs and the key may not do, in the venue's words. */
  readonly missing: readonly string[]
  readonly withdraw: boolean
}

/** `online` takes every order, `limit_only` limit orders, `post_only` orders that do not match at once, the others none. */
export type VenueStatus = 'online' | 'limit_only' | 'post_only' | 'cancel_only' | 'maintenance'

export interface VenueMarket {
  readonly asset: string
  /** The smallest order. */
  readonly leastQuantity: number
  /** The smallest value of an order, in 10⁻⁸ USD. */
  readonly leastValue: number
  /** Quantities are multiples of it. */
  readonly quantityStep: number
  /** Prices are multiples of it, in nano-USD. */
  readonly priceStep: number
}

export interface TopOfBook {
  readonly bid: number | null
  readonly ask: number | null
}

export interface NewOrder {
  /** Our own id. The venue gets it, and lists the order under it. At most 36 characters: a UUID. */
  readonly clientId: string
  readonly asset: string
  readonly side: 'buy' | 'sell'
  readonly quantity: number
  readonly limitPrice: number
  /** The venue itself ends the order then, so it is not filled later. */
  readonly expiresAt: number
}

export type SubmissionResult =
  | { readonly state: 'accepted'; readonly venueId: string }
  | { readonly state: 'refused'; readonly reason: RefusedFor; readonly message: string }
  | { readonly state: 'unknown'; readonly message: string }

/** Why a venue did not take an order. It is certain that the order will not be filled. */
export const REFUSED_FOR = [
  'funds',
  'size',
  'price',
  'market_closed',
  'rate_limit',
  'credentials',
  'deadline',
  'other',
] as const
export type RefusedFor = (typeof REFUSED_FOR)[number]

export interface VenueOrder {
  readonly venueId: string
  /** Null for an order that was placed by other means. */
  readonly clientId: string | null
  readonly asset: string
  readonly side: 'buy' | 'sell'
  readonly isOpen: boolean
  /** Before fees. */
  readonly filled: number
}

export interface VenueFill {
  /** The venue's id of the trade. */
  readonly tradeId: string
  /** The venue's id of the order. */
  readonly venueId: string
  readonly asset: string
  readonly side: 'buy' | 'sell'
  readonly atMs: number
  readonly quantity: number
  readonly price: number
  /** Quantity × price as the venue booked it, in 10⁻⁸ USD. */
  readonly value: number
  readonly fee: { readonly asset: 'usd' | 'base'; readonly amount: number }
}
