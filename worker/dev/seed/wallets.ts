import { eq } from 'drizzle-orm'
import { coinOfNetwork, NETWORKS } from '../../../src/contract/money/coins.ts'
import { newId } from '../../lib/crypto/tokens.ts'
import type { Database, Statement } from '../../lib/database.ts'
import { proposals } from '../../lib/tables/operators.ts'
import { wallets } from '../../lib/tables/requests.ts'
import type { SeededPeople } from './people.ts'
import { RECEIVING_ADDRESSES } from './receivingAddresses.ts'

/** One active wallet for each network, proposed by one operator and approved by the other, like every wallet. */
export function seedWallets(db: Database, people: SeededPeople, atMs: number): Statement[] {
  // The API lists the newest first.
  return NETWORKS.toReversed().flatMap((network): Statement[] => {
    const proposal = newId()
    const coin = coinOfNetwork(network)
    const address = RECEIVING_ADDRESSES[network]
    return [
      db.insert(proposals).values({
        id: proposal,
        kind: 'wallet',
        createdAt: atMs,
        proposedBy: people.operator,
        reason: 'Sample wallet for development',
        payload: JSON.stringify({ walletName: coin, network, address, simulated: true }),
      }),
      db
        .update(proposals)
        .set({ status: 'approved', decidedBy: people.operator2, decidedAt: atMs })
        .where(eq(proposals.id, proposal)),
      db
        .insert(wallets)
        .values({ id: newId(), coin, network, address, simulated: true, proposal, createdAt: atMs }),
    ]
  })
}
