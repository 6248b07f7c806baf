import { joinBytes, toHex } from '../../contract/bytes.ts'
import { ChainError } from '../chainError.ts'
import {
  encodeCompactSize,
  encodeLittleEndian,
  hash256,
  hashBytes,
  hashText,
  parseHex,
  Reader,
} from './bytes.ts'

export interface TransactionInput {
  /** The transaction and the output that this input spends. */
  txid: string
  vout: number
  script: string
  sequence: number
  witness: string[]
}

export interface TransactionOutput {
  /** scriptPubKey, hex. */
  script: string
  /** Satoshi. */
  value: bigint
}

export interface BitcoinTransaction {
  version: number
  lockTime: number
  inputs: TransactionInput[]
  outputs: TransactionOutput[]
}

export interface ParsedTransaction extends BitcoinTransaction {
  txid: string
  /** The serialization without witnesses, hex. The txid is its hash. */
  stripped: string
  virtualSize: number
  /** Whether it creates the coins of a block, which can be spent only 100 blocks later. */
  isCoinbase: boolean
  /** Whether it says that it may be replaced (BIP-125). */
  isReplaceable: boolean
}

/** 21 million bitcoin, in satoshi. */
export const MAXIMUM_VALUE = 2_100_000_000_000_000n

/**
 * Parses a serialized transaction in hex, with witnesses (BIP-144) or without. Refuses what no node accepts, bytes after the end, and
 * 64 bytes without witnesses: such a transaction looks like two hashes of a Merkle tree.
 */
export function parseTransaction(raw: string): ParsedTransaction {
  if (raw.length > 2 * MAXIMUM_BYTES)
    throw new ChainError('too_large', 'The transaction is larger than a block.')
  const bytes = parseHex(raw, 'The transaction')
  const { transaction, stripped } = read(bytes)
  if (stripped.length === 64) {
    throw new ChainError(
      'ambiguous_transaction',
      'A transaction of 64 bytes cannot be told from a Merkle node.',
    )
  }
  if (stripped.length > MAXIMUM_STRIPPED_BYTES) {
    throw new ChainError('too_large', 'The transaction is larger than a block.')
  }
  const weight = 3 * stripped.length + bytes.length
  return {
    ...transaction,
    txid: hashText(hash256(stripped)),
    stripped: toHex(stripped),
    virtualSize: Math.ceil(weight / 4),
    isCoinbase: isCoinbase(transaction),
    isReplaceable: transaction.inputs.some(({ sequence }) => sequence < 0xfffffffe),
  }
}

/** Whether bytes, such as a node of a Merkle tree, can be read as a transaction without witnesses. */
export function isTransaction(bytes: Uint8Array): boolean {
  try {
    read(bytes)
    return true
  } catch (error) {
    if (error instanceof ChainError) return false
    throw error
  }
}

/** The serialization in hex, with witnesses if there are any. */
export function serializeTransaction(transaction: BitcoinTransaction): string {
  const { inputs } = transaction
  const hasWitness = inputs.some(({ witness }) => witness.length > 0)
  return toHex(
    joinBytes([
      encodeLittleEndian(transaction.version, 4),
      ...(hasWitness ? [Uint8Array.of(0, 1)] : []),
      encodeCompactSize(inputs.length),
      ...inputs.flatMap(({ txid, vout, script, sequence }) => [
        hashBytes(txid, 'The transaction id'),
        encodeLittleEndian(vout, 4),
        ...encodeScript(script),
        encodeLittleEndian(sequence, 4),
      ]),
      encodeCompactSize(transaction.outputs.length),
      ...transaction.outputs.flatMap(({ script, value }) => [
        encodeLittleEndian(value, 8),
        ...encodeScript(script),
      ]),
      ...(hasWitness
        ? inputs.flatMap(({ witness }) => [
            encodeCompactSize(witness.length),
            ...witness.flatMap(encodeScript),
          ])
        : []),
      encodeLittleEndian(transaction.lockTime, 4),
    ]),
  )
}

/** The consensus limits: 4,000,000 units of weight, in which a byte outside witnesses counts four. */
const MAXIMUM_BYTES = 4_000_000
const MAXIMUM_STRIPPED_BYTES = 1_000_000

const NO_TRANSACTION = '0'.repeat(64)

function isCoinbase({ inputs }: BitcoinTransaction): boolean {
  return inputs.length === 1 && inputs[0]?.txid === NO_TRANSACTION && inputs[0].vout === 0xffffffff
}

function read(bytes: Uint8Array): { transaction: BitcoinTransaction; stripped: Uint8Array } {
  const reader = new Reader(bytes, 'The transaction')
  const version = reader.int32()
  // Where the number of inputs stands otherwise, 0 and 1 announce witnesses.
  const hasWitness = bytes[4] === 0 && bytes[5] === 1
  if (hasWitness) reader.take(2)
  const start = reader.at
  const inputs = Array.from({ length: reader.count(41) }, () => readInput(reader))
  const outputs = Array.from({ length: reader.count(9) }, () => readOutput(reader))
  const end = reader.at
  if (hasWitness) {
    for (const input of inputs) {
      input.witness = Array.from({ length: reader.count(1) }, () => toHex(reader.sized()))
    }
    if (inputs.every(({ witness }) => witness.length === 0))
      throw reader.malformed('announces a witness and has none')
  }
  const lockTime = reader.uint32()
  if (reader.remaining > 0) throw reader.malformed('has bytes after its end')
  const transaction = { version, lockTime, inputs, outputs }
  checkContents(transaction, reader)
  return {
    transaction,
    stripped: hasWitness
      ? joinBytes([bytes.subarray(0, 4), bytes.subarray(start, end), bytes.subarray(-4)])
      : bytes,
  }
}

function readInput(reader: Reader): TransactionInput {
  return {
    txid: hashText(reader.take(32)),
    vout: reader.uint32(),
    script: toHex(reader.sized()),
    sequence: reader.uint32(),
    witness: [],
  }
}

function readOutput(reader: Reader): TransactionOutput {
  const value = reader.uint64()
  return { value, script: toHex(reader.sized()) }
}

function checkContents({ inputs, outputs }: BitcoinTransaction, reader: Reader): void {
  if (inputs.length === 0) throw reader.malformed('has no inputs')
  if (outputs.length === 0) throw reader.malformed('has no outputs')
  if (new Set(inputs.map(({ txid, vout }) => `${txid}:${vout}`)).size < inputs.length) {
    throw reader.malformed('spends a coin twice')
  }
  const values = outputs.map(({ value }) => value)
  if (values.some((value) => value > MAXIMUM_VALUE) || values.reduce((a, b) => a + b) > MAXIMUM_VALUE) {
    throw reader.malformed('pays more than 21 million bitcoin')
  }
}

function encodeScript(script: string): Uint8Array[] {
  const bytes = parseHex(script, 'A script')
  return [encodeCompactSize(bytes.length), bytes]
}
