import { keccak_256 } from '@noble/hashes/sha3.js'
import { ChainError } from '../chainError.ts'
import { type Hex, parseHex, parseObject, parseQuantity, toHex } from './hex.ts'
import { decodeQuantity, decodeRlp, encodeRlp, listItem, type RlpInput, requireBytes } from './rlp.ts'

/** A block header whose hash was computed from its fields. */
export interface Header {
  readonly hash: Hex
  readonly number: number
  /** Seconds since 1970. */
  readonly timestamp: number
  readonly parentHash: Hex
  readonly transactionsRoot: Hex
  readonly receiptsRoot: Hex
  /** How many fields it has that only a later fork defines. */
  readonly laterFields: number
  /** The header in RLP. Its Keccak-256 hash is the block's hash. */
  readonly encoded: Hex
}

/**
 * Encodes the header of a block from `eth_getBlockByHash` or `eth_getBlockByNumber`, for every fork up to Amsterdam (Yellow Paper, section
 * 4.3; EIPs 1559, 4895, 4844, 4788, 7685, 7928 and 7843). Refuses a header whose hash is not the claimed one. Fields that a later fork adds
 * are accepted if the hash agrees with them: it binds the fields that we read.
 */
export function parseBlockHeader(block: unknown): Header {
  const json = parseObject(block, 'block')
  const present = ADDED.filter(({ name }) => json[name] !== undefined && json[name] !== null)
  const missing = ADDED.slice(0, present.length).find((field) => !present.includes(field))
  if (missing) {
    throw new ChainError('incomplete_header', `The block has fields of a later fork but no ${missing.name}.`)
  }
  const known = [...ORIGINAL, ...present].map((field) => encodeField(field, json))
  const claimed = toHex(parseHex(json.hash, 'block hash', 32))
  const unknown = Object.keys(json).filter((name) => !KNOWN.has(name))
  const later =
    present.length < ADDED.length
      ? []
      : unknown.flatMap((name) => encodeLaterField(json[name])).slice(0, MOST_LATER)
  const header = findHeader(known, later, claimed)
  if (header !== null) return header
  if (unknown.length > 0) {
    throw new ChainError(
      'unknown_header_field',
      `The block's hash does not match, and the block has unknown fields: ${unknown.join(', ')}.`,
    )
  }
  throw new ChainError(
    'block_hash_differs',
    `The block's fields give the hash ${toHex(keccak_256(encodeRlp(known)))}, not ${claimed}.`,
  )
}

/** Fields of a later fork that are tried in every order. Four make 65 hashes. */
const MOST_LATER = 4

/**
 * The header with this hash: known fields, and as many later ones as it takes. JSON does not say in which order the header has them, nor
 * which of them a server only adds.
 */
function findHeader(fields: readonly RlpInput[], later: readonly RlpInput[], hash: Hex): Header | null {
  const bytes = encodeRlp(fields)
  if (toHex(keccak_256(bytes)) === hash) return decodeHeader(toHex(bytes))
  for (const [at, field] of later.entries()) {
    const found = findHeader([...fields, field], later.toSpliced(at, 1), hash)
    if (found !== null) return found
  }
  return null
}

/** Bytes or a number, as JSON-RPC writes them. A number with an even count of digits has the bytes of its digits. */
function encodeLaterField(value: unknown): RlpInput[] {
  if (typeof value !== 'string') return []
  if (/^0x(?:[0-9a-fA-F]{2}){0,256}$/.test(value)) return [parseHex(value, 'later field')]
  return /^0x[0-9a-fA-F]{1,64}$/.test(value) ? [BigInt(value)] : []
}

/** Decodes a header from RLP. Its hash follows from the bytes, so the caller must compare it with a hash from the network. */
export function decodeHeader(encoded: unknown): Header {
  const bytes = parseHex(encoded, 'block header')
  const items = listItem(decodeRlp(bytes, 'block header'), 'block header')
  if (items.length < ORIGINAL.length) {
    throw new ChainError('incomplete_header', `A block header cannot have ${items.length} fields.`)
  }
  for (const [i, item] of items.entries()) {
    const { name, form } = FIELDS[i] ?? { name: 'later field', form: 'bytes' }
    if (form === 'quantity') decodeQuantity(item, name)
    else requireBytes(item, name, form === 'bytes' ? undefined : form)
  }
  const getItem = (name: string) => items[FIELDS.findIndex((field) => field.name === name)]
  const hash = (name: string) => toHex(requireBytes(getItem(name), name, 32))
  const getNumber = (name: string) => toSafeNumber(decodeQuantity(getItem(name), name), name)
  return {
    hash: toHex(keccak_256(bytes)),
    number: getNumber('number'),
    timestamp: getNumber('timestamp'),
    parentHash: hash('parentHash'),
    transactionsRoot: hash('transactionsRoot'),
    receiptsRoot: hash('receiptsRoot'),
    laterFields: Math.max(0, items.length - FIELDS.length),
    encoded: toHex(bytes),
  }
}

interface Field {
  readonly name: string
  /** A number, a byte string of any length, or a byte string of this length. */
  readonly form: 'quantity' | 'bytes' | 8 | 20 | 32 | 256
}

const ORIGINAL: readonly Field[] = [
  { name: 'parentHash', form: 32 },
  { name: 'sha3Uncles', form: 32 },
  { name: 'miner', form: 20 },
  { name: 'stateRoot', form: 32 },
  { name: 'transactionsRoot', form: 32 },
  { name: 'receiptsRoot', form: 32 },
  { name: 'logsBloom', form: 256 },
  { name: 'difficulty', form: 'quantity' },
  { name: 'number', form: 'quantity' },
  { name: 'gasLimit', form: 'quantity' },
  { name: 'gasUsed', form: 'quantity' },
  { name: 'timestamp', form: 'quantity' },
  { name: 'extraData', form: 'bytes' },
  { name: 'mixHash', form: 32 },
  { name: 'nonce', form: 8 },
]

/** The fields that forks added, in their order. A fork never drops one. */
const ADDED: readonly Field[] = [
  { name: 'baseFeePerGas', form: 'quantity' },
  { name: 'withdrawalsRoot', form: 32 },
  { name: 'blobGasUsed', form: 'quantity' },
  { name: 'excessBlobGas', form: 'quantity' },
  { name: 'parentBeaconBlockRoot', form: 32 },
  { name: 'requestsHash', form: 32 },
  { name: 'blockAccessListHash', form: 32 },
  { name: 'slotNumber', form: 'quantity' },
]

const FIELDS = [...ORIGINAL, ...ADDED]

/** The header's fields, and what servers add to them. */
const KNOWN = new Set([
  ...FIELDS.map(({ name }) => name),
  'hash',
  'size',
  'totalDifficulty',
  'transactions',
  'uncles',
  'withdrawals',
])

function encodeField({ name, form }: Field, json: Readonly<Record<string, unknown>>): RlpInput {
  if (form === 'quantity') return parseQuantity(json[name], name)
  return parseHex(json[name], name, form === 'bytes' ? undefined : form)
}

function toSafeNumber(value: bigint, name: string): number {
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) {
    throw new ChainError('invalid_quantity', `The ${name} of the block is too large.`)
  }
  return Number(value)
}
