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

export const ENTRY_LABELS: Record<EntryCode, string> = {
  in: 'Deposit',
  out: 'Withdrawal',
  reverse_in: 'Reversed deposit',
  reverse_out: 'Reversed withdrawal',
  network_fee: 'Network fee of a payout',
  kept: 'Payment that stays in the wallet',
  conversion_out: 'Converted from',
  conversion_in: 'Converted to',
  company_fee: 'Fee of the company',
  funding: 'The company’s own money in',
  drawing: 'The company’s own money out',
  move_out: 'Moved out',
  move_in: 'Moved in',
  exchange: 'Moved to or from an exchange',
}

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
