import { expect, test } from 'vitest'
import { plainSpaces } from '../../../../test/support/plainSpaces.ts'
import type { OwnProof, PublishedRoot } from '../../../contract/money/liabilities.ts'
import { buildLeafNode, buildParentNode, hashRoot } from '../../../contract/money/liabilityTree.ts'
import { describeVerdict, getProofFileName, listProofLines, readProof, verifyOwnProof } from './proof.ts'

const salt = 'ab'.repeat(32)
const balances = [100_00, 250_50, 7]
const day = { day: '2026-01-31', at: '2026-01-31T00:01:02.000Z', investors: 3, totalCents: 350_57 }

/** A tree of three leaves: the first two are joined, the third moves up. */
async function proofsOfThree(): Promise<{ proofs: OwnProof[]; published: PublishedRoot }> {
  const leaves = balances.map((balanceCents, n) => ({ salt, investor: `i${n}`, balanceCents }))
  const nodes = await Promise.all(
    leaves.map(({ investor, balanceCents }) => buildLeafNode({ salt, investor, balance: balanceCents })),
  )
  const [a, b, c] = nodes
  if (a === undefined || b === undefined || c === undefined) throw new Error('There are three.')
  const ab = await buildParentNode(a, b)
  const root = await hashRoot(await buildParentNode(ab, c), 3)
  const paths = [[b, c], [a, c], [ab]]
  const proofs = leaves.map((leaf, index) => ({
    ...day,
    root,
    leaf,
    index,
    path: (paths[index] ?? []).map(({ hash, sum }) => ({ hash, sumCents: sum })),
  }))
  return { proofs, published: { ...day, root, reserves: [], atVenues: [] } }
}

test('a proof that leads to what was published is included, with each step of the way in words', async () => {
  const { proofs, published } = await proofsOfThree()
  for (const proof of proofs) expect((await verifyOwnProof(proof, published)).is).toBe('included')
  const [, , last] = proofs
  if (last === undefined) throw new Error('There are three.')
  const verdict = await verifyOwnProof(last, published)
  const words = describeVerdict(verdict, last)
  expect(words).toMatchObject({ title: 'Included', todo: null })
  expect(plainSpaces(words.says)).toContain(
    'Your $0.07, as of Jan 31, 2026, 12:01 AM UTC, is in the published $350.57 that we owe to 3 investors.',
  )
  expect(listProofLines(verdict, last).map(({ says }) => plainSpaces(says))).toEqual([
    'Your leaf: $0.07, in place 3 of 3.',
    'No neighbour: the node moves up unchanged.',
    'Add the left neighbour, $350.50: $350.57.',
    'The root, over 3 investors and $350.57.',
    'Published for Jan 31, 2026, over 3 investors and $350.57. It is the same.',
  ])
})

test('a proof of which anything is another is not included, whatever it says of the root itself', async () => {
  const { proofs, published } = await proofsOfThree()
  const [proof] = proofs
  if (proof === undefined) throw new Error('There are three.')
  const others: Partial<OwnProof>[] = [
    { leaf: { ...proof.leaf, balanceCents: 200_00 } },
    { leaf: { ...proof.leaf, salt: 'cd'.repeat(32) } },
    { index: 1 },
    { path: proof.path.toReversed() },
  ]
  for (const other of others) {
    const verdict = await verifyOwnProof({ ...proof, ...other }, published)
    expect(verdict.is).toBe('other')
    expect(describeVerdict(verdict, proof).todo).toMatch(/reference LIA-2026-01-31-[0-9a-f]{8}\./)
  }
  // A proof that is valid for another root than the published one.
  const elsewhere = { ...published, root: 'ef'.repeat(32) }
  expect((await verifyOwnProof({ ...proof, root: elsewhere.root }, elsewhere)).is).toBe('other')
  expect((await verifyOwnProof({ ...proof, root: 'ef'.repeat(32) }, published)).is).toBe('included')
  for (const broken of [{ path: [] }, { path: [...proof.path, ...proof.path] }, { index: 3 }]) {
    const verdict = await verifyOwnProof({ ...proof, ...broken }, published)
    expect(verdict).toEqual({ is: 'broken' })
    expect(listProofLines(verdict, proof)).toEqual([])
    expect(describeVerdict(verdict, proof).title).toBe('Not included')
  }
})

test('without what was published a proof is compared with nothing, and says so', async () => {
  const { proofs } = await proofsOfThree()
  const [proof] = proofs
  if (proof === undefined) throw new Error('There are three.')
  expect(describeVerdict(await verifyOwnProof(proof, undefined), proof)).toMatchObject({
    title: 'Not compared yet',
  })
  const unpublished = await verifyOwnProof(proof, null)
  expect(describeVerdict(unpublished, proof)).toMatchObject({ title: 'Not published' })
  expect(listProofLines(unpublished, proof).at(-1)?.says).toBe('The root, over 3 investors and $350.57.')
})

test('a saved proof is read back as it was, and nothing else is taken for one', async () => {
  const { proofs } = await proofsOfThree()
  const [proof] = proofs
  if (proof === undefined) throw new Error('There are three.')
  expect(readProof(JSON.stringify(proof, null, 2))).toEqual(proof)
  expect(getProofFileName(proof)).toBe('liability-proof-2026-01-31.json')
  const without = (key: string) => Object.fromEntries(Object.entries(proof).filter(([name]) => name !== key))
  const wrong: unknown[] = [
    ...Object.keys(proof).map(without),
    { ...proof, totalCents: 0.5 },
    { ...proof, index: -1 },
    { ...proof, root: proof.root.toUpperCase() },
    { ...proof, leaf: { ...proof.leaf, investor: '<b>' } },
    { ...proof, path: [{ hash: salt }] },
    null,
    [],
    'proof',
  ]
  for (const one of wrong) expect(readProof(JSON.stringify(one)), JSON.stringify(one)).toBeNull()
  for (const text of ['', '{', `${JSON.stringify(proof)}${' '.repeat(60_000)}`])
    expect(readProof(text)).toBeNull()
})
