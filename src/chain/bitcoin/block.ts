import { joinBytes, toHex } from '../../contract/bytes.ts'
import { ChainError } from '../chainError.ts'
import { hash256, hashText, Reader } from './bytes.ts'
import { type BlockHeader, parseHeader } from './header.ts'
import { buildMerkleTree } from './merkle.ts'

/** A transaction in a block, as far as a payment needs it. */
export interface BlockTransaction {
  readonly txid: string
  readonly outputs: readonly { readonly script: string; readonly value: bigint }[]
  /** The coins that it spends, as `txid:n`. */
  readonly spends: readonly string[]
  /** The serialization without witnesses, hex. */
  readonly stripped: () => string
}

export interface Block {
  readonly header: BlockHeader
  readonly transactions: readonly BlockTransaction[]
  /** The Merkle path of the transaction at a position. */
  readonly pathOf: (position: number) => string[]
}

/**
 * Parses a whole block. Refuses transactions that do not match its header, so a payment cannot be left out or added. The header's own
 * proof of work is not checked: compare its hash with followed headers.
 */
export function parseBlock(bytes: Uint8Array): Block {
  const reader = new Reader(bytes, 'The block')
  const header = parseHeader(toHex(reader.take(80)))
  const transactions = Array.from({ length: reader.count(60) }, () => readTransaction(reader, bytes))
  if (reader.remaining > 0) throw reader.malformed('has bytes after its end')
  const { root, pathOf } = buildMerkleTree(transactions.map(({ txid }) => txid))
  if (root !== header.merkleRoot)
    throw new ChainError('not_in_block', 'The transactions are not those of the block.')
  return { header, transactions, pathOf }
}

function readTransaction(reader: Reader, bytes: Uint8Array): BlockTransaction {
  const begin = reader.at
  reader.take(4)
  const hasWitness = bytes[reader.at] === 0 && bytes[reader.at + 1] === 1
  if (hasWitness) reader.take(2)
  const from = reader.at
  const inputs = reader.count(41)
  const spends = Array.from({ length: inputs }, () => {
    const coin = `${hashText(reader.take(32))}:${reader.uint32()}`
    reader.sized()
    reader.take(4)
    return coin
  })
  const outputs = Array.from({ length: reader.count(9) }, () => {
    const value = reader.uint64()
    return { value, script: toHex(reader.sized()) }
  })
  const to = reader.at
  for (let i = 0; hasWitness && i < inputs; i++) {
    const items = reader.count(1)
    for (let item = 0; item < items; item++) reader.sized()
  }
  reader.take(4)
  const stripped = hasWitness
    ? joinBytes([
        bytes.subarray(begin, begin + 4),
        bytes.subarray(from, to),
        bytes.subarray(reader.at - 4, reader.at),
      ])
    : bytes.subarray(begin, reader.at)
  return { txid: hashText(hash256(stripped)), outputs, spends, stripped: () => toHex(stripped) }
}
