import { ChainError } from '../chainError.ts'
import { type Hex, parseArray, parseHex, parseObject, parseQuantity, toHex } from './hex.ts'
import { decodeQuantity, decodeRlp, encodeRlp, listItem, requireBytes } from './rlp.ts'
import { decodeType, parseType, withType } from './types.ts'

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
  const json = parseObject(receipt, 'receipt')
  if (json.status === undefined || json.status === null) {
    throw new ChainError(
      'receipt_without_status',
      'The receipt does not say whether the transaction succeeded.',
    )
  }
  const payload = encodeRlp([
    parseQuantity(json.status, 'status of the receipt'),
    parseQuantity(json.cumulativeGasUsed, 'cumulative gas of the receipt'),
    parseHex(json.logsBloom, 'bloom filter of the receipt', 256),
    parseArray(json.logs, 'list of logs').map((entry) => {
      const log = parseObject(entry, 'log')
      return [
        parseHex(log.address, 'address of a log', 20),
        parseArray(log.topics, 'list of topics').map((topic) => parseHex(topic, 'topic of a log', 32)),
        parseHex(log.data, 'data of a log'),
      ]
    }),
  ])
  return withType(parseType(json.type, 'type of the receipt'), payload)
}

/** Decodes a receipt from the bytes in the trie. */
export function decodeReceipt(bytes: Uint8Array): Receipt {
  const payload = decodeType(bytes, 'receipt') === 0 ? bytes : bytes.subarray(1)
  const [status, gas, bloom, logs] = listItem(decodeRlp(payload, 'receipt'), 'receipt', 4)
  const succeeded = decodeQuantity(status, 'status of the receipt')
  if (succeeded > 1n) {
    throw new ChainError(
      'receipt_without_status',
      'The receipt does not say whether the transaction succeeded.',
    )
  }
  decodeQuantity(gas, 'cumulative gas of the receipt')
  requireBytes(bloom, 'bloom filter of the receipt', 256)
  return {
    succeeded: succeeded === 1n,
    logs: listItem(logs, 'list of logs').map((item) => {
      const [address, topics, data] = listItem(item, 'log', 3)
      return {
        address: toHex(requireBytes(address, 'address of a log', 20)),
        topics: listItem(topics, 'list of topics').map((topic) =>
          toHex(requireBytes(topic, 'topic of a log', 32)),
        ),
        data: requireBytes(data, 'data of a log'),
      }
    }),
  }
}
