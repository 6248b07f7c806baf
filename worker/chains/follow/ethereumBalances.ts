import { sql } from 'drizzle-orm'
import { buildQuery, readTogether, runBatch } from '../../lib/database.ts'
import { tryServer } from '../servers/servers.ts'
import { markChecked } from './due.ts'
import type { EthereumTick } from './ethereum.ts'
import { fetchBalances } from './ethereumBlocks.ts'
import type { Receiver } from './record.ts'
import { recordUnknown, type UnknownReceipt } from './unknownReceipts.ts'

const BALANCES_A_CALL = 50
const BALANCE_EVERY_MS = 3_600_000

interface Balance extends Receiver {
  /** What payments and earlier findings explain, in wei, one decimal each. */
  readonly explained: string
}

/**
 * Compares balances with the payments that were found: more ether than that was sent by a contract, which leaves no trace in a block. It
 * cannot be proved and needs a person. One call, each address at most once an hour.
 */
export async function compareBalances(tick: EthereumTick): Promise<void> {
  const { db, budget, servers, nowMs } = tick
  const server = servers.find(({ fault, head }) => fault === null && head !== null)
  if (server === undefined || !budget.has(1)) return
  const [[position], due] = await readTogether(
    db,
    buildQuery<{ height: number }>(sql`SELECT height FROM ethereum_positions WHERE name = 'finalised'`),
    buildQuery<Balance>(sql`
      SELECT a.address, a.investor, json_array(
          (SELECT json_group_array(quantity) FROM payments WHERE address = a.address AND network = 'eth' AND state NOT IN ('gone', 'seen')),
          (SELECT json_group_array(quantity) FROM unknown_receipts WHERE address = a.address AND kind = 'internal')) AS explained
      FROM deposit_addresses a
      WHERE a.wallet IN (SELECT id FROM watch_wallets WHERE chain = 'ethereum') AND a.checked_at < ${nowMs - BALANCE_EVERY_MS}
      ORDER BY a.checked_at, a.seq LIMIT ${BALANCES_A_CALL}`),
  )
  if (position === undefined || due.length === 0) return
  const balances = await tryServer(server, () =>
    fetchBalances(
      server,
      due.map(({ address }) => address),
      position.height,
    ),
  )
  if (balances === null) return
  await runBatch(db, [
    markChecked(
      due.map(({ address }) => address),
      nowMs,
    ),
    ...recordUnknown(
      'ethereum',
      due.flatMap(({ address, investor, ...row }, i): UnknownReceipt[] => {
        // Written by the query above: two lists of decimals.
        const lists = JSON.parse(row.explained) as string[][]
        const explained = lists.flat().reduce((sum, quantity) => sum + BigInt(quantity), 0n)
        const quantity = (balances[i] ?? 0n) - explained
        const { height } = position
        const reference = `${address.toLowerCase()}@${height}`
        return quantity <= 0n
          ? []
          : [
              {
                address,
                investor,
                reference,
                kind: 'internal',
                contract: null,
                quantity,
                height,
                transfers: 1,
              },
            ]
      }),
      nowMs,
    ),
  ])
}
