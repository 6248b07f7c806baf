import { keccak_256 } from '@noble/hashes/sha3.js'
import { ChainError } from '../chainError.ts'
import { type Hex, toHex } from './hex.ts'
import { decodeRlp, encodeRlp, listItem, type RlpInput, type RlpItem, requireBytes } from './rlp.ts'

/** The Merkle Patricia trie of a block's transactions or receipts. */
export interface Trie {
  readonly root: Hex
  /** The encoded nodes from the root to the value at this index. */
  readonly proofOf: (index: number) => Uint8Array[]
}

/** Builds the trie of an ordered list: each value stands under the RLP of its index (Yellow Paper, appendix D). */
export function buildTrie(values: readonly Uint8Array[]): Trie {
  if (values.length === 0) return { root: toHex(keccak_256(encodeRlp(NOTHING))), proofOf: throwNoSuchIndex }
  const entries = values
    .map((value, index) => ({ path: toPath(index), value }))
    // No key is the start of another one, so every value ends in a leaf.
    .sort((a, b) => compare(a.path, b.path))
  const root = buildNode(entries, 0)
  return {
    root: toHex(keccak_256(root.encoded)),
    proofOf: (index) => {
      if (!Number.isSafeInteger(index) || index < 0 || index >= values.length) return throwNoSuchIndex(index)
      const path = toPath(index)
      const nodes: Uint8Array[] = []
      let at = 0
      for (let node: Node | undefined = root; node; ) {
        // A short node is part of its parent.
        if (node === root || node.encoded.length >= HASH_LENGTH) nodes.push(node.encoded)
        at += node.extension?.covers ?? 1
        node = node.extension?.branch ?? node.children?.[path[at - 1] ?? -1]
      }
      return nodes
    },
  }
}

/**
 * Returns the value that these nodes prove under this index. Refuses a node that does not have the hash that its parent names, and a proof
 * that there is no such value.
 */
export function valueInProof(root: Uint8Array, index: number, nodes: readonly Uint8Array[]): Uint8Array {
  const path = toPath(index)
  let at = 0
  let used = 0
  let next: RlpItem = root
  for (;;) {
    const node = listItem(next instanceof Uint8Array ? take(next) : next, 'trie node')
    if (node.length === 17) {
      const nibble = path[at++]
      if (nibble === undefined) throw createAbsenceError(index)
      next = readReference(node[nibble], index)
      continue
    }
    if (node.length !== 2) throw new ChainError('invalid_proof', 'A trie node has neither 2 nor 17 items.')
    const { nibbles, isLeaf } = decodePath(requireBytes(node[0], 'path of a trie node'))
    if (nibbles.some((nibble, i) => nibble !== path[at + i])) throw createAbsenceError(index)
    at += nibbles.length
    if (!isLeaf) {
      next = readReference(node[1], index)
      continue
    }
    if (at !== path.length) throw createAbsenceError(index)
    if (used !== nodes.length)
      throw new ChainError('invalid_proof', 'The proof has nodes that prove nothing.')
    return requireBytes(node[1], 'value in the trie')
  }

  /** The next node of the proof, which must have this hash. */
  function take(hash: Uint8Array): RlpItem {
    const node = nodes[used++]
    if (node === undefined) throw new ChainError('invalid_proof', 'A node is missing in the proof.')
    if (compare(keccak_256(node), hash) !== 0) {
      throw new ChainError(
        'invalid_proof',
        `Node ${used} of the proof does not have the hash that it must have.`,
      )
    }
    return decodeRlp(node, 'trie node')
  }
}

const NOTHING = new Uint8Array(0)

interface Node {
  readonly encoded: Uint8Array
  /** The reference in the parent: the node itself if it is short, else its hash. */
  readonly reference: RlpInput
  /** A branch node: the nodes below it, by nibble. */
  readonly children?: readonly (Node | undefined)[]
  /** An extension node: how many nibbles it covers, and the branch below it. */
  readonly extension?: { readonly covers: number; readonly branch: Node }
}

