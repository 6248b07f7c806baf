import { keccak_256 } from '@noble/hashes/sha3.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { ChainError } from '../chainError.ts'
import { decodeHeader, type Header } from './header.ts'
import { arrayOf, bytesOf, type Hex, hexOf, objectOf, wholeNumberOf } from './hex.ts'
import { decodeReceipt, encodeReceipt, type Receipt } from './receipt.ts'
import { numberOf } from './rlp.ts'
import { decodeTransaction, encodeTransaction } from './transaction.ts'
import { type Trie, trieOf, valueInProof } from './trie.ts'

/** Proves with a block header alone that a contract wrote a log. JSON. */
export interface EthereumTokenProof {
  readonly kind: 'ethereum_token'
  /** The block header in RLP. */
  readonly header: Hex
  /** The number of the transaction within the block, from 0. */
  readonly transactionIndex: number
  /** The nodes of the receipts trie, from the root. */
  readonly receiptNodes: readonly Hex[]
  /** The number of the log within its receipt, from 0. */
  readonly receiptLogIndex: number
  /** The number of the log within the block, as JSON-RPC counts. `proveToken` counted it in the block's receipts; the proof itself cannot show it. */
  readonly logIndex: number
  /** The nodes of the transactions trie, from the root, which prove the transaction's hash. */
  readonly transactionNodes?: readonly Hex[]
}

/** Proves with a block header alone that a transaction moved ether. JSON. */
export interface EthereumNativeProof {
  readonly kind: 'ethereum_native'
  readonly header: Hex
  readonly transactionIndex: number
  readonly receiptNodes: readonly Hex[]
  readonly transactionNodes: readonly Hex[]
}

interface Block {
  readonly header: Header
  /** All receipts of the block in their order, from `eth_getBlockReceipts`. */
  readonly receipts: readonly unknown[]
  readonly transactionIndex: number
}

interface TokenBlock extends Block {
  /** The number of the log within the block, as `eth_getLogs` shows it. */
  readonly logIndex: number
  /** All transactions of the block. With them, the proof also proves the transaction's hash. */
  readonly transactions?: readonly unknown[]
}

/** Proves a log. Refuses receipts or transactions that the header does not commit to. */
export function proveToken({
  header,
  receipts,
  transactionIndex,
  logIndex,
  transactions,
}: TokenBlock): EthereumTokenProof {
  const receiptNodes = nodesOf(receiptsTrie(header, receipts), transactionIndex)
  const logsBefore = receipts
    .slice(0, transactionIndex)
    .reduce<number>((sum, receipt) => sum + logCount(receipt), 0)
  const receiptLogIndex = logIndex - logsBefore
  if (
    !Number.isSafeInteger(logIndex) ||
    receiptLogIndex < 0 ||
    receiptLogIndex >= logCount(receipts[transactionIndex])
  ) {
    throw new ChainError(
      'no_such_log',
      `Transaction ${transactionIndex} of the block has no log ${logIndex}.`,
    )
  }
  return {
    kind: 'ethereum_token',
    header: header.encoded,
    transactionIndex,
    receiptNodes,
    receiptLogIndex,
    logIndex,
    ...(transactions && {
      transactionNodes: nodesOf(transactionsTrie(header, transactions), transactionIndex),
    }),
  }
}

/** Proves a transaction and its receipt. Refuses receipts or transactions that the header does not commit to. */
export function proveNative({
  header,
  receipts,
  transactionIndex,
  transactions,
}: Block & { readonly transactions: readonly unknown[] }): EthereumNativeProof {
  return {
    kind: 'ethereum_native',
    header: header.encoded,
    transactionIndex,
    receiptNodes: nodesOf(receiptsTrie(header, receipts), transactionIndex),
    transactionNodes: nodesOf(transactionsTrie(header, transactions), transactionIndex),
  }
}

/** A payment that a proof shows to be in this block. The caller decides whether the block is final: it compares `blockHash`. */
interface Payment {
  readonly blockHash: Hex
  readonly blockNumber: number
  /** When the block was made, in seconds since 1970. */
  readonly timestamp: number
  readonly transactionIndex: number
  /** In the token's or the coin's smallest unit. Always above zero. */
  readonly quantity: bigint
}

export interface TokenPayment extends Payment {
  /** Null if the proof has no transaction. */
  readonly transactionHash: Hex | null
  /** In lower case. */
  readonly from: Hex
  readonly receiptLogIndex: number
  /** Claimed by the proof, see `EthereumTokenProof`. The block, `transactionIndex` and `receiptLogIndex` identify the payment too, and are proven. */
  readonly logIndex: number
}

/**
 * Checks that this proof shows a transfer of the token with this contract to this address, in a transaction that succeeded. It needs
 * nothing but the proof. What counts is the `Transfer` event (ERC-20), which any contract can write about anything, so `contract` must
 * come from the list of trusted tokens (`tokens.ts`) and never from the proof. A token that takes a fee reports what arrived.
 */
