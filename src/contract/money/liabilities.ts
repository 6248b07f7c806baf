import * as z from 'zod/mini'
import { isoTime, pageQuery } from '../common.ts'
import { endpoint } from '../endpoint.ts'

/** Sums are whole cents here, as they are hashed: `liabilityTree.ts`. */
const published = {
  /** In UTC, like 2026-01-31. */
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
    'What was owed to investors, day by day, newest first, or of one `day`: the root of a tree of hashes and sums. It is not an audit, and says nothing of what is there to pay with',
  query: z.extend(pageQuery, {
    /** That one alone. */
    day: z.optional(z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/, 'day is one like 2026-01-31'))),
  }),
  answer: z.array(liabilityRoot),
})

export const getLiabilityProof = endpoint('GET', '/users/liability-proof', 'signed-in', {
  summary:
    'That one’s own balance is in the newest published root: leaf, place and the nodes beside the way up. Not found where nothing was owed to one, or the day is longer ago than a week',
  answer: liabilityProof,
  refusals: ['not_found'],
})
