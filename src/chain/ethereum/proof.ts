import { keccak_256 } from '@noble/hashes/sha3.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { ChainError } from '../chainError.ts'
import { decodeHeader, type Header } from './header.ts'
import { type Hex, parseArray, parseHex, parseObject, parseWholeNumber, toHex } from './hex.ts'
import { decodeReceipt, encodeReceipt, type Receipt } from './receipt.ts'
import { decodeNumber } from './rlp.ts'
import { decodeTransaction, encodeTransaction } from './transaction.ts'
import { buildTrie, type Trie, valueInProof } from './trie.ts'

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

/** The part of a proof that all payments of one transaction share. */
export type TransactionProof = Omit<EthereumNativeProof, 'kind'>

interface Block {
  readonly header: Header
  /** All receipts of the block in their order, from `eth_getBlockReceipts`. */
  readonly receipts: readonly unknown[]
  /** All transactions of the block. With them, proofs also prove the transaction's hash. */
  readonly transactions?: readonly unknown[]
}

/** A block whose tries are built once. Every proof comes from them, so a block with many payments takes no more work than one with few. */
export interface OpenBlock {
  /** The shared part of the proofs of a transaction. Without `transactions`, it does not prove the transaction's hash. */
  proofOf(transactionIndex: number): Omit<TransactionProof, 'transactionNodes'> & Partial<TransactionProof>
  /** The number of a log within its receipt. `logIndex` is its number within the block, as `eth_getLogs` shows it. */
  placeOf(transactionIndex: number, logIndex: number): number
}

/** Builds the tries of a block, of transactions only if it is not known yet. Refuses receipts or transactions that the header does not commit to. */
export function openBlock({ header, receipts, transactions }: Block, known?: Trie): OpenBlock {
  const ofTransactions = known ?? (transactions && buildTransactionsTrie({ header, transactions }))
  const ofReceipts = buildReceiptsTrie(header, receipts)
  const firstLogs: number[] = [0]
  for (const receipt of receipts) firstLogs.push((firstLogs.at(-1) ?? 0) + logCount(receipt))
  return {
    proofOf: (transactionIndex) => ({
      header: header.encoded,
      transactionIndex,
      receiptNodes: listNodes(ofReceipts, transactionIndex),
      ...(ofTransactions && { transactionNodes: listNodes(ofTransactions, transactionIndex) }),
    }),
    placeOf: (transactionIndex, logIndex) => {
      const first = firstLogs[transactionIndex] ?? 0
      if (
        !Number.isSafeInteger(logIndex) ||
        logIndex < first ||
        logIndex >= (firstLogs[transactionIndex + 1] ?? 0)
      )
        throw new ChainError(
          'no_such_log',
          `Transaction ${transactionIndex} of the block has no log ${logIndex}.`,
        )
      return logIndex - first
    },
  }
}

interface TokenBlock extends Block {
  readonly transactionIndex: number
  /** The number of the log within the block, as `eth_getLogs` shows it. */
  readonly logIndex: number
}

/** Proves a log. Refuses receipts or transactions that the header does not commit to. */
export function proveToken({ transactionIndex, logIndex, ...block }: TokenBlock): EthereumTokenProof {
  const open = openBlock(block)
  const proof = open.proofOf(transactionIndex)
  const receiptLogIndex = open.placeOf(transactionIndex, logIndex)
  return { kind: 'ethereum_token', ...proof, receiptLogIndex, logIndex }
}

/** Proves a transaction and its receipt. Refuses receipts or transactions that the header does not commit to. */
export function proveNative({
  transactionIndex,
  ...block
}: Required<Block> & { readonly transactionIndex: number }): EthereumNativeProof {
  const proof = openBlock(block).proofOf(transactionIndex)
  return { kind: 'ethereum_native', transactionNodes: [], ...proof }
}

/** A payment that a proof shows to be in this block. The caller decides whether the block is final: it compares `hashBlock`. */
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

