import { sql } from 'drizzle-orm'
import { ChainError } from '../../../src/chain/chainError.ts'
import type { Header } from '../../../src/chain/ethereum/header.ts'
import {
  checkTransaction,
  type OpenBlock,
  type ProvedTransaction,
  readNativePayment,
  readTokenPayment,
} from '../../../src/chain/ethereum/proof.ts'
import { deriveSignedPayload } from '../../../src/chain/ethereum/sender.ts'
import { encodeTransaction } from '../../../src/chain/ethereum/transaction.ts'
import { type Statement, splitIntoJsonParts } from '../../lib/database.ts'
import { getLogMessage } from '../../lib/errors.ts'
import { findTokenContract } from '../servers/configuration.ts'
import {
  type CallBudget,
  checkAnswer,
  fetchInParts,
  type Pace,
  ServerFault,
  TooLarge,
  Unanswered,
} from '../servers/server.ts'
import { tryServer } from '../servers/servers.ts'
import type { EthereumTick, OwnAddress } from './ethereum.ts'
import {
  type EthereumBlock,
  type EthereumServer,
  fetchBlocks,
  fetchReceipts,
  fetchTransfers,
  type ListedTransfer,
  openReceipts,
  type ProvedTransfer,
  readBlock,
} from './ethereumBlocks.ts'
import type { ProofParts, SeenPayment } from './record.ts'
import { MOST_PROOF, type UnknownReceipt } from './unknownReceipts.ts'

/** A block of the chain. Its hash is null while only one server knows it. */
export interface BlockPlace {
  readonly height: number
  readonly hash: string | null
}

/** Our payments and treasury transactions in a block, or the reason why it could not be searched. */
export interface SearchedBlock extends BlockPlace {
  /** In words that follow "a server". Null if it was searched. */
  readonly fault: string | null
  readonly sightings: readonly SeenPayment[]
  readonly unknown: readonly UnknownReceipt[]
  readonly treasury: readonly TreasuryTransaction[]
}

/** The transfers to own addresses that the servers list. */
export interface Lists {
  readonly of: ReadonlyMap<EthereumServer, readonly ListedTransfer[]>
  /** Heights for which a server gave no list: their receipts show the transfers. */
  readonly unlisted: ReadonlySet<number>
  /** The last height that all of them listed. */
  readonly to: number
}

/** Blocks whose transactions and receipts are read together. */
export const BLOCKS_A_CHUNK = 16

/** The servers that may be asked about blocks up to this height, in turns, so that each is used and the other one stands in. */
export function pickServers({ servers }: EthereumTick, height: number, turn: number): EthereumServer[] {
  const able = servers.filter(({ fault, newest }) => fault === null && (newest?.number ?? 0) >= height)
  return turn % 2 === 0 ? able : able.toReversed()
}

/**
 * The transfers that each of these servers lists from one block to another, or to an earlier one if a server refuses so many. Null if one of
 * them does not answer at all.
 */
export async function fetchLists(
  tick: EthereumTick,
  servers: readonly EthereumServer[],
  from: number,
  to: number,
  pace: Pace,
): Promise<Lists | null> {
  const of = new Map<EthereumServer, readonly ListedTransfer[]>()
  const unlisted = new Set<number>()
  let last = to
  for (const server of servers) {
    const list = await tryServer(server, () => fetchList(tick, server, from, last, pace))
    if (list === null) return null
    of.set(server, list.transfers)
    last = list.to
    if (list.refusal === null) continue
    for (let height = from; height <= last; height++) unlisted.add(height)
    if (!(list.refusal instanceof TooLarge)) server.fault ??= list.refusal.message
  }
  return { of, unlisted, to: last }
}

/** A server that refuses to list the transfers of this many blocks is treated as one that lists none. */
const FEW_BLOCKS = 2

/**
 * Fetches the transfers that a server lists from one block on. If the server refuses, it is asked for a quarter of the blocks. `refusal` is
 * its refusal of the fewest blocks. Null if no call is left.
 */
