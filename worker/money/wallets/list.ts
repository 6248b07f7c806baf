import { and, desc, lt } from 'drizzle-orm'
import type { Wallet } from '../../../src/contract/money/wallets.ts'
import { type ActorCall, type Answer, type CheckedCall, ok } from '../../http/call.ts'
import { openCursor, pageOf } from '../../http/paging.ts'
import { wallets } from '../../lib/tables/requests.ts'
import { isOffered } from './offered.ts'
import { picturePath } from './picture.ts'

/** Where deposits may be sent, newest first: neither what is retired nor, once money is real, what is simulated. */
export async function listWallets(
  call: CheckedCall<unknown, { limit: number; cursor?: string | undefined }> & ActorCall,
): Promise<Answer<Wallet[]>> {
  const { limit, cursor } = call.query
  const after = openCursor(cursor)
  const found = await call.db
    .select()
    .from(wallets)
    .where(and(isOffered(), after === null ? undefined : lt(wallets.seq, after.seq)))
    .orderBy(desc(wallets.seq))
    .limit(limit + 1)
  const { rows, headers } = pageOf(call, found, limit, ({ seq }) => ({ at: 0, seq }))
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
    headers,
  )
}
