import * as z from 'zod/mini'
import { isoTime, pageQuery } from '../common.ts'
import { endpoint } from '../endpoint.ts'

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

const liabilityRoot = z.object(published)
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
    'The daily root of a Merkle-sum tree over what investors are owed, newest first, or of one `day`. It is not an audit and says nothing about the assets',
  query: z.extend(pageQuery, {
    /** Only this day. */
    day: z.optional(z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/, 'day is one like 2026-01-31'))),
  }),
  answer: z.array(liabilityRoot),
})

export const getLiabilityProof = endpoint('GET', '/users/liability-proof', 'signed-in', {
  summary:
    'Proof that your own balance is in the newest published root: leaf, index and the sibling nodes up to the root. Not found if you were owed nothing or the day is more than a week ago',
  answer: liabilityProof,
  refusals: ['not_found'],
})
