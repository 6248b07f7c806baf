import { sql } from 'drizzle-orm'
import type { Chain } from '../../../src/contract/money/payments.ts'
import { newId } from '../../lib/crypto/tokens.ts'
import { type Statement, splitIntoJsonParts } from '../../lib/database.ts'
import type { Receiver } from './record.ts'

/** Characters of a proof that can be stored: a row of D1 holds two megabytes. */
export const MOST_PROOF = 1_500_000

/** What arrived and cannot be credited. One row stands for all transfers of one contract in one transaction. */
export interface UnknownReceipt extends Receiver {
  readonly reference: string
  readonly kind: 'token' | 'internal' | 'oversized'
  readonly contract: string | null
  readonly quantity: bigint
  readonly height: number
  readonly transfers: number
}

/** Records receipts that were not noted before. */
export function recordUnknown(chain: Chain, receipts: readonly UnknownReceipt[], nowMs: number): Statement[] {
  const rows = receipts.map(({ quantity, ...each }) => ({
    ...each,
    id: newId(),
    quantity: quantity.toString(),
  }))
  return splitIntoJsonParts(rows).map(
    (part) => sql`
      INSERT INTO unknown_receipts (id, chain, reference, address, investor, kind, contract, quantity, transfers, height, seen_at)
      SELECT r.value ->> 'id', ${chain}, r.value ->> 'reference', r.value ->> 'address', r.value ->> 'investor', r.value ->> 'kind',
             r.value ->> 'contract', r.value ->> 'quantity', r.value ->> 'transfers', r.value ->> 'height', ${nowMs}
      FROM json_each(${part}) r
      WHERE NOT EXISTS (SELECT 1 FROM unknown_receipts u WHERE u.chain = ${chain} AND u.reference = r.value ->> 'reference')
        AND NOT EXISTS (
          SELECT 1 FROM unknown_receipts u
          WHERE u.chain = ${chain} AND substr(u.reference, 1, 64) = substr(r.value ->> 'reference', 1, 64)
            AND u.contract = r.value ->> 'contract')
      ORDER BY r.key`,
  )
}