async function fetchList(
  tick: EthereumTick,
  server: EthereumServer,
  from: number,
  most: number,
  pace: Pace,
): Promise<{ transfers: readonly ListedTransfer[]; to: number; refusal: Unanswered | null } | null> {
  const { budget, receivers } = tick
  const to = Math.min(most, from + pace.items - 1)
  if (!budget.has(1)) return null
  try {
    const all = await fetchTransfers(server, { from, to }, [...receivers.keys()])
    return { transfers: all.filter((transfer) => receivers.has(transfer.to)), to, refusal: null }
  } catch (error) {
    if (!(error instanceof Unanswered)) throw error
    const blocks = to - from + 1
    pace.items = blocks <= FEW_BLOCKS ? Number.POSITIVE_INFINITY : Math.ceil(blocks / 4)
    if (blocks <= FEW_BLOCKS) return { transfers: [], to: most, refusal: error }
    return fetchList(tick, server, from, most, pace)
  }
}

/** How many blocks the next question is about. Kept for the whole tick. */
export interface Paces {
  readonly lists: Pace
  readonly blocks: Pace
  readonly receipts: Pace
}

export function newPaces(): Paces {
  return {
    lists: { items: Number.POSITIVE_INFINITY },
    blocks: { items: BLOCKS_A_CHUNK },
    receipts: { items: BLOCKS_A_CHUNK / 2 },
  }
}

/**
 * Searches blocks for payments to own addresses, in their order, as many as the budget allows. A block with a fault was read by no server.
 * With `isFinal` each payment comes with its proof, and the lists of both servers count together, so that none can hide a payment.
 */
export async function searchBlocks(
  tick: EthereumTick,
  places: readonly BlockPlace[],
  {
    order,
    lists,
    paces,
    isFinal,
  }: {
    readonly order: readonly EthereumServer[]
    /** Null: the receipts of each block are read. */
    readonly lists: Lists | null
    readonly paces: Paces
    readonly isFinal: boolean
  },
): Promise<{ readonly searched: readonly SearchedBlock[]; readonly headers: readonly Header[] }> {
  const headers: Header[] = []
  const mentioned = new Set([...(lists?.of.values() ?? [])].flat().map(({ blockHash }) => blockHash))
  const isConcerned = ({ header, sent }: EthereumBlock) =>
    lists === null ||
    lists.unlisted.has(header.number) ||
    mentioned.has(header.hash) ||
    sent.some(
      (transaction) => isToReceiver(tick, transaction) || (isFinal && isFromTreasury(tick, transaction)),
    )
  const results = new Map<BlockPlace, SearchedBlock>()
  const concerned = new Map<BlockPlace, EthereumBlock>()
  const unread = await fetchFromServers(
    places,
    order,
    tick.budget,
    paces.blocks,
    (server, part) =>
      fetchBlocks(
        server,
        part.map(({ height }) => height),
      ),
    (place, answer) => {
      const block = readBlock(answer, place.height)
      if (place.hash !== null && block.header.hash !== place.hash)
        throw new ServerFault('sends another block than it was asked for')
      headers.push(block.header)
      if (isConcerned(block)) concerned.set(place, block)
      else results.set(place, { ...place, ...NOTHING_FOUND })
    },
  )
  const transfers: ProvedTransfer[] = []
  const unproved = await fetchFromServers(
    [...concerned.keys()],
    order,
    tick.budget,
    paces.receipts,
    (server, part) =>
      fetchReceipts(
        server,
        part.map((place) => concerned.get(place)?.header.hash ?? ''),
      ),
    (place, receipts) => {
      const block = concerned.get(place)
      if (block === undefined) return
      const found = findIn(tick, block, receipts, isFinal)
      transfers.push(...found.transfers)
      results.set(place, { ...place, ...found, hash: block.header.hash, fault: null })
    },
  )
  for (const [place, fault] of [...unread, ...unproved])
    results.set(place, { ...place, ...NOTHING_FOUND, fault })
  for (const [server, listed] of lists?.of ?? []) compareLists(server, listed, transfers, isFinal)
  // Up to the first one that the budget did not allow.
  const end = places.findIndex((place) => !results.has(place))
  const searched = places.slice(0, end < 0 ? places.length : end).flatMap((place) => results.get(place) ?? [])
  return { searched, headers: headers.toSorted((a, b) => a.number - b.number) }
}

