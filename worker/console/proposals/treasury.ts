import * as z from 'zod/mini'
import {
  PLACE_KINDS,
  type proposedTreasuryAct,
  TREASURY_ACTIONS,
} from '../../../src/contract/console/treasuryActs.ts'
import { toIso } from '../../http/paging.ts'
import { ASSETS, formatQuantity } from '../../ledger/custody.ts'

/** One side of an entry: a place with its name, and a quantity in the smallest unit of its asset. */
const side = z.object({ place: z.string(), name: z.string(), asset: z.enum(ASSETS), units: z.number() })

/** The payload of a treasury proposal. Triggers book an approval from it: see migrations/0048_treasury.sql. */
export const treasuryPayload = z.object({
  action: z.enum(TREASURY_ACTIONS),
  from: z.optional(side),
  to: z.optional(side),
  /** `statement`: the time of the balance. */
  at: z.optional(z.number()),
  /** `place`: the new one. */
  placeKind: z.optional(z.enum(PLACE_KINDS)),
  name: z.optional(z.string()),
  asset: z.optional(z.enum(ASSETS)),
  document: z.object({ key: z.string(), type: z.string(), hash: z.string() }),
})
export type TreasuryPayload = z.output<typeof treasuryPayload>

/** A month to close: its last entry, and the hash of both its entries and its balances. */
export const monthPayload = z.object({
  month: z.string(),
  endsAt: z.number(),
  lastEntry: z.number(),
  hash: z.string(),
  previous: z.nullable(z.string()),
})
export type MonthPayload = z.output<typeof monthPayload>

/** The act of a proposal, for its row. */
export function describeTreasuryAct(payload: TreasuryPayload): z.output<typeof proposedTreasuryAct> {
  const { action, from, to, at, placeKind, name, asset, document } = payload
  return {
    action,
    ...(from && { from: describeSide(from) }),
    ...(to && { to: describeSide(to) }),
    ...(at !== undefined && { at: toIso(at) }),
    ...(placeKind && name && asset && { place: { kind: placeKind, name, asset } }),
    documentHash: document.hash,
  }
}

function describeSide({ place, name, asset, units }: z.output<typeof side>) {
  return { place, name, asset, quantity: formatQuantity(asset, BigInt(units)) }
}
