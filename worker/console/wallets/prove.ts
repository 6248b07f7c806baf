import { sql } from 'drizzle-orm'
import type { proveWallet as endpoint, OperatorWallet } from '../../../src/contract/console/wallets.ts'
import type { BodyOf } from '../../../src/contract/endpoint.ts'
import { type ActorCall, type Answer, type CheckedCall, ok } from '../../http/call.ts'
import { reading, readTogether } from '../../lib/database.ts'
import { refuse, refuseField } from '../../lib/errors.ts'
import { walletProofs } from '../../lib/tables/requests.ts'
import { assertProvable } from './challenge.ts'
import { proofMethod } from './proof/proofMethod.ts'
import { type WalletFacts, walletRow } from './wallet.ts'

interface Issued {
  readonly id: string
  readonly expiresAt: number
  readonly isUsed: 0 | 1
}

/**
 * Attaches a signature that shows that somebody holds the wallet's key. It signs a message that was issued for this wallet
 * in the last week, once.
 */
export async function proveWallet(
  call: CheckedCall<BodyOf<typeof endpoint>, unknown> & ActorCall,
  wallet: WalletFacts,
): Promise<Answer<OperatorWallet>> {
  const { db, nowMs, actor } = call
  const { message, signature } = call.body
  assertProvable(wallet)
  const [[issued]] = await readTogether(
    db,
    reading<Issued>(sql`
      SELECT c.id, c.expires_at AS expiresAt, EXISTS (SELECT 1 FROM wallet_proofs WHERE challenge = c.id) AS isUsed
      FROM wallet_challenges c WHERE c.wallet = ${wallet.id} AND c.message = ${message}`),
  )
  if (issued === undefined)
    refuseField('message', 'This message was not issued for this wallet. Please ask for one')
  if (issued.isUsed) refuse('already_decided', { msg: 'This message has its signature already.' })
  if (issued.expiresAt < nowMs)
    refuseField('message', 'This message is older than a week. Please ask for a new one')
  const method = proofMethod({ ...wallet, message, signature })
  if (method === null)
    refuseField('signature', 'This is not the signature of that message by the key of this address')
  const answer = ok(
    walletRow({
      ...wallet,
      provedAt: nowMs,
      provedBy: actor.id,
      provedByName: actor.displayName,
      provedMethod: method,
      provedMessage: message,
      provedSignature: signature,
      ...(wallet.openMessage === message && { openMessage: null, openUntil: null }),
    }),
  )
  await call.commit({
    statements: [
      db.insert(walletProofs).values({
        wallet: wallet.id,
        challenge: issued.id,
        method,
        signature,
        provedBy: actor.id,
        provedAt: nowMs,
      }),
    ],
    audit: [{ action: 'wallet.proved', subject: wallet.id, detail: { method } }],
    answer,
  })
  return answer
}
