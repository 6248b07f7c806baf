import { eq, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { parseStored, readTogether, runBatch, selectRows } from '../../lib/database.ts'
import { depositAddresses, ethereumPositions } from '../../lib/tables/payments.ts'
import { tryServer } from '../servers/servers.ts'
import { markChecked } from './due.ts'
import type { EthereumTick } from './ethereum.ts'
import { fetchBalances } from './ethereumBlocks.ts'
import { recordUnknown, type UnknownReceipt } from './unknownReceipts.ts'

const BALANCES_A_CALL = 50
const BALANCE_EVERY_MS = 3_600_000

/** Two lists of decimals in wei: payments, and earlier findings. */
const explainedQuantities = z.array(z.array(z.string()))

/**
 * Compares balances with the payments that were found: more ether than that was sent by a contract, which leaves no trace in a block. It
 * cannot be proved and needs a person. One call, each address at most once an hour.
 */
export async function compareBalances(tick: EthereumTick): Promise<void> {
  const { db, budget, servers, nowMs } = tick
  const server = servers.find(({ fault, head }) => fault === null && head !== null)
  if (server === undefined || !budget.has(1)) return
  const { address, investor, checkedAt, seq } = depositAddresses
  const explained = sql<string>`json_array(
    (SELECT json_group_array(quantity) FROM payments
      WHERE address = deposit_addresses.address AND network = 'eth' AND state NOT IN ('gone', 'seen')),
    (SELECT json_group_array(quantity) FROM unknown_receipts
      WHERE address = deposit_addresses.address AND kind = 'internal'))`
  const [[position], due] = await readTogether(
    db,
    selectRows({ height: ethereumPositions.height })
      .from(ethereumPositions)
      .where(eq(ethereumPositions.name, 'finalised')),
    selectRows({ address, investor, explained })
      .from(depositAddresses)
      .where(sql`wallet IN (SELECT id FROM watch_wallets WHERE chain = 'ethereum')
        AND checked_at < ${nowMs - BALANCE_EVERY_MS}`)
      .orderBy(checkedAt, seq)
      .limit(BALANCES_A_CALL),
  )
  if (position === undefined || due.length === 0) return
  const addresses = due.map((row) => row.address)
  const balances = await tryServer(server, () => fetchBalances(server, addresses, position.height))
  if (balances === null) return
  const { height } = position
  const unexplained = due.flatMap(({ address, investor, explained }, i): UnknownReceipt[] => {
    const lists = parseStored(explainedQuantities, explained)
    const quantity = (balances[i] ?? 0n) - lists.flat().reduce((sum, wei) => sum + BigInt(wei), 0n)
    if (quantity <= 0n) return []
    const reference = `${address.toLowerCase()}@${height}`
    return [
      { address, investor, reference, kind: 'internal', contract: null, quantity, height, transfers: 1 },
    ]
  })
  await runBatch(db, [markChecked(addresses, nowMs), ...recordUnknown('ethereum', unexplained, nowMs)])
}
