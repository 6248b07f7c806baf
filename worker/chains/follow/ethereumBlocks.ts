import * as z from 'zod/mini'
import { type Header, parseBlockHeader } from '../../../src/chain/ethereum/header.ts'
import { encodeQuantity } from '../../../src/chain/ethereum/hex.ts'
import {
  buildTransactionsTrie,
  ETHER_LOGGER,
  type OpenBlock,
  openBlock,
  TRANSFER,
} from '../../../src/chain/ethereum/proof.ts'
import type { Trie } from '../../../src/chain/ethereum/trie.ts'
import type { EthereumConfiguration } from '../servers/configuration.ts'
import { createJsonRpc, type JsonRpc } from '../servers/jsonRpc.ts'
import { type CallBudget, checkAnswer, ServerFault } from '../servers/server.ts'
import type { ServerState } from '../servers/servers.ts'

/** A server with its answers in this tick. `head` is its finalised block. */
export interface EthereumServer extends ServerState {
  readonly client: JsonRpc
  newest: Header | null
}

/** A whole block whose transactions are those of its header. */
export interface EthereumBlock {
  readonly header: Header
  /** The trie of its transactions: proofs come from it. */
  readonly trie: Trie
  /** As the server sent them. */
  readonly transactions: readonly unknown[]
  readonly sent: readonly SentTransaction[]
}

const HEX = z.string().check(z.regex(/^0x[0-9a-fA-F]*$/))
const HASH = z.string().check(z.regex(/^0x[0-9a-fA-F]{64}$/))

const sentTransaction = z.object({
  hash: HASH,
  from: z.optional(HEX),
  to: z.optional(z.nullable(HEX)),
  nonce: HEX,
  value: HEX,
})
type SentTransaction = z.output<typeof sentTransaction>

const wholeBlock = z.object({ transactions: z.array(z.looseObject({})) })

const writtenLog = z.object({ address: HEX, topics: z.array(HEX), data: HEX })
const listedLog = z.extend(writtenLog, { blockHash: HASH, logIndex: HEX })

/** A token's transfer as `eth_getLogs` lists it. */
export interface ListedTransfer {
  readonly contract: string
  /** In lower case. */
  readonly to: string
  readonly blockHash: string
  /** Within the block. */
  readonly logIndex: number
}

/** A token's transfer in the receipts of its block. */
export interface ProvedTransfer extends ListedTransfer {
  readonly transactionIndex: number
}

const receiptLogs = z.array(z.object({ logs: z.array(writtenLog) }))

/** Whole blocks of these heights, for `readBlock`. One call. */
export function fetchBlocks({ client }: EthereumServer, heights: readonly number[]): Promise<unknown[]> {
  return client.ask(
    heights.map((height) => ({ method: 'eth_getBlockByNumber', params: [encodeQuantity(height), true] })),
  )
}

/** The headers of these heights, each following the one before it. One call. */
export async function fetchHeaders({ client }: EthereumServer, from: number, to: number): Promise<Header[]> {
  const heights = Array.from({ length: to - from + 1 }, (_, i) => from + i)
  const answers = await client.ask(
    heights.map((height) => ({ method: 'eth_getBlockByNumber', params: [encodeQuantity(height), false] })),
  )
  const headers = answers.map((answer, i) => checkHeader(answer, heights[i]))
  if (headers.some(({ parentHash }, i) => i > 0 && parentHash !== headers[i - 1]?.hash))
    throw new ServerFault('sends blocks that do not follow each other')
  return headers
}

/** The header of a block at a height. Its hash follows from its fields. */
export async function fetchHeader({ client }: EthereumServer, height: number): Promise<Header> {
  const [answer] = await client.ask([
    { method: 'eth_getBlockByNumber', params: [encodeQuantity(height), false] },
  ])
  return checkHeader(answer, height)
}

/** Asks a server which chain it serves, and for its finalised and its newest block. One call. */
export async function fetchHead(
  { client }: EthereumServer,
  chainId: number,
): Promise<{ finalised: Header; newest: Header }> {
  const [chain, finalised, newest] = await client.ask([
    { method: 'eth_chainId', params: [] },
    { method: 'eth_getBlockByNumber', params: ['finalized', false] },
    { method: 'eth_getBlockByNumber', params: ['latest', false] },
  ])
  if (typeof chain !== 'string' || Number(chain) !== chainId) throw new ServerFault('serves another chain')
  return { finalised: checkHeader(finalised), newest: checkHeader(newest) }
}

