import { keccak_256 } from '@noble/hashes/sha3.js'
import { ChainError } from '../chainError.ts'
import { type Hex, parseArray, parseHex, parseObject, parseQuantity, toHex } from './hex.ts'
import {
  decodeQuantity,
  decodeRlp,
  encodeRlp,
  listItem,
  type RlpInput,
  type RlpItem,
  requireBytes,
} from './rlp.ts'
import { decodeType, parseType, type TransactionType, withType } from './types.ts'

export interface Transaction {
  readonly hash: Hex
  readonly type: TransactionType
  /** The receiver in lower case, or null if the transaction creates a contract. */
  readonly to: Hex | null
  /** Wei. */
  readonly value: bigint
}

/**
 * Encodes a signed transaction from a block with full transactions, as the block's transactions trie contains it. Its Keccak-256 hash is
 * the transaction's hash. Compare that with the hash that the server claims, or the trie's root with that of the header.
 */
export function encodeTransaction(transaction: unknown): Uint8Array {
  const json = parseObject(transaction, 'transaction')
  const type = parseType(json.type, 'type of the transaction')
  return withType(type, encodeRlp(FIELDS[type].map((name) => FIELD_ENCODERS[name](json))))
}

/** Decodes the fields that a payment needs from the bytes in the trie. */
export function decodeTransaction(bytes: Uint8Array): Transaction {
  const { type, fields } = decodeFields(bytes)
  const getItem = (name: FieldName) => fields[FIELDS[type].indexOf(name)]
  const to = requireBytes(getItem('to'), 'receiver of the transaction')
  if (to.length !== 0 && to.length !== 20) {
    throw new ChainError(
      'invalid_rlp',
      `The receiver of the transaction has ${to.length} bytes instead of 20.`,
    )
  }
  return {
    hash: toHex(keccak_256(bytes)),
    type,
    to: to.length === 0 ? null : toHex(to),
    value: decodeQuantity(getItem('value'), 'value of the transaction'),
  }
}

/** The type of an encoded transaction and its fields in their order. The last three are the signature. */
export function decodeFields(bytes: Uint8Array): { type: TransactionType; fields: readonly RlpItem[] } {
  const type = decodeType(bytes, 'transaction')
  const payload = type === 0 ? bytes : bytes.subarray(1)
  return {
    type,
    fields: listItem(decodeRlp(payload, 'transaction'), 'transaction', FIELDS[type].length),
  }
}

type Json = Readonly<Record<string, unknown>>

const createQuantityReader = (name: string) => (json: Json) =>
  parseQuantity(json[name], `${name} of the transaction`)

const FIELD_ENCODERS = {
  chainId: createQuantityReader('chainId'),
  nonce: createQuantityReader('nonce'),
  gasPrice: createQuantityReader('gasPrice'),
  maxPriorityFeePerGas: createQuantityReader('maxPriorityFeePerGas'),
  maxFeePerGas: createQuantityReader('maxFeePerGas'),
  gas: createQuantityReader('gas'),
  to: (json: Json): RlpInput =>
    json.to === null || json.to === undefined ? new Uint8Array(0) : parseHex(json.to, 'receiver', 20),
  value: createQuantityReader('value'),
  input: (json: Json) => parseHex(json.input, 'input of the transaction'),
  accessList: (json: Json): RlpInput =>
    parseArray(json.accessList, 'access list').map((entry) => {
      const { address, storageKeys } = parseObject(entry, 'entry of the access list')
      const slots = parseArray(storageKeys, 'list of storage keys')
      return [parseHex(address, 'address', 20), slots.map((slot) => parseHex(slot, 'storage key', 32))]
    }),
  maxFeePerBlobGas: createQuantityReader('maxFeePerBlobGas'),
  blobVersionedHashes: (json: Json): RlpInput =>
    parseArray(json.blobVersionedHashes, 'list of blob hashes').map((hash) =>
      parseHex(hash, 'blob hash', 32),
    ),
  authorizationList: (json: Json): RlpInput =>
    parseArray(json.authorizationList, 'authorization list').map((authorization) => {
      const { chainId, address, nonce, yParity, r, s } = parseObject(authorization, 'authorization')
      return [
        parseQuantity(chainId, 'chainId of an authorization'),
        parseHex(address, 'address of an authorization', 20),
        parseQuantity(nonce, 'nonce of an authorization'),
        parseQuantity(yParity, 'signature of an authorization'),
        parseQuantity(r, 'signature of an authorization'),
        parseQuantity(s, 'signature of an authorization'),
      ]
    }),
  v: createQuantityReader('v'),
  // Old servers call it v.
  yParity: (json: Json) => parseQuantity(json.yParity ?? json.v, 'yParity of the transaction'),
  r: createQuantityReader('r'),
  s: createQuantityReader('s'),
} as const

type FieldName = keyof typeof FIELD_ENCODERS

/** The fields of each type of transaction, in the order of its encoding. */
const FIELDS: Readonly<Record<TransactionType, readonly FieldName[]>> = {
  // Its v has the chain (EIP-155), or is 27 or 28.
  0: ['nonce', 'gasPrice', 'gas', 'to', 'value', 'input', 'v', 'r', 's'],
  1: ['chainId', 'nonce', 'gasPrice', 'gas', 'to', 'value', 'input', 'accessList', 'yParity', 'r', 's'],
  2: [
    'chainId',
    'nonce',
    'maxPriorityFeePerGas',
    'maxFeePerGas',
    'gas',
    'to',
    'value',
    'input',
    'accessList',
    'yParity',
    'r',
    's',
  ],
  3: [
    'chainId',
    'nonce',
    'maxPriorityFeePerGas',
    'maxFeePerGas',
    'gas',
    'to',
    'value',
    'input',
    'accessList',
    'maxFeePerBlobGas',
    'blobVersionedHashes',
    'yParity',
    'r',
    's',
  ],
  4: [
    'chainId',
    'nonce',
    'maxPriorityFeePerGas',
    'maxFeePerGas',
    'gas',
    'to',
    'value',
    'input',
    'accessList',
    'authorizationList',
    'yParity',
    'r',
    's',
  ],
}
