import { eq, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import type { Header } from '../../../src/chain/ethereum/header.ts'
import {
  parseStored,
  readTogether,
  runBatch,
  type Statement,
  selectRows,
  splitIntoJsonParts,
} from '../../lib/database.ts'
import { depositAddresses, ethereumPositions } from '../../lib/tables/payments.ts'
import { tryServer } from '../servers/servers.ts'
import type { EthereumTick } from './ethereum.ts'
import { fetchBalances } from './ethereumBlocks.ts'
import { recordUnknown, type UnknownReceipt } from './unknownReceipts.ts'

const BALANCES_A_CALL = 50
const BALANCE_EVERY_MS = 3_600_000

/** Decimals in wei. */
const quantities = z.array(z.string())

/**
 * Compares what addresses hold with what they held at the last look and what was found since: more ether than that was sent by a contract,
 * which leaves no trace in a block. It cannot be proved and needs a person. Both servers must say the same. One call each, each address at
 * most once an hour. What is sent and moved on between two looks is not found.
 */
export async function compareBalances(tick: EthereumTick, { number, hash }: Header): Promise<void> {
  const { db, budget, servers, nowMs } = tick
  if (servers.some(({ fault }) => fault !== null) || !budget.has(servers.length)) return
  const { address, investor, checkedAt, seq, seenBalance } = depositAddresses
  const isSince = sql`address = deposit_addresses.address AND height <= ${number}
    AND height > coalesce(deposit_addresses.seen_height, -1)`
  const found = sql<string>`(
    SELECT json_group_array(quantity) FROM (
      SELECT quantity FROM payments WHERE network = 'eth' AND state NOT IN ('gone', 'seen') AND ${isSince}
      UNION ALL SELECT quantity FROM unknown_receipts WHERE contract IS NULL AND ${isSince}))`
  const [[position], due] = await readTogether(
    db,
    selectRows({ hash: ethereumPositions.hash })
      .from(ethereumPositions)
      .where(eq(ethereumPositions.name, 'finalised')),
    selectRows({ address, investor, seenBalance, found })
      .from(depositAddresses)
      .where(sql`wallet IN (SELECT id FROM watch_wallets WHERE chain = 'ethereum')
        AND checked_at < ${nowMs - BALANCE_EVERY_MS}`)
      .orderBy(checkedAt, seq)
      .limit(BALANCES_A_CALL),
  )
  // Only once all blocks up to this one are searched. Servers know the balances of recent blocks alone.
  if (position?.hash !== hash || due.length === 0) return
  const addresses = due.map((row) => row.address)
  const answers: (readonly bigint[])[] = []
  for (const server of servers) {
    const balances = await tryServer(server, () => fetchBalances(server, addresses, number))
    if (balances === null) return
    answers.push(balances)
  }
  const looks = due.flatMap((row, i) => {
    const [balance, ...others] = answers.map((balances) => balances[i] ?? 0n)
    if (balance === undefined || others.some((other) => other !== balance)) return []
    return [{ ...row, balance }]
  })
  if (looks.length < due.length)
    for (const server of servers) server.fault ??= 'disagrees with the other server about balances'
  const unexplained = looks.flatMap(
    ({ address, investor, balance, seenBalance, found }): UnknownReceipt[] => {
      const explained = parseStored(quantities, found).reduce((sum, wei) => sum + BigInt(wei), 0n)
      const quantity = balance - BigInt(seenBalance ?? '0') - explained
      if (quantity <= 0n) return []
      const reference = `${address.toLowerCase()}@${number}`
      const ether = { kind: 'internal', contract: null, transfers: 1 } as const
      return [{ address, investor, reference, quantity, height: number, ...ether }]
    },
  )
  await runBatch(db, [...recordLooks(looks, number, nowMs), ...recordUnknown('ethereum', unexplained, nowMs)])
}

/** Notes what addresses held at a height. */
function recordLooks(
  looks: readonly { readonly address: string; readonly balance: bigint }[],
  height: number,
  nowMs: number,
): Statement[] {
  const rows = looks.map(({ address, balance }) => ({ address, balance: balance.toString() }))
  return splitIntoJsonParts(rows).map(
    (part) => sql`
      UPDATE deposit_addresses SET checked_at = ${nowMs}, seen_balance = r.value ->> 'balance', seen_height = ${height}
      FROM json_each(${part}) r WHERE deposit_addresses.address = r.value ->> 'address'`,
  )
}
