import { sql } from 'drizzle-orm'
import { type Database, readTogether, runBatch, selectRows } from '../../lib/database.ts'
import type { Env } from '../../lib/env.ts'
import { bitcoinHeaders } from '../../lib/tables/payments.ts'
import { isSpentInBlock, selectMinedChange } from '../follow/coins.ts'
import { getBitcoinConfiguration } from '../servers/configuration.ts'
import { readBooked, reportShortfall, storeReserve } from './books.ts'

/**
 * Counts the coins of the watch-only wallets on Bitcoin at the last block that was searched. Every block is searched as a whole and checked
 * against its header, for payments to the wallets and for spends of their coins. So no server is asked, and none can hide a spend.
 */
export async function countBitcoin(env: Env, db: Database, day: string, nowMs: number): Promise<void> {
  if (getBitcoinConfiguration(env) === null) return
  const [block] = await db
    .select()
    .from(bitcoinHeaders)
    .where(sql`height = (SELECT coalesce(
        (SELECT min(height) - 1 FROM bitcoin_headers WHERE searched_at IS NULL), (SELECT max(height) FROM bitcoin_headers)))
      AND EXISTS (SELECT 1 FROM watch_wallets WHERE chain = 'bitcoin')
      AND NOT EXISTS (SELECT 1 FROM reserves WHERE day >= ${day} AND asset = 'bitcoin')`)
  if (block === undefined) return
  const { height, hash } = block
  const [[held], [booked]] = await readTogether(
    db,
    selectRows({ units: sql<string>`CAST(coalesce(sum(CAST(k.value AS INTEGER)), 0) AS TEXT)` })
      .from(sql`(
        SELECT reference AS coin, quantity AS value FROM payments
        WHERE network = 'btc' AND state IN ('final', 'credited', 'queued') AND height <= ${height}
        UNION ALL
        SELECT t.txid || ':' || (json_array_length(t.details, '$.outputs') - 1), json_extract(t.details, '$.outputs[#-1].value')
        FROM payouts o JOIN payout_transactions t ON t.payout = o.id AND t.version = o.version
        WHERE o.chain = 'bitcoin' AND o.state IN ('released', 'confirmed') AND o.height <= ${height}
          AND json_extract(t.details, '$.outputs[#-1].kind') = 'change'
        UNION ALL SELECT m.coin, m.value FROM (${selectMinedChange(sql`${height}`)}) m) k`)
      .where(sql`NOT ${isSpentInBlock(sql`k.coin`, sql`${height}`)}`),
    readBooked('bitcoin', sql`${height}`),
  )
  await runBatch(db, [
    storeReserve(
      {
        day,
        asset: 'bitcoin',
        chain: 'bitcoin',
        height,
        hash,
        units: BigInt(held?.units ?? '0'),
        booked: BigInt(booked?.units ?? '0'),
      },
      nowMs,
    ),
  ])
  await reportShortfall(db, day, 'bitcoin')
}
