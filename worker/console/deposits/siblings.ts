import { sql } from 'drizzle-orm'
import type { OperatorDeposit } from '../../../src/contract/console/deposits.ts'
import type { Network } from '../../../src/contract/money/coins.ts'
import { toUsd } from '../../../src/contract/money.ts'
import type { RequestRow } from '../../ledger/requestEvents.ts'
import { type RowOf, selectRows } from '../../lib/database.ts'

/** Another output or log of a deposit's transaction. */
export type Sibling = RowOf<typeof readSiblings>

const MOST = 20

/**
 * What else was credited, paid out or observed under the transaction of a deposit: the one that its investor named, its payment's, or an
 * operator's. `;` follows `:`, so the range holds the transaction and its outputs.
 */
export function readSiblings(deposit: string) {
  return selectRows({
    reference: sql<string>`f.reference`,
    network: sql<Network>`f.network`,
    request: sql<string | null>`f.request`,
    ref: sql<string | null>`f.ref`,
    status: sql<RequestRow['status'] | null>`f.status`,
    investor: sql<string>`f.investor`,
    name: sql<string>`u.display_name`,
    amount: sql<number | null>`f.amount`,
  })
    .from(sql`(WITH own AS (
      SELECT DISTINCT substr(reference, 1, 64) AS id FROM (
        SELECT txid AS reference FROM deposit_details WHERE request = ${deposit}
        UNION ALL SELECT reference FROM payments WHERE request = ${deposit}
        UNION ALL SELECT reference_key FROM credit_approvals WHERE request = ${deposit}
        UNION ALL SELECT reference_key FROM request_events WHERE request = ${deposit}) WHERE length(reference) >= 64)
      SELECT e.reference_key AS reference, coalesce(d.network, w.network) AS network, r.id AS request, r.ref, r.status, r.investor, e.amount
      FROM own CROSS JOIN request_events e ON e.reference_key >= own.id AND e.reference_key < own.id || ';'
        JOIN requests r ON r.id = e.request
        LEFT JOIN deposit_details d ON d.request = r.id LEFT JOIN withdrawal_details w ON w.request = r.id
      WHERE e.reference_key IS NOT NULL AND r.id <> ${deposit}
      UNION ALL
      SELECT p.reference, p.network, NULL, NULL, NULL, p.investor, p.amount
      FROM own CROSS JOIN chain_networks n CROSS JOIN payments p
        ON p.network = n.network AND p.reference >= own.id AND p.reference < own.id || ';'
      WHERE p.request IS NOT ${deposit} AND p.state <> 'credited') f JOIN users u ON u.id = f.investor`)
    .orderBy(sql`f.reference`)
    .limit(MOST)
}

export function describeSibling(row: Sibling): NonNullable<OperatorDeposit['siblings']>[number] {
  const { reference, network, request, ref, status, investor, name, amount } = row
  return {
    reference,
    network,
    request: request === null || ref === null || status === null ? null : { _id: request, ref, status },
    investor: { _id: investor, name },
    amount: amount === null ? null : toUsd(amount),
  }
}