/** Unknown contracts of one transaction that get a row of their own. The last one's row counts the transfers of all others too. */
const MOST_CONTRACTS = 5

const NOTHING_FOUND = { fault: null, sightings: [], unknown: [], treasury: [] } as const

/**
 * Asks one server about places, and the next one about those that it left unanswered or answered with false data. `take` throws a
 * `ServerFault` for these. Returns the places of which every server was asked in vain, with the last reason.
 */
async function fetchFromServers<Answer>(
  places: readonly BlockPlace[],
  order: readonly EthereumServer[],
  budget: CallBudget,
  pace: Pace,
  ask: (server: EthereumServer, part: readonly BlockPlace[]) => Promise<readonly Answer[]>,
  take: (place: BlockPlace, answer: Answer) => void,
): Promise<ReadonlyMap<BlockPlace, string>> {
  const faults = new Map<BlockPlace, string>()
  let waiting = places
  for (const server of order) {
    const failed = new Map<BlockPlace, string>()
    const unanswered = await tryServer(server, () =>
      fetchInParts(
        waiting,
        { budget, pace },
        (part) => ask(server, part),
        (place, answer) => {
          const fault = catchFault(() => take(place, answer))
          if (fault instanceof ServerFault) {
            server.fault ??= fault.message
            failed.set(place, fault.message)
            // Our own fault stays with the block: no other server can help.
          } else if (fault !== null) faults.set(place, OWN_FAULT)
        },
      ),
    )
    if (unanswered === null) return faults
    waiting = [...failed.keys(), ...unanswered.keys()]
    if (server === order.at(-1))
      for (const [place, fault] of [...failed, ...unanswered]) faults.set(place, fault)
  }
  return faults
}

const OWN_FAULT = 'sends what we cannot read'

function catchFault(take: () => void): ServerFault | Error | null {
  try {
    take()
    return null
  } catch (error) {
    if (error instanceof ServerFault) return error
    console.error(JSON.stringify({ level: 'error', chain: 'ethereum', error: getLogMessage(error) }))
    return error instanceof Error ? error : new Error(String(error))
  }
}

/**
 * Compares a server's list with the transfers that the receipts prove. The lists only tell which blocks to look into: a false list
 * neither adds nor hides a payment, and its server is reported. A server may not know all transfers of blocks that are not final yet.
 */
function compareLists(
  server: EthereumServer,
  all: readonly ListedTransfer[],
  proved: readonly ProvedTransfer[],
  isFinal: boolean,
): void {
  const toTransferKey = ({ blockHash, logIndex, contract, to }: ListedTransfer) =>
    `${blockHash} ${logIndex} ${contract} ${to}`
  const hashes = new Set(proved.map(({ blockHash }) => blockHash))
  const listed = all.filter(({ blockHash }) => hashes.has(blockHash))
  const names = new Set(listed.map(toTransferKey))
  const real = new Set(proved.map(toTransferKey))
  if (listed.some((transfer) => !real.has(toTransferKey(transfer))))
    server.fault ??= 'lists transfers that are not in their block'
  if (isFinal && names.size < real.size) server.fault ??= 'does not list all transfers'
}

type BlockTransaction = EthereumBlock['sent'][number]

function isToReceiver({ receivers }: EthereumTick, { to, value }: BlockTransaction): boolean {
  return BigInt(value) > 0n && receivers.has((to ?? '').toLowerCase())
}

function isFromTreasury({ treasuries }: EthereumTick, { from }: BlockTransaction): boolean {
  return treasuries.has((from ?? '').toLowerCase())
}

type BlockPayments = Pick<SearchedBlock, 'sightings' | 'unknown' | 'treasury'> & {
  readonly transfers: readonly ProvedTransfer[]
}