export function checkTokenPayment(
  proof: unknown,
  { contract, to }: { readonly contract: string; readonly to: string },
): TokenPayment {
  const json = objectOf(proof, 'proof')
  checkKind(json.kind, 'ethereum_token')
  const { header, transactionIndex, receipt } = proven(json)
  const receiptLogIndex = wholeNumberOf(json.receiptLogIndex, 'number of the log in the receipt')
  const logIndex = wholeNumberOf(json.logIndex, 'number of the log in the block')
  const log = receipt.logs[receiptLogIndex]
  if (!log || logIndex < receiptLogIndex) throw new ChainError('no_such_log', 'The receipt has no such log.')
  if (log.address !== canonical(contract)) {
    throw new ChainError(
      'other_contract',
      `The log is from the contract ${log.address}, not from ${contract}.`,
    )
  }
  const [event, from, receiver] = log.topics
  if (event !== TRANSFER || log.topics.length !== 3 || log.data.length !== 32) {
    throw new ChainError('not_a_transfer', 'The log is not the Transfer event of an ERC-20 token.')
  }
  if (addressOf(receiver) !== canonical(to)) {
    throw new ChainError('other_receiver', `The transfer goes to ${addressOf(receiver)}, not to ${to}.`)
  }
  const transaction =
    json.transactionNodes === undefined
      ? null
      : provenTransaction(header, transactionIndex, json.transactionNodes)
  return {
    ...paymentIn(header, transactionIndex, numberOf(log.data)),
    transactionHash: transaction?.hash ?? null,
    from: addressOf(from),
    receiptLogIndex,
    logIndex,
  }
}

export interface NativePayment extends Payment {
  readonly transactionHash: Hex
  /** The encoded transaction. `senderOf` recovers who signed it. */
  readonly transaction: Uint8Array
}

/**
 * Checks that this proof shows a transaction that sends ether to this address and succeeded. Only the receiver of the transaction itself
 * is provable this way. Ether that a contract sends while it runs (also from many exchanges and multi-signature wallets) leaves no trace in
 * a block but the state root, and neither do withdrawals of validators, so both are refused and need a person.
 */
export function checkNativePayment(proof: unknown, { to }: { readonly to: string }): NativePayment {
  const json = objectOf(proof, 'proof')
  checkKind(json.kind, 'ethereum_native')
  const { header, transactionIndex } = proven(json)
  const transaction = provenTransaction(header, transactionIndex, json.transactionNodes)
  if (transaction.to !== canonical(to)) {
    throw new ChainError(
      'not_a_direct_transfer',
      `The transaction goes to ${transaction.to ?? 'a new contract'}, not to ${to}. What a contract forwards cannot be proven.`,
    )
  }
  return {
    ...paymentIn(header, transactionIndex, transaction.value),
    transactionHash: transaction.hash,
    transaction: transaction.bytes,
  }
}

/** The first topic of the event `Transfer(address,address,uint256)`. */
export const TRANSFER = hexOf(keccak_256(utf8ToBytes('Transfer(address,address,uint256)')))

function receiptsTrie(header: Header, receipts: readonly unknown[]): Trie {
  const trie = trieOf(receipts.map(encodeReceipt))
  if (trie.root === header.receiptsRoot) return trie
  throw new ChainError(
    'receipts_root_differs',
    `These receipts are not those of block ${header.number}: their root is ${trie.root}, not ${header.receiptsRoot}.`,
  )
}

function transactionsTrie(header: Header, transactions: readonly unknown[]): Trie {
  const trie = trieOf(transactions.map(encodeTransaction))
  if (trie.root === header.transactionsRoot) return trie
  throw new ChainError(
    'transactions_root_differs',
    `These transactions are not those of block ${header.number}: their root is ${trie.root}, not ${header.transactionsRoot}.`,
  )
}

function nodesOf(trie: Trie, transactionIndex: number): Hex[] {
  return trie.proofOf(transactionIndex).map(hexOf)
}

/** Only for receipts whose encoding was checked. */
function logCount(receipt: unknown): number {
  return arrayOf(objectOf(receipt, 'receipt').logs, 'list of logs').length
}

function checkKind(kind: unknown, expected: string): void {
  if (kind !== expected) throw new ChainError('invalid_proof', `This is not a proof of the kind ${expected}.`)
}

/** What the header and the receipt's nodes prove. Refuses a transaction that failed, because a failed one moves nothing. */
function proven(json: Readonly<Record<string, unknown>>): {
  header: Header
  transactionIndex: number
  receipt: Receipt
} {
  const header = decodeHeader(json.header)
  const transactionIndex = wholeNumberOf(json.transactionIndex, 'number of the transaction')
  const receipt = decodeReceipt(provenValue(header.receiptsRoot, transactionIndex, json.receiptNodes))
  if (!receipt.succeeded)
    throw new ChainError('transaction_failed', 'The transaction failed and moved nothing.')
  return { header, transactionIndex, receipt }
}

function provenTransaction(header: Header, transactionIndex: number, nodes: unknown) {
  const bytes = provenValue(header.transactionsRoot, transactionIndex, nodes)
  return { ...decodeTransaction(bytes), bytes }
}

function provenValue(root: Hex, index: number, nodes: unknown): Uint8Array {
  const list = arrayOf(nodes, 'proof').map((node) => bytesOf(node, 'node of the proof'))
  return valueInProof(bytesOf(root, 'root', 32), index, list)
}

function paymentIn(header: Header, transactionIndex: number, quantity: bigint): Payment {
  if (quantity === 0n) throw new ChainError('no_quantity', 'The payment moves nothing.')
  const { hash, number, timestamp } = header
  return { blockHash: hash, blockNumber: number, timestamp, transactionIndex, quantity }
}

/** The address in a topic of 32 bytes, whose first 12 must be zero. */
function addressOf(topic: Hex | undefined): Hex {
  if (!topic?.startsWith(`0x${'00'.repeat(12)}`)) {
    throw new ChainError('not_a_transfer', 'A topic of the Transfer event is not an address.')
  }
  return `0x${topic.slice(26)}`
}

function canonical(address: string): Hex {
  return hexOf(bytesOf(address, 'address', 20))
}
