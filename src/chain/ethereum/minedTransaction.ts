import { ChainError } from '../chainError.ts'
import type { Header } from './header.ts'
import { parseHex } from './hex.ts'
import { decodeReceipt, encodeReceipt, type Receipt } from './receipt.ts'
import { decodeQuantity, decodeRlp, listItem } from './rlp.ts'
import { decodeFields, decodeTransaction, encodeTransaction } from './transaction.ts'
import { buildTrie } from './trie.ts'

/** What became of a transaction in its block. */
export interface MinedTransaction {
  readonly succeeded: boolean
  readonly logs: Receipt['logs']
  /** What its sender paid for gas, in wei. */
  readonly fee: bigint
}

interface MinedBlock {
  readonly header: Header
  /** All transactions and all receipts of the block, in their order, as JSON-RPC gives them. */
  readonly transactions: readonly unknown[]
  readonly receipts: readonly unknown[]
}

/**
 * What became of a transaction, from its whole block. Refuses transactions or receipts that the header does not commit to. The fee is the
 * gas used times the base fee of the block and the priority fee (EIP-1559), or times the gas price of older types.
 */
export function verifyMinedTransaction(
  { header, transactions, receipts }: MinedBlock,
  hash: string,
): MinedTransaction {
  const sent = transactions.map(encodeTransaction)
  if (buildTrie(sent).root !== header.transactionsRoot)
    throw new ChainError('transactions_differ', 'These are not the transactions of the block.')
  const encoded = receipts.map(encodeReceipt)
  if (encoded.length !== sent.length || buildTrie(encoded).root !== header.receiptsRoot)
    throw new ChainError('receipts_differ', 'These are not the receipts of the block.')
  const index = sent.findIndex((bytes) => decodeTransaction(bytes).hash === hash)
  const [bytes, receipt] = [sent[index], encoded[index]]
  if (bytes === undefined || receipt === undefined)
    throw new ChainError('no_such_transaction', 'The block does not have this transaction.')
  const { succeeded, logs } = decodeReceipt(receipt)
  const before = index === 0 ? 0n : decodeCumulativeGas(encoded[index - 1])
  return {
    succeeded,
    logs,
    fee: (decodeCumulativeGas(receipt) - before) * computeGasPrice(bytes, decodeBaseFee(header)),
  }
}

function decodeCumulativeGas(receipt: Uint8Array | undefined): bigint {
  if (receipt === undefined) return 0n
  // A type stands before the list, which begins with 0xc0 or more.
  const payload = (receipt[0] ?? 0) < 0xc0 ? receipt.subarray(1) : receipt
  return decodeQuantity(
    listItem(decodeRlp(payload, 'receipt'), 'receipt', 4)[1],
    'cumulative gas of the receipt',
  )
}

/** Its place among the header's fields, of the gas price in transactions of types 0 and 1, and of the two fees in those of later types. */
const BASE_FEE = 15
const GAS_PRICE = [1, 2]
const PRIORITY_FEE = 2
const MOST_FEE = 3

function decodeBaseFee(header: Header): bigint {
  const items = listItem(decodeRlp(parseHex(header.encoded, 'block header'), 'block header'), 'block header')
  return decodeQuantity(items[BASE_FEE], 'base fee of the block')
}

/** Wei per unit of gas that the sender paid. */
function computeGasPrice(transaction: Uint8Array, baseFee: bigint): bigint {
  const { type, fields } = decodeFields(transaction)
  const price = GAS_PRICE[type]
  if (price !== undefined) return decodeQuantity(fields[price], 'gas price of the transaction')
  const most = decodeQuantity(fields[MOST_FEE], 'maximum fee of the transaction')
  const withPriority =
    baseFee + decodeQuantity(fields[PRIORITY_FEE], 'maximum priority fee of the transaction')
  return most < withPriority ? most : withPriority
}
