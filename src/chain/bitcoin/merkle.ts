import { joinBytes } from '../../contract/bytes.ts'
import { ChainError } from '../chainError.ts'
import { hash256, hashBytes, hashText } from './bytes.ts'
import { isTransaction } from './transaction.ts'

/** The Merkle tree of a block, built once for any number of paths. */
export interface MerkleTree {
  readonly root: string
  /** The hashes beside the way from the transaction at `position` up to the root, as Esplora's merkle-proof gives them. */
  pathOf(position: number): string[]
}

/** Builds the Merkle tree of a block with these transactions. */
export function buildMerkleTree(txids: readonly string[]): MerkleTree {
  const levels = buildLevels(txids)
  const top = levels.at(-1)?.[0]
  if (top === undefined) throw new ChainError('no_transactions', 'A block has at least one transaction.')
  return {
    root: hashText(top),
    pathOf: (position) => {
      if (!Number.isInteger(position) || position < 0 || position >= txids.length) {
        throw new ChainError('no_such_position', 'The block has no transaction at this position.')
      }
      return levels.slice(0, -1).map((level, height) => {
        const at = position >> height
        // The last hash of an odd level is paired with itself.
        return hashText(level[at ^ 1] ?? level[at] ?? new Uint8Array(32))
      })
    },
  }
}

/** The Merkle root of a block with these transactions. */
export function computeMerkleRoot(txids: readonly string[]): string {
  return buildMerkleTree(txids).root
}

/**
 * Computes the root from a transaction id, its position in the block, and the hashes beside its way up (`merkle` and `pos` of Esplora's
 * `GET /tx/:txid/merkle-proof`). Refuses paths that make something else than a transaction of the block look like one: a second
 * position of the same transaction (CVE-2012-2459), and a node of the tree that is a transaction itself (CVE-2017-12842).
 */
export function computeRootOfPath(txid: string, position: number, path: readonly string[]): string {
  if (path.length > MAXIMUM_DEPTH)
    throw new ChainError('path_too_long', 'The Merkle path is longer than any block needs.')
  if (!Number.isInteger(position) || position < 0 || position >= 2 ** path.length) {
    throw new ChainError('no_such_position', 'The position does not belong to a Merkle path of this length.')
  }
  let hash = hashBytes(txid, 'The transaction id')
  path.forEach((step, height) => {
    const sibling = hashBytes(step, 'A hash of the Merkle path')
    const isRight = ((position >> height) & 1) === 1
    if (isRight && isSame(hash, sibling)) {
      throw new ChainError('ambiguous_path', 'The Merkle path counts a transaction twice.')
    }
    const node = joinBytes(isRight ? [sibling, hash] : [hash, sibling])
    if (node[4] === 1 && isTransaction(node)) {
      throw new ChainError('ambiguous_path', 'A node of the Merkle path is a transaction.')
    }
    hash = hash256(node)
  })
  return hashText(hash)
}

/** A block holds fewer than 2^15 transactions, because each takes 60 bytes or more of 1,000,000. */
const MAXIMUM_DEPTH = 15

function buildLevels(txids: readonly string[]): Uint8Array[][] {
  const levels = [txids.map((txid) => hashBytes(txid, 'A transaction id'))]
  for (let level = levels[0]; level !== undefined && level.length > 1; level = levels.at(-1))
    levels.push(buildParentLevel(level))
  return levels
}

function buildParentLevel(level: readonly Uint8Array[]): Uint8Array[] {
  return Array.from({ length: Math.ceil(level.length / 2) }, (_, i) => {
    const left = level[2 * i] ?? new Uint8Array(32)
    const right = level[2 * i + 1]
    if (right !== undefined && isSame(left, right)) {
      throw new ChainError('ambiguous_path', 'The block contains a transaction twice.')
    }
    return hash256(joinBytes([left, right ?? left]))
  })
}

function isSame(left: Uint8Array, right: Uint8Array): boolean {
  return left.every((byte, i) => byte === right[i])
}
