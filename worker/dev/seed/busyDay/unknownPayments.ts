import { eq } from 'drizzle-orm'
import { deriveAddress } from '../../../chains/addresses/derive.ts'
import { newId, sha256Hex } from '../../../lib/crypto/tokens.ts'
import { openDatabase, runBatch } from '../../../lib/database.ts'
import type { Env } from '../../../lib/env.ts'
import { proposals } from '../../../lib/tables/operators.ts'
import {
  depositAddresses,
  unknownReceipts,
  watchChallenges,
  watchWallets,
} from '../../../lib/tables/payments.ts'
import type { Desk } from './desk.ts'

const HOUR_MS = 3_600_000

/** An account of the seed of BIP 32's test vector 1, which everybody can read there. */
const DESCRIPTOR =
  '[3442193e/44h/60h/0h]xpub6CeDpm2b5qtk96oy8yvM572W6cLZSvU5vnpKmKPypbfFwXo86SyT7VtfwWtMZAgZ5eKVMU9NnULt91HBFw9j62wJrcoc1ZRWiNvoorwBRXL'

/** A watch-only wallet of Ethereum, and two payments to its addresses that cannot be credited. No chain is followed, so nothing sees more. */
export async function seedUnknownPayments(env: Env, desk: Desk, nowMs: number): Promise<void> {
  const db = openDatabase(env.DB)
  const [wallet, proposal, message] = [
    newId(),
    newId(),
    'A sample message that the keys of the wallet signed.',
  ]
  const shared = { chain: 'ethereum', descriptor: DESCRIPTOR } as const
  const atMs = nowMs - 48 * HOUR_MS
  const arrivals = await Promise.all(
    ['elsa', 'jan'].map(async (who, position) => {
      const investor = desk.find(who).id
      const { address, script } = deriveAddress(env, 'ethereum', DESCRIPTOR, position)
      return [
        db.insert(depositAddresses).values({
          id: newId(),
          wallet,
          position,
          address,
          script,
          investor,
          givenAt: atMs,
          shownAt: atMs,
        }),
        db.insert(unknownReceipts).values({
          id: newId(),
          chain: 'ethereum',
          reference: `${await sha256Hex(`unknown payment of ${who}`)}:0`,
          address,
          investor,
          kind: 'token',
          contract: `0x${'5a'.repeat(20)}`,
          quantity: '25000000',
          height: 7 + position,
          seenAt: nowMs - (40 - 36 * position) * HOUR_MS,
        }),
      ]
    }),
  )
  await runBatch(db, [
    db.insert(watchChallenges).values({
      ...shared,
      id: newId(),
      message,
      issuedTo: desk.find('operator').id,
      createdAt: atMs,
      expiresAt: atMs + HOUR_MS,
    }),
    db.insert(proposals).values({
      id: proposal,
      kind: 'watch_wallet',
      createdAt: atMs,
      proposedBy: desk.find('operator').id,
      reason: 'Sample wallet for development',
      payload: JSON.stringify({ ...shared, message, signatures: ['sample'] }),
    }),
    db
      .update(proposals)
      .set({ status: 'approved', decidedBy: desk.find('operator2').id, decidedAt: atMs })
      .where(eq(proposals.id, proposal)),
    db.insert(watchWallets).values({ ...shared, id: wallet, proposal, createdAt: atMs }),
    ...arrivals.flat(),
  ])
}