/** The result of the shared part of a proof: a transaction that succeeded, and its receipt. */
export interface ProvedTransaction {
  readonly header: Header
  readonly transactionIndex: number
  readonly receipt: Receipt
  /** Null if the proof has no transaction. */
  readonly transaction: (ReturnType<typeof decodeTransaction> & { readonly bytes: Uint8Array }) | null
}

/** Checks the shared part of proofs once, for all payments of its transaction. Refuses a failed transaction: it moves no funds. */
export function checkTransaction(proof: unknown): ProvedTransaction {
  const json = parseObject(proof, 'proof')
  const { header, transactionIndex, receipt } = verifyProof(json)
  const transaction =
    json.transactionNodes === undefined
      ? null
      : verifyTransaction(header, transactionIndex, json.transactionNodes)
  return { header, transactionIndex, receipt, transaction }
}

/**
 * Checks that this proof shows a transfer of the token with this contract to this address, in a transaction that succeeded. It needs
 * only the proof. The evidence is the `Transfer` event (ERC-20), which any contract can write about anything, so `contract` must
 * come from the list of trusted tokens (`tokens.ts`) and never from the proof. A token that takes a fee reports what arrived.
 */
export function checkTokenPayment(
  proof: unknown,
  expected: { readonly contract: string; readonly to: string },
): TokenPayment {
  const json = parseObject(proof, 'proof')
  checkKind(json.kind, 'ethereum_token')
  return readTokenPayment(checkTransaction(json), json, expected)
}

/** The transfer that a log of a proved transaction shows. `place` has the numbers of the log, as the proof has them. */
export function readTokenPayment(
  { header, transactionIndex, receipt, transaction }: ProvedTransaction,
  place: { readonly receiptLogIndex?: unknown; readonly logIndex?: unknown },
  { contract, to }: { readonly contract: string; readonly to: string },
): TokenPayment {
  const receiptLogIndex = parseWholeNumber(place.receiptLogIndex, 'number of the log in the receipt')
  const logIndex = parseWholeNumber(place.logIndex, 'number of the log in the block')
  const log = receipt.logs[receiptLogIndex]
  if (!log || logIndex < receiptLogIndex) throw new ChainError('no_such_log', 'The receipt has no such log.')
  if (log.address !== normalizeAddress(contract)) {
    throw new ChainError(
      'other_contract',
      `The log is from the contract ${log.address}, not from ${contract}.`,
    )
  }
  const [event, from, receiver] = log.topics
  if (event !== TRANSFER || log.topics.length !== 3 || log.data.length !== 32) {
    throw new ChainError('not_a_transfer', 'The log is not the Transfer event of an ERC-20 token.')
  }
  if (decodeTopicAddress(receiver) !== normalizeAddress(to)) {
    throw new ChainError(
      'other_receiver',
      `The transfer goes to ${decodeTopicAddress(receiver)}, not to ${to}.`,
    )
  }
  return {
    ...createPayment(header, transactionIndex, decodeNumber(log.data)),
    transactionHash: transaction?.hash ?? null,
    from: decodeTopicAddress(from),
    receiptLogIndex,
    logIndex,
  }
}

export interface NativePayment extends Payment {
  readonly transactionHash: Hex
  /** The encoded transaction. `deriveSender` recovers who signed it. */
  readonly transaction: Uint8Array
}

/**
 * Checks that this proof shows a transaction that sends ether to this address and succeeded. Only the receiver of the transaction itself
 * is provable this way. Ether that a contract sends while it runs (also from many exchanges and multi-signature wallets) leaves no trace in
 * a block but the state root, and neither do withdrawals of validators, so both are refused and need a person.
 */
export function checkNativePayment(proof: unknown, expected: { readonly to: string }): NativePayment {
  const json = parseObject(proof, 'proof')
  checkKind(json.kind, 'ethereum_native')
  return readNativePayment(checkTransaction(json), expected)
}

