import { sql } from 'drizzle-orm'
import type { WalletsStanding } from '../../../src/contract/console/wallets.ts'
import { coinOfNetwork, NETWORKS, type Network } from '../../../src/contract/money/coins.ts'
import { type ActorCall, type Answer, ok } from '../../http/call.ts'
import { iso } from '../../http/paging.ts'
import { reading, readTogether } from '../../lib/database.ts'
import { isOffered } from '../../money/wallets/wallets.ts'
import { type ProposalFacts, proposedWallet } from '../proposals/proposal.ts'

type Active = { readonly network: Network; readonly address: string; readonly isOffered: 0 | 1 }
type Waiting = Pick<ProposalFacts, 'id' | 'payload' | 'createdAt' | 'proposedBy' | 'proposedByName'>

/** Where investors are sent to pay, for each network, and which wallets wait for a second operator, oldest first. */
export async function showStanding(call: ActorCall): Promise<Answer<WalletsStanding>> {
  const [active, waiting] = await readTogether(
    call.db,
    reading<Active>(sql`
      SELECT network, address, (${isOffered()}) AS isOffered
      FROM wallets WHERE retired_at IS NULL ORDER BY seq DESC`),
    reading<Waiting>(sql`
      SELECT p.id, p.payload, p.created_at AS createdAt, p.proposed_by AS proposedBy,
             u.display_name AS proposedByName
      FROM proposals p JOIN users u ON u.id = p.proposed_by
      WHERE p.status = 'pending' AND p.kind = 'wallet' ORDER BY p.seq`),
  )
  return ok({
    networks: NETWORKS.map((network) => {
      const here = active.filter((wallet) => wallet.network === network)
      const offered = here.filter((wallet) => wallet.isOffered === 1)
      return {
        network,
        walletName: coinOfNetwork(network),
        offered: offered.length,
        address: offered[0]?.address ?? null,
        leftOver: here.length - offered.length,
      }
    }),
    proposals: waiting.map((proposal) => ({
      _id: proposal.id,
      ...proposedWallet(proposal),
      createdAt: iso(proposal.createdAt),
      proposedBy: { _id: proposal.proposedBy, name: proposal.proposedByName },
    })),
  })
}