/** Transfers of any token to these addresses. One call, or none without an address.*/
export async function fetchTransfers(
  { client }: EthereumServer,
  range: { readonly from: number; readonly to: number },
  addresses: readonly string[],
): Promise<ListedTransfer[]> {
  const place = { fromBlock: encodeQuantity(range.from), toBlock: encodeQuantity(range.to) }
  const questions = Array.from({ length: Math.ceil(addresses.length / MOST_TOPICS) }, (_, part) => {
    const some = addresses.slice(part * MOST_TOPICS, (part + 1) * MOST_TOPICS)
    return { method: 'eth_getLogs', params: [{ ...place, topics: [TRANSFER, null, some.map(encodeTopic)] }] }
  })
  if (questions.length === 0) return []
  const parsed = z.array(z.array(listedLog)).safeParse(await client.ask(questions))
  if (!parsed.success) throw new ServerFault('answers in another form than JSON-RPC')
  return parsed.data.flat().filter(isTransfer).map(toListedTransfer)
}

/** The receipts of blocks, in the order of the hashes. One call. */
export async function fetchReceipts(
  { client }: EthereumServer,
  hashes: readonly string[],
): Promise<unknown[][]> {
  if (hashes.length === 0) return []
  const answers = await client.ask(hashes.map((hash) => ({ method: 'eth_getBlockReceipts', params: [hash] })))
  return answers.map((answer) => {
    if (!Array.isArray(answer)) throw new ServerFault('answers in another form than JSON-RPC')
    return answer as unknown[]
  })
}

/** Balances at a height, in wei. One call. */
export async function fetchBalances(
  { client }: EthereumServer,
  addresses: readonly string[],
  height: number,
): Promise<bigint[]> {
  const answers = await client.ask(
    addresses.map((address) => ({ method: 'eth_getBalance', params: [address, encodeQuantity(height)] })),
  )
  return answers.map((answer) => {
    if (typeof answer !== 'string' || !/^0x[0-9a-fA-F]{1,64}$/.test(answer))
      throw new ServerFault('answers in another form than JSON-RPC')
    return BigInt(answer)
  })
}

/** Topics of one question. More are refused by some servers. */
const MOST_TOPICS = 400

function encodeTopic(address: string): string {
  return `0x${address.slice(2).toLowerCase().padStart(64, '0')}`
}

function toListedTransfer({
  address,
  topics,
  blockHash,
  logIndex,
}: z.output<typeof listedLog>): ListedTransfer {
  return {
    contract: address.toLowerCase(),
    to: decodeReceiver(topics),
    blockHash: blockHash.toLowerCase(),
    logIndex: Number(logIndex),
  }
}

function decodeReceiver(topics: readonly string[]): string {
  return `0x${(topics[2] ?? '').slice(26).toLowerCase()}`
}

/** A block with its receipts, whose tries are built once. Refuses receipts that are not those of the header. */
export function openReceipts(
  { header, trie }: Pick<EthereumBlock, 'header' | 'trie'>,
  receipts: readonly unknown[],
): { readonly open: OpenBlock; readonly transfers: readonly ProvedTransfer[] } {
  const open = checkAnswer('sends false receipts', () => openBlock({ header, receipts }, trie))
  const { data: parsed } = receiptLogs.safeParse(receipts)
  if (parsed === undefined) throw new ServerFault('sends false receipts')
  let logIndex = 0
  const transfers = parsed.flatMap(({ logs }, transactionIndex) =>
    logs.flatMap((log): ProvedTransfer[] => {
      const place = { blockHash: header.hash, transactionIndex, logIndex: logIndex++ }
      return isTransfer(log)
        ? [{ contract: log.address.toLowerCase(), to: decodeReceiver(log.topics), ...place }]
        : []
    }),
  )
  return { open, transfers }
}

/** Tokens of other standards use the same event with other fields. Ether is read from the transactions. */
function isTransfer({ address, topics, data }: z.output<typeof writtenLog>): boolean {
  return (
    topics[0]?.toLowerCase() === TRANSFER &&
    topics.length === 3 &&
    data.length === 66 &&
    address.toLowerCase() !== ETHER_LOGGER
  )
}

function checkHeader(block: unknown, height?: number): Header {
  if (block === null) throw new ServerFault('lacks a block that it should have')
  const header = checkAnswer('sends blocks with a false hash', () => parseBlockHeader(block))
  if (height !== undefined && header.number !== height)
    throw new ServerFault('sends another block than it was asked for')
  return header
}

/** A whole block as a server sent it. Refuses one whose transactions are not those of its header. */
export function readBlock(answer: unknown, height: number): EthereumBlock {
  const header = checkHeader(answer, height)
  const parsed = wholeBlock.safeParse(answer)
  const sent = z.array(sentTransaction).safeParse(parsed.data?.transactions)
  if (!parsed.success || !sent.success) throw new ServerFault('answers in another form than JSON-RPC')
  const { transactions } = parsed.data
  const trie = checkAnswer('sends blocks with other transactions', () =>
    buildTransactionsTrie({ header, transactions }),
  )
  return { header, trie, transactions, sent: sent.data }
}

/** The two servers of the configuration, before any answer. */
export function connectEthereum(
  { servers }: EthereumConfiguration,
  budget: CallBudget,
): readonly EthereumServer[] {
  return servers.map((server) => {
    const client = createJsonRpc(server, budget)
    return { server, head: null, fault: null, newest: null, client }
  })
}
