import { asc, isNull } from 'drizzle-orm'
import type { Wallet } from '../../src/contract/wallets.ts'
import { type ActorCall, type Answer, ok } from '../lib/call.ts'
import { picturePath } from './picture.ts'
import { wallets } from './tables.ts'

/** Where deposits may be sent: the wallets that are not retired, in the order in which they were opened. */
export async function listWallets(call: ActorCall): Promise<Answer<Wallet[]>> {
  const rows = await call.db
    .select()
    .from(wallets)
    .where(isNull(wallets.retiredAt))
    .orderBy(asc(wallets.seq))
    .limit(100)
  return ok(
    rows.map((row) => ({
      _id: row.id,
      walletName: row.coin,
      type: row.coin,
      network: row.network,
      address: row.address,
      image: picturePath(row.id),
      simulated: row.simulated,
    })),
  )
}