/**
 * The payments in a block, each with its proof against the header. Tries are built once, and each transaction is checked once, so the work
 * grows with the block and not with its square. Throws a `ServerFault` if the receipts are not those of the block.
 */
function findIn(
  tick: EthereumTick,
  block: EthereumBlock,
  receipts: readonly unknown[],
  isFinal: boolean,
): BlockPayments {
  const { receivers, configuration } = tick
  const { header, sent } = block
  const { open, transfers: all } = openReceipts(block, receipts)
  const at = { height: header.number, hash: header.hash }
  const transfers = all.filter(({ to }) => receivers.has(to))
  const transactions = new Map<number, { checked: ProvedTransaction; parts: ProofParts } | null>()
  // Null for a transaction that failed.
  const getTransactionAt = (index: number) => {
    const known = transactions.get(index)
    if (known !== undefined) return known
    const proof = checkAnswer('sends false receipts', () => open.proofOf(index))
    const checked = catchFailedTransaction(() => checkTransaction(proof))
    const shared = `${(checked?.transaction?.hash ?? '').slice(2)}@${header.hash}`
    const opened = checked && { checked, parts: { shared, transaction: JSON.stringify(proof), own: {} } }
    transactions.set(index, opened)
    return opened
  }
  const sightings: SeenPayment[] = []
  const unknown = new Map<string, UnknownReceipt>()
  const contractsOf = new Map<string, string[]>()
  const recordUnknown = (key: string, receipt: UnknownReceipt) => {
    const earlier = unknown.get(key)
    unknown.set(
      key,
      earlier === undefined
        ? receipt
        : { ...earlier, quantity: earlier.quantity + receipt.quantity, transfers: earlier.transfers + 1 },
    )
  }
  const recordSighting = (
    sighting: Omit<SeenPayment, 'block' | 'proof'>,
    parts: ProofParts,
    own: ProofParts['own'],
  ) => {
    const { network, reference, quantity, address, investor } = sighting
    if (parts.transaction.length <= MOST_PROOF)
      sightings.push({ ...sighting, block: at, proof: isFinal ? { ...parts, own } : null })
    else
      recordUnknown(`${parts.shared} ${network}`, {
        ...{ address, investor, reference, quantity, height: header.number },
        ...{ kind: 'oversized', contract: findTokenContract(tick.env, network), transfers: 1 },
      })
  }
  for (const [index, transaction] of sent.entries()) {
    const receiver = receivers.get((transaction.to ?? '').toLowerCase())
    if (receiver === undefined || !isGiven(receiver, header) || BigInt(transaction.value) === 0n) continue
    const opened = getTransactionAt(index)
    const shown =
      opened && catchFailedTransaction(() => readNativePayment(opened.checked, { to: receiver.address }))
    if (!opened || !shown) continue
    const reference = shown.transactionHash.slice(2)
    const { address, investor } = receiver
    recordSighting({ address, investor, network: 'eth', reference, quantity: shown.quantity }, opened.parts, {
      kind: 'ethereum_native',
    })
  }
  for (const { contract, to, transactionIndex, logIndex } of transfers) {
    const receiver = receivers.get(to)
    if (receiver === undefined || !isGiven(receiver, header)) continue
    const opened = getTransactionAt(transactionIndex)
    if (opened === null) continue
    const place = {
      receiptLogIndex: checkAnswer('sends false receipts', () => open.placeOf(transactionIndex, logIndex)),
      logIndex,
    }
    const { address, investor } = receiver
    const shown = catchFailedTransaction(() =>
      readTokenPayment(opened.checked, place, { contract, to: address }),
    )
    if (shown?.transactionHash == null) continue
    const { quantity } = shown
    const transaction = shown.transactionHash.slice(2)
    const reference = `${transaction}:${shown.receiptLogIndex}`
    const network = configuration.tokens[contract]
    if (network !== undefined)
      recordSighting({ address, investor, network, reference, quantity }, opened.parts, {
        kind: 'ethereum_token',
        ...place,
      })
    else {
      const contracts = contractsOf.get(transaction) ?? []
      contractsOf.set(transaction, contracts)
      const isNew = !contracts.includes(contract)
      const isOver = isNew && contracts.length === MOST_CONTRACTS
      if (isNew && !isOver) contracts.push(contract)
      recordUnknown(`${transaction} ${isOver ? contracts.at(-1) : contract}`, {
        // Quantities of different tokens cannot be added.
        ...{ address, investor, reference, quantity: isOver ? 0n : quantity, height: header.number },
        ...{ kind: 'token', contract, transfers: 1 },
      })
    }
  }
  return {
    sightings,
    unknown: [...unknown.values()],
    transfers,
    treasury: isFinal ? findTreasuryTransactions(tick, block, open) : [],
  }
}

