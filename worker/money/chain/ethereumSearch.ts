import { sql } from 'drizzle-orm'
import { ChainError } from '../../../src/chain/chainError.ts'
import type { Header } from '../../../src/chain/ethereum/header.ts'
import { minedTransaction } from '../../../src/chain/ethereum/mined.ts'
import {
  checkNativePayment,
  checkTokenPayment,
  proveNative,
  proveToken,
} from '../../../src/chain/ethereum/proof.ts'
import { signedOf } from '../../../src/chain/ethereum/sender.ts'
import { encodeTransaction } from '../../../src/chain/ethereum/transaction.ts'
import { newId } from '../../lib/crypto/tokens.ts'
import type { Statement } from '../../lib/database.ts'
import { unknownReceipts } from '../../lib/tables/payments.ts'
import type { EthereumTick, OwnAddress } from './ethereum.ts'
import {
  asFault,
  askBlocks,
  askReceipts,
  askTransfers,
  callsFor,
  type EthereumBlock,
  type EthereumServer,
  type ListedTransfer,
  type ProvedTransfer,
  transfersIn,
} from './ethereumBlocks.ts'
import type { Receiver, Sighting } from './record.ts'
import { ServerFault } from './server.ts'
import { noting } from './servers.ts'

/** What blocks contain of ours. */
export interface Found {
  readonly blocks: readonly EthereumBlock[]
  readonly sightings: readonly Sighting[]
  /** Statements about tokens that are not taken, and about transactions of the treasuries. */
  readonly others: readonly Statement[]
}

/**
 * Searches blocks for payments to own addresses. Null if no server answers, or the budget is used up. With `isFinal` the transfers of both
 * servers count together, so that one of them cannot hide a payment, and each payment comes with its proof.
 */
export async function searchBlocks(
  tick: EthereumTick,
  from: number,
  to: number,
  isFinal: boolean,
): Promise<Found | null> {
  const { budget, configuration, receivers, treasuries } = tick
  const servers = tick.servers.filter(({ fault, newest }) => fault === null && (newest?.number ?? 0) >= to)
  // In turns, so that each server is used.
  const order = from % 2 === 0 ? servers : servers.toReversed()
  const [first] = order
  if (first === undefined || (isFinal && servers.length < 2)) return null
  if (!budget.has(callsFor(to - from + 1) + (isFinal ? 2 : 1) + 1)) return null
  const blocks = await noting(first, () => askBlocks(first, from, to))
  if (blocks === null || !isLinked(first, blocks)) return null
  const wanted = { addresses: [...receivers.keys()], tokens: Object.keys(configuration.tokens) }
  const lists = new Map<EthereumServer, readonly ListedTransfer[]>()
  for (const server of isFinal ? order : [first]) {
    const listed = await noting(server, () => askTransfers(server, { from, to }, wanted))
    if (listed === null) return null
    lists.set(
      server,
      listed.filter((each) => receivers.has(each.to)),
    )
  }
  const mentioned = new Set([...lists.values()].flat().map(({ blockHash }) => blockHash))
  const concerned = blocks.filter(
    ({ header, sent }) =>
      sent.some(
        ({ from: sender, to: receiver, value }) =>
          (BigInt(value) > 0n && receivers.has((receiver ?? '').toLowerCase())) ||
          (isFinal && treasuries.has((sender ?? '').toLowerCase())),
      ) || mentioned.has(header.hash),
  )
  const receipts = await noting(first, () =>
    askReceipts(
      first,
      concerned.map(({ header }) => header.hash),
    ),
  )
  if (receipts === null) return null
  const results = await noting(first, async () =>
    concerned.map((block, i) => ({
      ...paymentsIn(tick, block, receipts[i] ?? []),
      treasury: isFinal ? treasuryIn(tick, block, receipts[i] ?? []) : [],
    })),
  )
  if (results === null) return null
  const transfers = results.flatMap((result) => result.transfers)
  for (const [server, listed] of lists) compareLists(server, listed, transfers, isFinal)
  return {
    blocks,
    sightings: results.flatMap(({ sightings }) => sightings),
    others: results.flatMap(({ unknown, treasury }) => [...unknown, ...treasury]),
  }
}

function isLinked(server: EthereumServer, blocks: readonly EthereumBlock[]): boolean {
  const isChain = blocks.every(({ header }, i) => i === 0 || header.parentHash === blocks[i - 1]?.header.hash)
  if (!isChain) server.fault ??= 'sends blocks that do not follow each other'
  return isChain
}

/**
 * What a server lists beside what the receipts prove. The lists only tell which blocks to look into: a server that lists something else
 * neither adds nor hides a payment, and is reported. Of blocks that are not final a server may not know all yet.
 */
function compareLists(
  server: EthereumServer,
  listed: readonly ListedTransfer[],
  proved: readonly ProvedTransfer[],
  isFinal: boolean,
): void {
  const nameOf = ({ blockHash, logIndex, contract, to }: ListedTransfer) =>
    `${blockHash} ${logIndex} ${contract} ${to}`
  const names = new Set(listed.map(nameOf))
  const real = new Set(proved.map(nameOf))
  const hashes = new Set(proved.map(({ blockHash }) => blockHash))
  if (listed.some((each) => hashes.has(each.blockHash) && !real.has(nameOf(each))))
    server.fault ??= 'lists transfers that are not in their block'
  if (isFinal && names.size < real.size) server.fault ??= 'does not list all transfers'
}

