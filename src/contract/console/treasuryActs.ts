import * as z from 'zod/mini'
import { isoTime } from '../common.ts'

export const PLACE_KINDS = ['wallet', 'bank', 'exchange', 'house'] as const

export const TREASURY_ACTIONS = [
  'conversion',
  'fee',
  'funding',
  'drawing',
  'move',
  'statement',
  'place',
] as const
export type TreasuryAction = (typeof TREASURY_ACTIONS)[number]

/** The codes of entries: of requests and payouts, of treasury proposals, and of transfers to exchanges. */
export const ENTRY_CODES = [
  'in',
  'out',
  'reverse_in',
  'reverse_out',
  'network_fee',
  'kept',
  'conversion_out',
  'conversion_in',
  'company_fee',
  'funding',
  'drawing',
  'move_out',
  'move_in',
  'exchange',
] as const
export type EntryCode = (typeof ENTRY_CODES)[number]

const side = z.optional(
  z.object({ place: z.string(), name: z.string(), asset: z.string(), quantity: z.string() }),
)

/** The entry of a treasury proposal. */
export const proposedTreasuryAct = z.object({
  action: z.enum(TREASURY_ACTIONS),
  from: side,
  to: side,
  /** The time of a statement's balance. */
  at: z.optional(isoTime),
  /** A new place. */
  place: z.optional(z.object({ kind: z.enum(PLACE_KINDS), name: z.string(), asset: z.string() })),
  /** SHA-256 of the document, in hexadecimal. */
  documentHash: z.string(),
})
