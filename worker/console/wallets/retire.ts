import { eq } from 'drizzle-orm'
import type { OperatorWallet } from '../../../src/contract/console/wallets.ts'
import { type ActorCall, type Answer, ok } from '../../http/call.ts'
import { refuse } from '../../lib/errors.ts'
import { wallets } from '../../lib/tables/requests.ts'
import { type WalletFacts, walletRow } from './wallet.ts'

/** Shows a receiving wallet to nobody any more. What was paid to it can still be credited. */
export async function retireWallet(call: ActorCall, wallet: WalletFacts): Promise<Answer<OperatorWallet>> {
  const { db, nowMs, actor } = call
  if (wallet.retiredAt !== null) refuse('already_decided', { msg: 'This wallet is retired already.' })
  const retired = { ...wallet, retiredAt: nowMs, retiredBy: actor.id, retiredByName: actor.displayName }
  const answer = ok(walletRow({ ...retired, openMessage: null, openUntil: null }))
  await call.commit({
    statements: [
      db.update(wallets).set({ retiredAt: nowMs, retiredBy: actor.id }).where(eq(wallets.id, wallet.id)),
    ],
    audit: [{ action: 'wallet.retired', subject: wallet.id }],
    answer,
  })
  return answer
}
