import { addressProblem } from '../../../src/contract/money/addresses.ts'
import { COIN_SYMBOLS, NETWORK_LABELS } from '../../../src/contract/money/coins.ts'
import { type ActorCall, type Answer, created } from '../../http/call.ts'
import { iso } from '../../http/paging.ts'
import { newId, randomToken } from '../../lib/crypto/tokens.ts'
import { refuse } from '../../lib/errors.ts'
import { walletChallenges } from '../../lib/tables/requests.ts'
import type { WalletFacts } from './wallet.ts'

/** Long enough to fetch a device out of a safe. */
const LASTS_MS = 7 * 24 * 3_600_000

/** Issues a message for the wallet's key to sign. Refuses a retired wallet, and an address that no key signs for. */
export async function challengeWallet(
  call: ActorCall,
  wallet: WalletFacts,
): Promise<Answer<{ message: string; expiresAt: string }>> {
  assertProvable(wallet)
  const { db, nowMs, actor, env } = call
  const message = messageFor(wallet, new URL(env.PUBLIC_ORIGIN).host, nowMs)
  const expiresAt = nowMs + LASTS_MS
  await call.commit({
    statements: [
      db.insert(walletChallenges).values({
        id: newId(),
        wallet: wallet.id,
        message,
        issuedTo: actor.id,
        createdAt: nowMs,
        expiresAt,
      }),
    ],
    audit: [{ action: 'wallet.challenged', subject: wallet.id }],
  })
  return created({ message, expiresAt: iso(expiresAt) })
}

/** Refuses what no signature can show anything of. */
export function assertProvable({ retiredAt, network, address }: WalletFacts): void {
  if (retiredAt !== null)
    refuse('conflict', { msg: 'This wallet is retired: there is nothing to prove any more.' })
  const problem = addressProblem(network, address)
  if (problem !== null) refuse('conflict', { msg: `Nobody can sign for this address. ${problem}.` })
}

/**
 * One line of plain letters, since devices show no others and some change how lines end. It names all that the signature
 * is for, so that none made for another purpose, platform or day is taken for it, nor it for another.
 */
function messageFor({ coin, network, address }: WalletFacts, host: string, nowMs: number): string {
  return `${host} receives ${COIN_SYMBOLS[coin]} on ${NETWORK_LABELS[network]} at ${address}. Signed to show that we hold its key, and for nothing else. Issued ${iso(nowMs)}, number ${randomToken(12)}`
}
