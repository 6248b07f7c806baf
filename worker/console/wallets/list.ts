import { sql } from 'drizzle-orm'
import type { OperatorWallet, WalletStatus } from '../../../src/contract/console/wallets.ts'
import { type ActorCall, type Answer, type CheckedCall, ok } from '../../http/call.ts'
import { openCursor, pageOf } from '../../http/paging.ts'
import { readTogether } from '../../lib/database.ts'
import { readWallets, walletRow } from './wallet.ts'

interface WalletQuery {
  readonly status?: WalletStatus | '' | undefined
  readonly limit: number
  readonly cursor?: string | undefined
}

/** Receiving wallets, active and retired, newest first. */
export async function listWallets(
  call: CheckedCall<unknown, WalletQuery> & ActorCall,
): Promise<Answer<OperatorWallet[]>> {
  const { status, limit, cursor } = call.query
  const after = openCursor(cursor)
  const where = sql`
    ${status === 'active' ? sql`w.retired_at IS NULL` : status === 'retired' ? sql`w.retired_at IS NOT NULL` : sql`1`}
    AND ${after === null ? sql`1` : sql`w.seq < ${after.seq}`}`
  const [found] = await readTogether(call.db, readWallets(where, limit + 1, call.nowMs))
  const { rows, headers } = pageOf(call, found, limit, ({ seq }) => ({ at: 0, seq }))
  return ok(rows.map(walletRow), headers)
}
