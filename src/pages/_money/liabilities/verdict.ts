import type { OwnProof, PublishedRoot } from '../../../contract/money/liabilities.ts'
import { type LiabilityWay, wayUp } from '../../../contract/money/liabilityTree.ts'

/**
 * What a proof is worth. `other`: it leads elsewhere than to what was published for its day. `broken`: it leads nowhere.
 * `unpublished`: nothing was published for its day. `uncompared`: what was published could not be had.
 */
export type Verdict =
  | { is: 'included' | 'other'; way: LiabilityWay; published: PublishedRoot }
  | { is: 'unpublished' | 'uncompared'; way: LiabilityWay }
  | { is: 'broken' }

/**
 * Computes a proof's way up and compares its end with what was published for its day: never with what the proof says of that
 * itself. `published` is null where there is nothing, undefined where it could not be had.
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