interface Entry {
  readonly path: Uint8Array
  readonly value: Uint8Array
}

/** The node of these entries, which are sorted and share the first `depth` nibbles. */
function buildNode(entries: readonly Entry[], depth: number): Node {
  const [first] = entries
  const last = entries.at(-1)
  if (!first || !last) throw new Error('A trie node needs entries.')
  if (first === last) return encodeNode([encodePath(first.path.subarray(depth), true), first.value])
  let fork = depth
  while (first.path[fork] === last.path[fork]) fork++
  const children: (Node | undefined)[] = []
  for (let nibble = 0, from = 0; nibble < 16; nibble++) {
    let to = from
    while (entries[to]?.path[fork] === nibble) to++
    children.push(to > from ? buildNode(entries.slice(from, to), fork + 1) : undefined)
    from = to
  }
  const references = children.map((child) => child?.reference ?? NOTHING)
  const branch = { ...encodeNode([...references, NOTHING]), children }
  if (fork === depth) return branch
  const extension = encodeNode([encodePath(first.path.subarray(depth, fork), false), branch.reference])
  return { ...extension, extension: { covers: fork - depth, branch } }
}

function encodeNode(items: readonly RlpInput[]): Node {
  const encoded = encodeRlp(items)
  return { encoded, reference: encoded.length < HASH_LENGTH ? items : keccak_256(encoded) }
}

const HASH_LENGTH = 32

/** The nibbles of the key of this index. */
function toPath(index: number): Uint8Array {
  return toNibbles(encodeRlp(BigInt(index)))
}

function toNibbles(bytes: Uint8Array): Uint8Array {
  const nibbles = new Uint8Array(bytes.length * 2)
  for (const [i, byte] of bytes.entries()) {
    nibbles[2 * i] = byte >> 4
    nibbles[2 * i + 1] = byte & 15
  }
  return nibbles
}

/** Packs nibbles into bytes. The first nibble has a bit for a leaf and a bit for an odd number of nibbles (hex prefix, Yellow Paper, appendix C). */
function encodePath(nibbles: Uint8Array, isLeaf: boolean): Uint8Array {
  const isOdd = nibbles.length % 2 === 1
  const flags = (isLeaf ? 2 : 0) + (isOdd ? 1 : 0)
  const all = isOdd ? [flags, ...nibbles] : [flags, 0, ...nibbles]
  return Uint8Array.from(
    { length: all.length / 2 },
    (_, i) => ((all[2 * i] ?? 0) << 4) | (all[2 * i + 1] ?? 0),
  )
}

function decodePath(bytes: Uint8Array): { nibbles: Uint8Array; isLeaf: boolean } {
  const [flags = 16, padding = 0] = toNibbles(bytes)
  const isOdd = flags % 2 === 1
  if (flags > 3 || (!isOdd && padding !== 0)) {
    throw new ChainError('invalid_proof', 'The path of a trie node is malformed.')
  }
  return { nibbles: toNibbles(bytes).subarray(isOdd ? 1 : 2), isLeaf: flags >= 2 }
}

/** Reads the reference in a branch or an extension: the hash of the next node, or the node itself. */
function readReference(item: RlpItem | undefined, index: number): RlpItem {
  if (item instanceof Uint8Array && item.length === 0) throw createAbsenceError(index)
  return item instanceof Uint8Array
    ? requireBytes(item, 'hash of a trie node', HASH_LENGTH)
    : listItem(item, 'trie node')
}

function createAbsenceError(index: number): ChainError {
  return new ChainError('not_in_trie', `The proof shows that the block has nothing under the index ${index}.`)
}

function throwNoSuchIndex(index: number): never {
  throw new ChainError('not_in_trie', `The block has nothing under the index ${index}.`)
}

function compare(a: Uint8Array, b: Uint8Array): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0)
    if (difference !== 0) return difference
  }
  return a.length - b.length
}
