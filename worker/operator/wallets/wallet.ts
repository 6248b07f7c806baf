import { desc, eq, lt } from 'drizzle-orm'
import type { OperatorWallet } from '../../../src/contract/operator/wallets.ts'
import { type ActorCall, type Answer, type CheckedCall, ok } from '../../lib/call.ts'
import { refuse } from '../../lib/errors.ts'
import { iso, openCursor, pageOf } from '../../lib/paging.ts'
import { wallets } from '../../wallets/tables.ts'

type WalletRow = typeof wallets.$inferSelect

/** Receiving wallets, active and retired, newest first. */
export async function listWallets(
  call: CheckedCall<unknown, { limit: number; cursor?: string | undefined }> & ActorCall,
): Promise<Answer<OperatorWallet[]>> {
  const { limit, cursor } = call.query
  const after = openCursor(cursor)
  const found = await call.db
    .select()
    .from(wallets)
    .where(after === null ? undefined : lt(wallets.seq, after.seq))
    .orderBy(desc(wallets.seq))
    .limit(limit + 1)
  const { rows, headers } = pageOf(call, found, limit, ({ seq }) => ({ at: 0, seq }))
  return ok(rows.map(walletRow), headers)
}

/** The wallet that `:id` names. */
export async function loadWallet(call: ActorCall): Promise<WalletRow> {
  const [wallet] = await call.db
    .select()
    .from(wallets)
    .where(eq(wallets.id, call.params.id ?? ''))
  return wallet ?? refuse('not_found')
}

/** Shows a receiving wallet to nobody any more. What was paid to it can still be credited. */
export async function retireWallet(call: ActorCall, wallet: WalletRow): Promise<Answer<OperatorWallet>> {
  const { db, nowMs } = call
  if (wallet.retiredAt !== null) refuse('already_decided', { msg: 'This wallet is retired already.' })
  const answer = ok(walletRow({ ...wallet, retiredAt: nowMs }))
  await call.commit({
    statements: [db.update(wallets).set({ retiredAt: nowMs }).where(eq(wallets.id, wallet.id))],
    audit: [{ action: 'wallet.retired', subject: wallet.id }],
    answer,
  })
  return answer
}

function walletRow(wallet: WalletRow): OperatorWallet {
  return {
    _id: wallet.id,
    walletName: wallet.coin,
    network: wallet.network,
    address: wallet.address,
    image: `/api/v1/wallets/${wallet.id}/qr.svg`,
    active: wallet.retiredAt === null,
    simulated: wallet.simulated,
    createdAt: iso(wallet.createdAt),
    retiredAt: wallet.retiredAt === null ? null : iso(wallet.retiredAt),
  }
}
