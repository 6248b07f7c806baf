import { eq } from 'drizzle-orm'
import { computeRecipientFingerprint } from '../../../src/contract/identity/kyc.ts'
import { getCoinOfNetwork, NETWORKS } from '../../../src/contract/money/coins.ts'
import { newId } from '../../lib/crypto/tokens.ts'
import type { Database, Statement } from '../../lib/database.ts'
import { reviewerKeys } from '../../lib/tables/kyc.ts'
import { proposals } from '../../lib/tables/operators.ts'
import { wallets } from '../../lib/tables/requests.ts'
import type { SeededPeople } from './people.ts'
import { RECEIVING_ADDRESSES, SAMPLE_KEYS } from './sampleKeys.ts'

/** An active key for each of the two operators, proposed by one and approved by the other. */
export async function seedReviewerKeys(
  db: Database,
  people: SeededPeople,
  atMs: number,
): Promise<Statement[]> {
  const pairs = [
    { owner: people.operator, approver: people.operator2, ...SAMPLE_KEYS.operator },
    { owner: people.operator2, approver: people.operator, ...SAMPLE_KEYS.operator2 },
  ]
  const statements = await Promise.all(pairs.map((pair) => seedActiveKey(db, pair, atMs)))
  return statements.flat()
}

/** SQL of a key that two operators made active. */
export async function seedActiveKey(
  db: Database,
  key: {
    readonly owner: string
    readonly approver: string
    readonly recipient: string
    readonly identity: string
  },
  atMs: number,
): Promise<Statement[]> {
  const { owner, approver, recipient, identity } = key
  const [id, proposal, method] = [newId(), newId(), 'passphrase'] as const
  const fingerprint = await computeRecipientFingerprint(recipient)
  return [
    db.insert(proposals).values({
      id: proposal,
      kind: 'reviewer_key',
      createdAt: atMs,
      proposedBy: owner,
      payload: JSON.stringify({ key: id, recipient, fingerprint, method }),
    }),
    db
      .insert(reviewerKeys)
      .values({ id, userId: owner, recipient, identity, method, proposal, createdAt: atMs }),
    db
      .update(proposals)
      .set({ status: 'approved', decidedBy: approver, decidedAt: atMs })
      .where(eq(proposals.id, proposal)),
    db.update(reviewerKeys).set({ approvedBy: approver, approvedAt: atMs }).where(eq(reviewerKeys.id, id)),
  ]
}

/** One active wallet for each network, proposed by one operator and approved by the other. */
export function seedWallets(db: Database, people: SeededPeople, atMs: number): Statement[] {
  return NETWORKS.toReversed().flatMap((network): Statement[] => {
    const proposal = newId()
    const coin = getCoinOfNetwork(network)
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
