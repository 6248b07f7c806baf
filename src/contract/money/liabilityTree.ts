/**
 * A tree of hashes and sums (a Merkle-sum tree): each node's hash is over the hashes and the sums of both its children, the
 * root's over the number of leaves as well. SHA-256 throughout, a first byte telling leaves, nodes and roots apart, sums as
 * whole cents in eight bytes, big-endian. Where a level is odd, its last node moves up as it is: nothing is counted twice.
 * After Maxwell's proof of liabilities (https://iwilcox.me.uk/2014/proving-bitcoin-reserves), with
 * both children's sums in the hash and not only their total (https://eprint.iacr.org/2018/1139).
 * The same code in the Worker and in the browser of whoever checks.
 */
export interface LiabilityNode {
  /** 64 lower-case hexadecimal digits. */
  readonly hash: string
  /** Cents. */
  readonly sum: number
}

export interface LiabilityLeaf {
  /** 64 lower-case hexadecimal digits, of nobody else's leaf. */
  readonly salt: string
  readonly investor: string
  /** Cents. */
  readonly balance: number
}

/** What shows that a leaf is in a tree: its place, and the nodes beside its way up, from below. */
export interface LiabilityProof {
  readonly leaf: LiabilityLeaf
  readonly index: number
  readonly path: readonly LiabilityNode[]
}

/** What was published: the root, how many leaves it has, and the sum of all, in cents. */
export interface LiabilityRoot {
  readonly root: string
  readonly investors: number
  readonly total: number
}

const LEAF = 0
const NODE = 1
const ROOT = 2

/** A step of the way up: the node beside, and on which side it stands, or none where the last one moves up as it is. */
export interface LiabilityStep {
  readonly beside: LiabilityNode | null
  readonly side: 'left' | 'right' | null
  /** The node above the two. */
  readonly node: LiabilityNode
}

/** The whole way from a leaf up. */
export interface LiabilityWay {
  readonly leaf: LiabilityNode
  readonly steps: readonly LiabilityStep[]
  /** The sum of all, in cents, and the root over it. */
  readonly total: number
  readonly root: string
}

/** Whether a proof leads to a root. Anything that is not whole, in its bounds and in its form does not. */
export async function provesLiability(proof: LiabilityProof, published: LiabilityRoot): Promise<boolean> {
  const way = await wayUp(proof, published.investors)
  return way !== null && way.total === published.total && way.root === published.root
}

/** The way from a proof's leaf to the root of a tree of so many leaves; null for what is not whole, in its bounds and in its form. */
export async function wayUp(
  { leaf, index, path }: LiabilityProof,
  investors: number,
): Promise<LiabilityWay | null> {
  if (!Number.isSafeInteger(investors) || !Number.isSafeInteger(index)) return null
  if (index < 0 || index >= investors) return null
  try {
    const first = await leafNode(leaf)
    const steps: LiabilityStep[] = []
    let node = first
    let used = 0
    // The place says on which side each neighbour stands, and where there is none.
    for (let at = index, size = investors; size > 1; at = at >> 1, size = Math.ceil(size / 2)) {
      if (at % 2 === 0 && at === size - 1) {
        steps.push({ beside: null, side: null, node })
        continue
      }
      const beside = path[used++]
      if (beside === undefined) return null
      const side = at % 2 === 0 ? 'right' : 'left'
      node = side === 'right' ? await parentNode(node, beside) : await parentNode(beside, node)
      steps.push({ beside, side, node })
    }
    if (used !== path.length) return null
    return { leaf: first, steps, total: node.sum, root: await rootHash(node, investors) }
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

/** The node of one investor. A RangeError for a balance or a salt that cannot be. */
export async function leafNode({ salt, investor, balance }: LiabilityLeaf): Promise<LiabilityNode> {
  const hash = await sha256(LEAF, hashBytes(salt), sumBytes(balance), new TextEncoder().encode(investor))
  return { hash, sum: balance }
}

/** The node above two. A RangeError where a sum is negative, not whole, or past what can be told exactly. */
export async function parentNode(left: LiabilityNode, right: LiabilityNode): Promise<LiabilityNode> {
  const sum = left.sum + right.sum
  const parts = [left, right].flatMap((node) => [hashBytes(node.hash), sumBytes(node.sum)])
  return { hash: await sha256(NODE, sumBytes(sum), ...parts), sum }
}

/** What is published of a top node: it binds the number of leaves, which decides the shape of the tree. */
export function rootHash(top: LiabilityNode, investors: number): Promise<string> {
  return sha256(ROOT, sumBytes(investors), sumBytes(top.sum), hashBytes(top.hash))
}

function sumBytes(value: number): Uint8Array {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError('A sum is whole cents, zero or more.')
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setBigUint64(0, BigInt(value))
  return bytes
}

function hashBytes(hex: string): Uint8Array {
  if (!/^[0-9a-f]{64}$/.test(hex)) throw new RangeError('A hash is 64 hexadecimal digits.')
  return Uint8Array.from({ length: 32 }, (_, at) => Number.parseInt(hex.slice(2 * at, 2 * at + 2), 16))
}

async function sha256(kind: number, ...parts: readonly Uint8Array[]): Promise<string> {
  const bytes = Uint8Array.from([kind, ...parts.flatMap((part) => [...part])])
  const digest = await crypto.subtle.digest('SHA-256', bytes)
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
