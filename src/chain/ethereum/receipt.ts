import { ChainError } from '../chainError.ts'
import { arrayOf, bytesOf, type Hex, hexOf, objectOf, quantityOf } from './hex.ts'
import { bytesItem, decodeRlp, encodeRlp, listItem, quantityItem } from './rlp.ts'
import { typeByteOf, typeOf, withType } from './types.ts'

/** An event that a contract wrote during a transaction. */
export interface Log {
  /** The contract, in lower case. */
  readonly address: Hex
  readonly topics: readonly Hex[]
  readonly data: Uint8Array
}

export interface Receipt {
  readonly succeeded: boolean
  readonly logs: readonly Log[]
}

/**
 * Encodes a receipt from `eth_getBlockReceipts` as the block's receipts trie contains it (Yellow Paper, section 4.4.1; EIP-2718). Refuses
 * receipts from before the Byzantium fork, which have a state root and do not say whether the transaction succeeded.
 */
export function encodeReceipt(receipt: unknown): Uint8Array {
  const json = objectOf(receipt, 'receipt')
  if (json.status === undefined || json.status === null) {
    throw new ChainError(
      'receipt_without_status',
      'The receipt does not say whether the transaction succeeded.',
    )
  }
  const payload = encodeRlp([
    quantityOf(json.status, 'status of the receipt'),
    quantityOf(json.cumulativeGasUsed, 'cumulative gas of the receipt'),
    bytesOf(json.logsBloom, 'bloom filter of the receipt', 256),
    arrayOf(json.logs, 'list of logs').map((each) => {
      const log = objectOf(each, 'log')
      return [
        bytesOf(log.address, 'address of a log', 20),
        arrayOf(log.topics, 'list of topics').map((topic) => bytesOf(topic, 'topic of a log', 32)),
        bytesOf(log.data, 'data of a log'),
      ]
    }),
  ])
  return withType(typeOf(json.type, 'type of the receipt'), payload)
}

/** Decodes a receipt from the bytes in the trie. */
export function decodeReceipt(bytes: Uint8Array): Receipt {
  const payload = typeByteOf(bytes, 'receipt') === 0 ? bytes : bytes.subarray(1)
  const [status, gas, bloom, logs] = listItem(decodeRlp(payload, 'receipt'), 'receipt', 4)
  const succeeded = quantityItem(status, 'status of the receipt')
  if (succeeded > 1n) {
    throw new ChainError(
      'receipt_without_status',
      'The receipt does not say whether the transaction succeeded.',
    )
  }
  quantityItem(gas, 'cumulative gas of the receipt')
  bytesItem(bloom, 'bloom filter of the receipt', 256)
  return {
    succeeded: succeeded === 1n,
    logs: listItem(logs, 'list of logs').map((each) => {
      const [address, topics, data] = listItem(each, 'log', 3)
      return {
        address: hexOf(bytesItem(address, 'address of a log', 20)),
        topics: listItem(topics, 'list of topics').map((topic) =>
          hexOf(bytesItem(topic, 'topic of a log', 32)),
        ),
        data: bytesItem(data, 'data of a log'),
      }
    }),
  }
}
