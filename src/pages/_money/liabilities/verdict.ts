import type { OwnProof, PublishedRoot } from '../../../contract/money/liabilities.ts'
import { type LiabilityWay, wayUp } from '../../../contract/money/liabilityTree.ts'

/**
 * The result of checking a proof. `other`: its root is not the one that was published for its day. `broken`: it has no root.
 * `unpublished`: nothing was published for its day. `uncompared`: what was published could not be loaded.
 */
export type Verdict =
  | { is: 'included' | 'other'; way: LiabilityWay; published: PublishedRoot }
  | { is: 'unpublished' | 'uncompared'; way: LiabilityWay }
  | { is: 'broken' }

/**
 * Computes a proof's root and compares it with the one that was published for its day, never with the root that the proof names.
 * `published` is null if nothing was published, undefined if it could not be loaded.
 */
export async function verdictOn(
  proof: OwnProof,
  published: PublishedRoot | null | undefined,
): Promise<Verdict> {
  const { leaf, index, path } = proof
  const way = await wayUp(
    {
      leaf: { salt: leaf.salt, investor: leaf.investor, balance: leaf.balanceCents },
      index,
      path: path.map(({ hash, sumCents }) => ({ hash, sum: sumCents })),
    },
    published?.investors ?? proof.investors,
  )
  if (way === null) return { is: 'broken' }
  if (!published) return { is: published === null ? 'unpublished' : 'uncompared', way }
  const isSame = way.root === published.root && way.total === published.totalCents
  return { is: isSame && published.day === proof.day ? 'included' : 'other', way, published }
}
