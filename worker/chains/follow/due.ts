import { type SQL, sql } from 'drizzle-orm'
import type { Chain } from '../../../src/contract/money/payments.ts'
import { DAY_MS } from '../../../src/time.ts'
import { type Database, readTogether, type Statement, selectRows } from '../../lib/database.ts'
import { depositAddresses } from '../../lib/tables/payments.ts'
import type { Receiver } from './record.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000

/** An address to look at. */
export interface DueAddress extends Receiver {
  readonly script: string
}

/**
 * Addresses whose chain should be asked again, the most urgent ones first: those shown within two hours or with an open payment each
 * minute, those of the last week each hour, and all others each day. Within each group the one that waited longest comes first, so that
 * none is ever forgotten.
 */
export async function readDue(
  db: Database,
  chain: Chain,
  most: number,
  nowMs: number,
): Promise<DueAddress[]> {
  if (most <= 0) return []
  const { address, investor, script, checkedAt, seq } = depositAddresses
  const isOfChain = sql`wallet IN (SELECT id FROM watch_wallets WHERE chain = ${chain})`
  const selectDue = (where: SQL) =>
    selectRows({ address, investor, script })
      .from(depositAddresses)
      .where(sql`${isOfChain} AND ${where}`)
      .orderBy(checkedAt, seq)
      .limit(most)
  const [recent, weekly, older] = await readTogether(
    db,
    selectDue(sql`checked_at <= ${nowMs - MINUTE_MS / 2} AND (shown_at > ${nowMs - 2 * HOUR_MS} OR address IN (
      SELECT address FROM payments WHERE state IN ('seen', 'confirming', 'final')))`),
    selectDue(sql`shown_at BETWEEN ${nowMs - 7 * DAY_MS} AND ${nowMs - 2 * HOUR_MS}
      AND checked_at < ${nowMs - HOUR_MS}`),
    selectDue(sql`checked_at < ${nowMs - DAY_MS}`),
  )
  // A quarter is for the others, or many recent ones would keep them waiting for ever.
  const reserved = Math.min(Math.ceil(most / 4), weekly.length + older.length)
  const chosen = new Map<string, DueAddress>()
  for (const each of recent.slice(0, most - reserved)) chosen.set(each.address, each)
  for (const each of [...weekly, ...older, ...recent]) if (chosen.size < most) chosen.set(each.address, each)
  return [...chosen.values()]
}

/** Notes that the chain was asked about these addresses. */
export function markChecked(addresses: readonly string[], nowMs: number): Statement {
  return sql`
    UPDATE deposit_addresses SET checked_at = ${nowMs} WHERE address IN (SELECT value FROM json_each(${JSON.stringify(addresses)}))`
}
