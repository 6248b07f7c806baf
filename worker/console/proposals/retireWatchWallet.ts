import { sql } from 'drizzle-orm'
import type * as contract from '../../../src/contract/console/watchWallets.ts'
import type { WatchFacts } from '../../chains/watchWallets/watchWallets.ts'
import { accepted, type CallOf } from '../../http/call.ts'
import { readTogether } from '../../lib/database.ts'
import { refuse } from '../../lib/errors.ts'
import { fileProposal, readPendingProposals } from './proposal.ts'

/**
 * Proposes to retire a watch-only wallet; another administrator has to approve, because the withdrawals of its chain are paid by hand then.
 * Its addresses are watched and their payments credited as before.
 */
export async function retireWatchWallet(
  call: CallOf<typeof contract.retireWatchWallet>,
  { id, chain, descriptor, retiredAt }: WatchFacts,
) {
  if (retiredAt !== null) refuse('already_decided', { msg: 'This wallet is already retired.' })
  const [open] = await readTogether(
    call.db,
    readPendingProposals(sql`kind = 'watch_wallet_retirement' AND json_extract(payload, '$.wallet') = ${id}`),
  )
  if (open.length > 0) refuse('conflict', { msg: 'Its retirement is already proposed.' })
  const payload = { wallet: id, chain, descriptor }
  const { reason } = call.body
  return fileProposal(call, { kind: 'watch_wallet_retirement', reason, payload }, accepted)
}
