import * as z from 'zod/mini'
import { isoTime, pageQuery } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { COINS } from './coins.ts'
import { CHAINS } from './payments.ts'

/** Sums are in cents, because they are hashed as cents: `liabilityTree.ts`. */
const published = {
  /** The UTC day, like 2026-01-31. */
  day: z.string(),
  /** When the balances were read. */
  at: isoTime,
  root: z.string(),
  investors: z.number(),
  totalCents: z.number(),
}

/** The balance of the company’s wallets on a chain, at a block. Quantities are exact decimals of the coin. */
const reserve = z.object({
  asset: z.enum(COINS),
  chain: z.enum(CHAINS),
  onChain: z.string(),
  /** The balance of these wallets in the books. */
  booked: z.string(),
  /** On the chain less booked: a surplus, or with a minus sign a shortfall. */
  difference: z.string(),
  /** Whether the shortfall is so large that no payout is released. */
  stopsPayouts: z.boolean(),
  block: z.object({ height: z.number(), hash: z.string() }),
  at: isoTime,
})

/** What two operators had moved to an exchange, less what came back: custody of its own, apart from the wallets. */
const atVenue = z.object({
  venue: z.string(),
  asset: z.string(),
  /** An exact decimal. What strategies traded since is not in it, because it would show what investors paid in. */
  quantity: z.string(),
  /** Not real money, or not a real exchange. */
  isSimulated: z.boolean(),
})

const liabilityRoot = z.object({
  ...published,
  /** The reserves that were counted on the same day. Empty if no chain is watched. */
  reserves: z.array(reserve),
  /** When the balances were read. Empty if there was no balance at an exchange. */
  atVenues: z.array(atVenue),
})
export type PublishedRoot = z.output<typeof liabilityRoot>

const liabilityProof = z.object({
  ...published,
  leaf: z.object({ salt: z.string(), investor: z.string(), balanceCents: z.number() }),
  index: z.number(),
  path: z.array(z.object({ hash: z.string(), sumCents: z.number() })),
})
export type OwnProof = z.output<typeof liabilityProof>

export const listLiabilities = endpoint('GET', '/liabilities', 'public', {
  summary:
    'The daily roots of a Merkle-sum tree of what investors are owed, newest first, or the root of one `day`. They are not an audit. The reserves of the day are what the watch-only wallets held at a named block, without their addresses. Money that was moved to an exchange is listed separately',
  query: z.extend(pageQuery, {
    /** Only this day. */
    day: z.optional(z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/, 'day is one like 2026-01-31'))),
  }),
  answer: z.array(liabilityRoot),
})

export const getLiabilityProof = endpoint('GET', '/users/liability-proof', 'signed-in', {
  summary:
    'Proof that your own balance is in the newest published root: leaf, index and the sibling nodes up to the root. Not found if you were owed nothing, or if that root is more than a week old',
  answer: liabilityProof,
  refusals: ['not_found'],
})
