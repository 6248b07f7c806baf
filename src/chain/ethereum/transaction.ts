import { keccak_256 } from '@noble/hashes/sha3.js'
import { ChainError } from '../chainError.ts'
import { arrayOf, bytesOf, type Hex, hexOf, objectOf, quantityOf } from './hex.ts'
import {
  bytesItem,
  decodeRlp,
  encodeRlp,
  listItem,
  quantityItem,
  type RlpInput,
  type RlpItem,
} from './rlp.ts'
import { type TransactionType, typeByteOf, typeOf, withType } from './types.ts'

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
  const json = objectOf(transaction, 'transaction')
  const type = typeOf(json.type, 'type of the transaction')
  return withType(type, encodeRlp(FIELDS[type].map((name) => FIELD_ENCODERS[name](json))))
}

/** Decodes what a payment needs from the bytes in the trie. */
export function decodeTransaction(bytes: Uint8Array): Transaction {
  const { type, fields } = decodeFields(bytes)
  const item = (name: FieldName) => fields[FIELDS[type].indexOf(name)]
  const to = bytesItem(item('to'), 'receiver of the transaction')
  if (to.length !== 0 && to.length !== 20) {
    throw new ChainError(
      'invalid_rlp',
      `The receiver of the transaction has ${to.length} bytes instead of 20.`,
    )
  }
  return {
    hash: hexOf(keccak_256(bytes)),
    type,
    to: to.length === 0 ? null : hexOf(to),
    value: quantityItem(item('value'), 'value of the transaction'),
  }
}

/** The type of an encoded transaction and its fields in their order. The last three are the signature. */
export function decodeFields(bytes: Uint8Array): { type: TransactionType; fields: readonly RlpItem[] } {
  const type = typeByteOf(bytes, 'transaction')
  const payload = type === 0 ? bytes : bytes.subarray(1)
  return {
    type,
    fields: listItem(decodeRlp(payload, 'transaction'), 'transaction', FIELDS[type].length),
  }
}

type Json = Readonly<Record<string, unknown>>

const quantity = (name: string) => (json: Json) => quantityOf(json[name], `${name} of the transaction`)

const FIELD_ENCODERS = {
  chainId: quantity('chainId'),
  nonce: quantity('nonce'),
  gasPrice: quantity('gasPrice'),
  maxPriorityFeePerGas: quantity('maxPriorityFeePerGas'),
  maxFeePerGas: quantity('maxFeePerGas'),
  gas: quantity('gas'),
  to: (json: Json): RlpInput =>
    json.to === null || json.to === undefined ? new Uint8Array(0) : bytesOf(json.to, 'receiver', 20),
  value: quantity('value'),
  input: (json: Json) => bytesOf(json.input, 'input of the transaction'),
  accessList: (json: Json): RlpInput =>
    arrayOf(json.accessList, 'access list').map((each) => {
      const { address, storageKeys } = objectOf(each, 'entry of the access list')
      const slots = arrayOf(storageKeys, 'list of storage keys')
      return [bytesOf(address, 'address', 20), slots.map((slot) => bytesOf(slot, 'storage key', 32))]
    }),
  maxFeePerBlobGas: quantity('maxFeePerBlobGas'),
  blobVersionedHashes: (json: Json): RlpInput =>
    arrayOf(json.blobVersionedHashes, 'list of blob hashes').map((hash) => bytesOf(hash, 'blob hash', 32)),
  authorizationList: (json: Json): RlpInput =>
    arrayOf(json.authorizationList, 'authorization list').map((each) => {
      const { chainId, address, nonce, yParity, r, s } = objectOf(each, 'authorization')
      return [
        quantityOf(chainId, 'chainId of an authorization'),
        bytesOf(address, 'address of an authorization', 20),
        quantityOf(nonce, 'nonce of an authorization'),
        quantityOf(yParity, 'signature of an authorization'),
        quantityOf(r, 'signature of an authorization'),
        quantityOf(s, 'signature of an authorization'),
      ]
    }),
  v: quantity('v'),
  // Old servers call it v.
  yParity: (json: Json) => quantityOf(json.yParity ?? json.v, 'yParity of the transaction'),
  r: quantity('r'),
  s: quantity('s'),
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
