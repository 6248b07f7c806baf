import { joinBytes, toHex } from '../bytes.ts'

/**
 * A Merkle-sum tree: a node's hash covers the hashes and sums of both children; the root's hash also covers the number
 * of leaves. SHA-256 throughout. A first byte distinguishes leaves, nodes and roots; sums are cents in eight bytes,
 * big-endian. The last node of an odd level moves up unchanged, so no leaf is counted twice. After Maxwell's proof of
 * liabilities (https://iwilcox.me.uk/2014/proving-bitcoin-reserves), but hashing both children's sums and not only
 * their total (https://eprint.iacr.org/2018/1139). The Worker and the investor's browser run the same code.
 */
export interface LiabilityNode {
  /** 64 lower-case hexadecimal digits. */
  readonly hash: string
  /** Cents. */
  readonly sum: number
}

export interface LiabilityLeaf {
  /** 64 lower-case hexadecimal digits, unique to this leaf. */
  readonly salt: string
  readonly investor: string
  /** Cents. */
  readonly balance: number
}

/** Proves that a leaf is in a tree: its index, and its sibling nodes from the bottom up. */
export interface LiabilityProof {
  readonly leaf: LiabilityLeaf
  readonly index: number
  readonly path: readonly LiabilityNode[]
}

/** The published root, with the number of leaves and the total in cents. */
export interface LiabilityRoot {
  readonly root: string
  readonly investors: number
  readonly total: number
}

const LEAF = 0
const NODE = 1
const ROOT = 2

/** A step up the tree: the sibling and its side, or null where an odd level's last node moves up unchanged. */
export interface LiabilityStep {
  readonly beside: LiabilityNode | null
  readonly side: 'left' | 'right' | null
  /** Their parent. */
  readonly node: LiabilityNode
}

/** The path from a leaf to the root. */
export interface LiabilityPath {
  readonly leaf: LiabilityNode
  readonly steps: readonly LiabilityStep[]
  /** The total in cents, and the root. */
  readonly total: number
  readonly root: string
}

/** Whether a proof leads to the published root. False for malformed proofs. */
export async function verifyLiability(proof: LiabilityProof, published: LiabilityRoot): Promise<boolean> {
  const way = await computePathToRoot(proof, published.investors)
  return way !== null && way.total === published.total && way.root === published.root
}

/** Follows a proof from its leaf to the root of a tree with `investors` leaves; null for malformed proofs. */
export async function computePathToRoot(
  { leaf, index, path }: LiabilityProof,
  investors: number,
): Promise<LiabilityPath | null> {
  if (!Number.isSafeInteger(investors) || !Number.isSafeInteger(index)) return null
  if (index < 0 || index >= investors) return null
  try {
    const first = await buildLeafNode(leaf)
    const steps: LiabilityStep[] = []
    let node = first
    let used = 0
    // The index determines each sibling's side, and where there is none.
    for (let at = index, size = investors; size > 1; at = at >> 1, size = Math.ceil(size / 2)) {
      if (at % 2 === 0 && at === size - 1) {
        steps.push({ beside: null, side: null, node })
        continue
      }
      const beside = path[used++]
      if (beside === undefined) return null
      const side = at % 2 === 0 ? 'right' : 'left'
      node = side === 'right' ? await buildParentNode(node, beside) : await buildParentNode(beside, node)
      steps.push({ beside, side, node })
    }
    if (used !== path.length) return null
    return { leaf: first, steps, total: node.sum, root: await hashRoot(node, investors) }
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

/** The leaf of one investor. Throws a RangeError for an invalid balance or salt. */
export async function buildLeafNode({ salt, investor, balance }: LiabilityLeaf): Promise<LiabilityNode> {
  const hash = await hashParts(LEAF, hashBytes(salt), sumBytes(balance), new TextEncoder().encode(investor))
  return { hash, sum: balance }
}

/** The parent of two nodes. Throws a RangeError if a sum is negative, fractional or beyond safe integers. */
export async function buildParentNode(left: LiabilityNode, right: LiabilityNode): Promise<LiabilityNode> {
  const sum = left.sum + right.sum
  const parts = [left, right].flatMap((node) => [hashBytes(node.hash), sumBytes(node.sum)])
  return { hash: await hashParts(NODE, sumBytes(sum), ...parts), sum }
}

/** Hashes the top node and the number of leaves, which determines the shape of the tree. */
export function hashRoot(top: LiabilityNode, investors: number): Promise<string> {
  return hashParts(ROOT, sumBytes(investors), sumBytes(top.sum), hashBytes(top.hash))
}

function sumBytes(value: number): Uint8Array {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError('A sum is whole cents, zero or more.')
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setBigUint64(0, BigInt(value))
  return bytes
}

function hashBytes(hex: string): Uint8Array {
  if (!/^[0-9a-f]{64}$/.test(hex)) throw new RangeError('A hash is 64 hexadecimal digits.')
  const bytes = new Uint8Array(32)
  for (let at = 0; at < 32; at++) bytes[at] = Number.parseInt(hex.slice(2 * at, 2 * at + 2), 16)
  return bytes
}

async function hashParts(kind: number, ...parts: readonly Uint8Array[]): Promise<string> {
  const bytes = joinBytes([Uint8Array.of(kind), ...parts])
  return toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))
}