/** Clocks of two machines differ. */
const CLOCK_MS = 5 * 60_000

/** Whether the address belonged to its investor when the block was made. Earlier payments are not theirs. */
function isGiven({ givenAt }: OwnAddress, { timestamp }: Header): boolean {
  return timestamp * 1000 >= givenAt - CLOCK_MS
}

/** Null if the transaction failed or moved no amount: then there is no payment. */
function catchFailedTransaction<T>(check: () => T): T | null {
  try {
    return check()
  } catch (error) {
    if (
      error instanceof ChainError &&
      ['transaction_failed', 'no_quantity', 'not_a_transfer'].includes(error.code)
    )
      return null
    if (error instanceof ChainError) throw new ServerFault(`sends false receipts (${error.code})`)
    throw error
  }
}

/** A transaction that a treasury sent. */
export interface TreasuryTransaction {
  readonly wallet: string
  readonly nonce: number
  readonly txid: string
  readonly payload: string
  readonly height: number
  readonly hash: string
  readonly succeeded: 0 | 1
}

/**
 * The treasuries' transactions in a block. The server names the sender, and the signature proves it. They matter because a payout whose
 * nonce another transaction used can never be mined.
 */
function findTreasuryTransactions(
  { treasuries }: EthereumTick,
  { header, transactions, sent }: EthereumBlock,
  open: OpenBlock,
): TreasuryTransaction[] {
  return sent.flatMap(({ from, hash, nonce }, index) => {
    const wallet = treasuries.get((from ?? '').toLowerCase())
    if (wallet === undefined) return []
    const payload = getSignedPayload(transactions[index], from ?? '')
    if (payload === null) return []
    const proof = checkAnswer('sends false receipts', () => open.proofOf(index))
    const hasSucceeded = catchFailedTransaction(() => checkTransaction(proof)) !== null
    return [
      {
        wallet,
        nonce: Number(nonce),
        txid: hash.slice(2).toLowerCase(),
        payload,
        height: header.number,
        hash: header.hash,
        succeeded: hasSucceeded ? 1 : 0,
      },
    ]
  })
}

/** Records the treasuries' transactions. */
export function recordTreasury(transactions: readonly TreasuryTransaction[]): Statement[] {
  return splitIntoJsonParts(transactions).map(
    (part) => sql`
      INSERT INTO treasury_transactions (wallet, nonce, txid, payload, height, block_hash, succeeded)
      SELECT r.value ->> 'wallet', r.value ->> 'nonce', r.value ->> 'txid', r.value ->> 'payload', r.value ->> 'height',
             r.value ->> 'hash', r.value ->> 'succeeded'
      FROM json_each(${part}) r WHERE true
      ON CONFLICT (wallet, nonce) DO NOTHING`,
  )
}

/** The payload that the sender signed. Null if the signature is not the sender's. */
function getSignedPayload(transaction: unknown, from: string): string | null {
  try {
    const { sender, payload } = deriveSignedPayload(encodeTransaction(transaction))
    return sender.toLowerCase() === from.toLowerCase() ? payload : null
  } catch (error) {
    if (error instanceof ChainError) return null
    throw error
  }
}