/** The ether that a proved transaction sends to this address. */
export function readNativePayment(
  { header, transactionIndex, transaction }: ProvedTransaction,
  { to }: { readonly to: string },
): NativePayment {
  if (transaction === null) throw new ChainError('invalid_proof', 'The proof has no transaction.')
  if (transaction.to !== normalizeAddress(to)) {
    throw new ChainError(
      'not_a_direct_transfer',
      `The transaction goes to ${transaction.to ?? 'a new contract'}, not to ${to}. What a contract forwards cannot be proven.`,
    )
  }
  return {
    ...createPayment(header, transactionIndex, transaction.value),
    transactionHash: transaction.hash,
    transaction: transaction.bytes,
  }
}

/** The first topic of the event `Transfer(address,address,uint256)`. */
export const TRANSFER = toHex(keccak_256(utf8ToBytes('Transfer(address,address,uint256)')))
/** No contract, but the protocol itself: from Amsterdam on it writes `Transfer` for each movement of ether (EIP-7708). */
export const ETHER_LOGGER: Hex = '0xfffffffffffffffffffffffffffffffffffffffe'

function buildReceiptsTrie(header: Header, receipts: readonly unknown[]): Trie {
  const trie = buildTrie(receipts.map(encodeReceipt))
  if (trie.root === header.receiptsRoot) return trie
  throw new ChainError(
    'receipts_root_differs',
    `These receipts are not those of block ${header.number}: their root is ${trie.root}, not ${header.receiptsRoot}.`,
  )
}

/** The trie of a block's transactions. Refuses those that the header does not commit to. */
export function buildTransactionsTrie({ header, transactions }: Required<Omit<Block, 'receipts'>>): Trie {
  const trie = buildTrie(transactions.map(encodeTransaction))
  if (trie.root === header.transactionsRoot) return trie
  throw new ChainError(
    'transactions_root_differs',
    `These transactions are not those of block ${header.number}: their root is ${trie.root}, not ${header.transactionsRoot}.`,
  )
}

function listNodes(trie: Trie, transactionIndex: number): Hex[] {
  return trie.proofOf(transactionIndex).map(toHex)
}

/** Only for receipts whose encoding was checked. */
function logCount(receipt: unknown): number {
  return parseArray(parseObject(receipt, 'receipt').logs, 'list of logs').length
}

function checkKind(kind: unknown, expected: string): void {
  if (kind !== expected) throw new ChainError('invalid_proof', `This is not a proof of the kind ${expected}.`)
}

/** Returns the facts that the header and the receipt's nodes prove. Refuses a failed transaction, because it moves no funds. */
function verifyProof(json: Readonly<Record<string, unknown>>): {
  header: Header
  transactionIndex: number
  receipt: Receipt
} {
  const header = decodeHeader(json.header)
  const transactionIndex = parseWholeNumber(json.transactionIndex, 'number of the transaction')
  const receipt = decodeReceipt(verifyValue(header.receiptsRoot, transactionIndex, json.receiptNodes))
  if (!receipt.succeeded)
    throw new ChainError('transaction_failed', 'The transaction failed and moved nothing.')
  return { header, transactionIndex, receipt }
}

function verifyTransaction(header: Header, transactionIndex: number, nodes: unknown) {
  const bytes = verifyValue(header.transactionsRoot, transactionIndex, nodes)
  return { ...decodeTransaction(bytes), bytes }
}

function verifyValue(root: Hex, index: number, nodes: unknown): Uint8Array {
  const list = parseArray(nodes, 'proof').map((node) => parseHex(node, 'node of the proof'))
  return valueInProof(parseHex(root, 'root', 32), index, list)
}

function createPayment(header: Header, transactionIndex: number, quantity: bigint): Payment {
  if (quantity === 0n) throw new ChainError('no_quantity', 'The payment moves nothing.')
  const { hash, number, timestamp } = header
  return { blockHash: hash, blockNumber: number, timestamp, transactionIndex, quantity }
}

/** The address in a topic of 32 bytes, whose first 12 must be zero. */
function decodeTopicAddress(topic: Hex | undefined): Hex {
  if (!topic?.startsWith(`0x${'00'.repeat(12)}`)) {
    throw new ChainError('not_a_transfer', 'A topic of the Transfer event is not an address.')
  }
  return `0x${topic.slice(26)}`
}

function normalizeAddress(address: string): Hex {
  return toHex(parseHex(address, 'address', 20))
}