/** The payments in a block, each with its proof against the header. Throws a `ServerFault` if the receipts are not those of the block. */
function paymentsIn(
  tick: EthereumTick,
  { header, transactions, sent }: EthereumBlock,
  receipts: readonly unknown[],
): { sightings: Sighting[]; unknown: Statement[]; transfers: ProvedTransfer[] } {
  const { receivers, configuration } = tick
  const block = { height: header.number, hash: header.hash }
  const sightings: Sighting[] = []
  const unknown: Statement[] = []
  for (const [transactionIndex, { to, value }] of sent.entries()) {
    const receiver = receivers.get((to ?? '').toLowerCase())
    if (receiver === undefined || !isGiven(receiver, header) || BigInt(value) === 0n) continue
    const proof = asFault('sends false receipts', () =>
      proveNative({ header, receipts, transactions, transactionIndex }),
    )
    const shown = orFailed(() => checkNativePayment(proof, { to: receiver.address }))
    if (shown === null) continue
    const reference = shown.transactionHash.slice(2)
    sightings.push({
      ...receiver,
      network: 'eth',
      reference,
      quantity: shown.quantity,
      block,
      proof: JSON.stringify(proof),
    })
  }
  const transfers = transfersIn(header, receipts).filter(({ to }) => receivers.has(to))
  for (const { contract, to, transactionIndex, logIndex } of transfers) {
    const receiver = receivers.get(to)
    if (receiver === undefined || !isGiven(receiver, header)) continue
    const proof = asFault('sends false receipts', () =>
      proveToken({ header, receipts, transactions, transactionIndex, logIndex }),
    )
    const shown = orFailed(() => checkTokenPayment(proof, { contract, to: receiver.address }))
    if (shown?.transactionHash == null) continue
    const reference = `${shown.transactionHash.slice(2)}:${shown.receiptLogIndex}`
    const network = configuration.tokens[contract]
    if (network !== undefined)
      sightings.push({
        ...receiver,
        network,
        reference,
        quantity: shown.quantity,
        block,
        proof: JSON.stringify(proof),
      })
    else
      unknown.push(
        unknownReceipt(tick, receiver, {
          reference,
          kind: 'token',
          contract,
          quantity: shown.quantity,
          height: header.number,
        }),
      )
  }
  return { sightings, unknown, transfers }
}

/** Clocks of two machines differ. */
const CLOCK_MS = 5 * 60_000

/** Whether the address was its investor's when the block was made. Nothing that arrived before is theirs. */
function isGiven({ givenAt }: OwnAddress, { timestamp }: Header): boolean {
  return timestamp * 1000 >= givenAt - CLOCK_MS
}

/** Null if the transaction failed or moved nothing: then there is no payment. */
function orFailed<T>(check: () => T): T | null {
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

interface Unknown {
  readonly reference: string
  readonly kind: 'token' | 'internal'
  readonly contract: string | null
  readonly quantity: bigint
  readonly height: number
}

export function unknownReceipt(
  { db, nowMs }: EthereumTick,
  { address, investor }: Receiver,
  { quantity, ...receipt }: Unknown,
): Statement {
  return db
    .insert(unknownReceipts)
    .values({
      ...receipt,
      id: newId(),
      chain: 'ethereum',
      address,
      investor,
      quantity: quantity.toString(),
      seenAt: nowMs,
    })
    .onConflictDoNothing({ target: [unknownReceipts.chain, unknownReceipts.reference] })
}

/**
 * Records what the treasuries sent in a block. The server names the sender, and the signature shows it: a payout whose nonce another
 * transaction used can never be mined.
 */
function treasuryIn(
  { treasuries }: EthereumTick,
  { header, transactions, sent }: EthereumBlock,
  receipts: readonly unknown[],
): Statement[] {
  return sent.flatMap(({ from, hash }, at) => {
    const wallet = treasuries.get((from ?? '').toLowerCase())
    if (wallet === undefined) return []
    const signed = signedByTreasury(transactions[at], from ?? '')
    if (signed === null) return []
    const { succeeded } = asFault('sends false receipts', () =>
      minedTransaction({ header, transactions, receipts }, hash.toLowerCase()),
    )
    return [
      sql`
        INSERT INTO treasury_transactions (wallet, nonce, txid, payload, height, block_hash, succeeded)
        VALUES (${wallet}, ${Number(sent[at]?.nonce)}, ${hash.slice(2).toLowerCase()}, ${signed}, ${header.number}, ${header.hash},
                ${succeeded ? 1 : 0})
        ON CONFLICT (wallet, nonce) DO NOTHING`,
    ]
  })
}

/** What the sender signed. Null if the signature is of somebody else. */
function signedByTreasury(transaction: unknown, from: string): string | null {
  try {
    const { sender, payload } = signedOf(encodeTransaction(transaction))
    return sender.toLowerCase() === from.toLowerCase() ? payload : null
  } catch (error) {
    if (error instanceof ChainError) return null
    throw error
  }
}
