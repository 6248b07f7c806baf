import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  buildLeafNode,
  buildParentNode,
  hashRoot,
  type LiabilityLeaf,
  type LiabilityProof,
  type LiabilityRoot,
  verifyLiability,
} from '../../../src/contract/money/liabilityTree.ts'
import { randomRuns } from '../../../test/random.ts'
import { buildParentNodes } from './tree.ts'

const hex = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes).toString('hex'))
const leaf: fc.Arbitrary<LiabilityLeaf> = fc.record({
  salt: hex,
  investor: fc.uuid(),
  balance: fc.integer({ min: 1, max: 2 ** 46 }),
})

async function treeOf(leaves: readonly LiabilityLeaf[]) {
  const levels = [await Promise.all(leaves.map(buildLeafNode))]
  for (let top = levels[0] ?? []; top.length > 1; levels.push(top)) top = await buildParentNodes(top)
  const [top] = levels.at(-1) ?? []
  if (top === undefined) throw new Error('A tree has a leaf.')
  const published: LiabilityRoot = {
    root: await hashRoot(top, leaves.length),
    investors: leaves.length,
    total: top.sum,
  }
  const proofs = leaves.map((one, index): LiabilityProof => {
    const path = siblingPositions(index, leaves.length).map(
      ({ level, position }) => levels[level]?.[position],
    )
    return { leaf: one, index, path: path.filter((node) => node !== undefined) }
  })
  return { published, proofs }
}

function flipped(text: string): string {
  return text.replace(/.$/, (last) => (last === '0' ? '1' : '0'))
}

describe('the tree of hashes and sums', () => {
  it('proves every leaf of every size up to 70, with the right sum', async () => {
    for (let size = 1; size <= 70; size++) {
      const [leaves = []] = fc.sample(fc.array(leaf, { minLength: size, maxLength: size }), 1)
      const { published, proofs } = await treeOf(leaves)
      expect(published.total).toBe(leaves.reduce((sum, { balance }) => sum + balance, 0))
      for (const proof of proofs) expect(await verifyLiability(proof, published)).toBe(true)
    }
  })

  it('a proof fails if any part of it or of the published root differs', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(leaf, { minLength: 2, maxLength: 70 }), fc.nat(), async (leaves, which) => {
        const { published, proofs } = await treeOf(leaves)
        const proof = proofs[which % proofs.length]
        if (proof === undefined) throw new Error('Each leaf has a proof.')
        const other = (changes: Partial<LiabilityProof>) =>
          verifyLiability({ ...proof, ...changes }, published)
        const { leaf: own, path, index } = proof
        expect(await other({ leaf: { ...own, salt: flipped(own.salt) } })).toBe(false)
        expect(await other({ leaf: { ...own, investor: flipped(own.investor) } })).toBe(false)
        for (const balance of [own.balance + 1, own.balance - 1, -own.balance, own.balance + 0.5, Number.NaN])
          expect(await other({ leaf: { ...own, balance } })).toBe(false)
        for (const at of [index + 1, index - 1, -1, leaves.length, 0.5])
          expect(await other({ index: at })).toBe(false)
        for (const [at, node] of path.entries()) {
          expect(await other({ path: path.with(at, { ...node, hash: flipped(node.hash) }) })).toBe(false)
          for (const by of [1, -1])
            expect(await other({ path: path.with(at, { ...node, sum: node.sum + by }) })).toBe(false)
        }
        expect(await other({ path: path.slice(1) })).toBe(false)
        expect(await other({ path: [...path, { hash: own.salt, sum: 0 }] })).toBe(false)
        for (const changes of [
          { root: flipped(published.root) },
          { total: published.total + 1 },
          { investors: published.investors + 1 },
          { investors: published.investors - 1 },
        ])
          expect(await verifyLiability(proof, { ...published, ...changes })).toBe(false)
      }),
      randomRuns(40),
    )
  })

  it('refuses negative sums, and sums beyond exact numbers', async () => {
    const hash = '0'.repeat(64)
    const node = (sum: number) => ({ hash, sum })
    for (const [left, right] of [
      [-1, 2],
      [2, -1],
      [Number.MAX_SAFE_INTEGER, 1],
      [0.5, 0.5],
    ] as const)
      await expect(buildParentNode(node(left), node(right))).rejects.toThrow(RangeError)
    await expect(buildLeafNode({ salt: hash, investor: 'ana', balance: -1 })).rejects.toThrow(RangeError)
    expect(await buildParentNode(node(Number.MAX_SAFE_INTEGER - 1), node(1))).toMatchObject({
      sum: Number.MAX_SAFE_INTEGER,
    })
  })

  it('has another root if a leaf of an odd level is repeated', async () => {
    const leaves = fc.sample(leaf, 3)
    const [last] = leaves.slice(-1)
    if (last === undefined) throw new Error('There are three leaves.')
    const [odd, twice] = [await treeOf(leaves), await treeOf([...leaves, last])]
    expect(twice.published.root).not.toBe(odd.published.root)
    expect(twice.published.total).toBe(odd.published.total + last.balance)
  })

  it('takes no inner node for a leaf, nor two children with their sums moved between them', async () => {
    const [one, two] = await Promise.all(fc.sample(leaf, 2).map(buildLeafNode))
    if (one === undefined || two === undefined) throw new Error('There are two leaves.')
    const parent = await buildParentNode(one, two)
    const moved = await buildParentNode({ ...one, sum: one.sum - 1 }, { ...two, sum: two.sum + 1 })
    expect(moved.sum).toBe(parent.sum)
    expect(moved.hash).not.toBe(parent.hash)
    expect(await hashRoot(parent, 1)).not.toBe(parent.hash)
  })
})

/** The positions of the siblings on a leaf's path to the root, in a tree with `leaves` leaves. */
function siblingPositions(index: number, leaves: number): { level: number; position: number }[] {
  const places: { level: number; position: number }[] = []
  for (
    let at = index, size = leaves, level = 0;
    size > 1;
    at = at >> 1, size = Math.ceil(size / 2), level++
  ) {
    const position = at ^ 1
    if (position < size) places.push({ level, position })
  }
  return places
}
