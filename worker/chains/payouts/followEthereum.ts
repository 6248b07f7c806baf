import { eq, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import {
  type MinedTransaction,
  verifyMinedTransaction,
} from '../../../src/chain/ethereum/minedTransaction.ts'
import type { PayoutOrder } from '../../../src/chain/ethereum/payout.ts'
import { TRANSFER } from '../../../src/chain/ethereum/proof.ts'
import { toHex } from '../../../src/contract/bytes.ts'
import {
  type Database,
  parseStored,
  type RowOf,
  readTogether,
  runBatch,
  selectRows,
} from '../../lib/database.ts'
import type { Env } from '../../lib/env.ts'
import { ethereumPositions } from '../../lib/tables/payments.ts'
import { payouts } from '../../lib/tables/payouts.ts'
import {
  connectEthereum,
  type EthereumBlock,
  type EthereumServer,
  fetchBlocks,
  fetchHeader,
  fetchReceipts,
  readBlock,
} from '../follow/ethereumBlocks.ts'
import { getEthereumConfiguration } from '../servers/configuration.ts'
import { type CallBudget, checkAnswer, ServerFault } from '../servers/server.ts'
import { sendEthereum } from './broadcast.ts'
import { decodeEthereumOrder } from './buildEthereum.ts'
import { completePayout, failPayout, type MinedPayout } from './complete.ts'
import { endReplacedPayouts } from './replacedPayouts.ts'
import { updatePayout } from './statements.ts'

/** Payouts that one run looks at. */
const MOST = 10
/** Calls that settle a payout in a finalised block: the block's hash from both servers, the block, and its receipts. */
const CALLS_TO_SETTLE = 4
const GWEI = 1_000_000_000n

/** A signed version of a payout, in a JSON list of `readReleased`. */
const sentVersion = z.object({
  version: z.number(),
  txid: z.string(),
  signed: z.string(),
  details: z.string(),
  /** The most that it can cost, in gwei. */
  fee: z.number(),
})
type SentVersion = z.output<typeof sentVersion>

/** Released payouts. The first one has waited longest for a look. */
function readReleased() {
  return selectRows({
    id: payouts.id,
    state: payouts.state,
    /** The signed versions, newest first. */
    versions: sql<string>`(
      SELECT json_group_array(json_object(
        'version', version, 'txid', txid, 'signed', signed, 'details', details, 'fee', fee)) FROM (
        SELECT * FROM payout_transactions WHERE payout = payouts.id AND txid IS NOT NULL ORDER BY version DESC))`,
  })
    .from(payouts)
    .where(sql`chain = 'ethereum' AND state = 'released'`)
    .orderBy(payouts.checkedAt, payouts.seq)
    .limit(MOST)
}

/**
 * Follows released payouts on Ethereum. A server names the block of a transaction. Once it is finalised and both servers agree on its
 * hash, the whole block with its receipts is checked against its header. That shows whether the transaction succeeded, and its fee.
 */
export async function followEthereumPayouts(
  env: Env,
  db: Database,
  budget: CallBudget,
  nowMs: number,
): Promise<void> {
  const configuration = getEthereumConfiguration(env)
  if (configuration === null) return
  await endReplacedPayouts(db, 'ethereum', nowMs)
  const servers = connectEthereum(configuration, budget)
  const [waiting, [position]] = await readTogether(
    db,
    readReleased(),
    selectRows({ height: ethereumPositions.height })
      .from(ethereumPositions)
      .where(eq(ethereumPositions.name, 'finalised')),
  )
  for (const [at, payout] of waiting.entries()) {
    if (!budget.has(servers.length + 1)) return
    // In turns, so that a server that fails or lies delays a payout and does not stop it.
    const order = (at + Math.floor(nowMs / 60_000)) % 2 === 0 ? servers : servers.toReversed()
    try {
      await follow({ env, db, budget, nowMs }, payout, order, position?.height ?? 0)
    } catch (error) {
      if (!(error instanceof ServerFault)) throw error
      await db.update(payouts).set({ checkedAt: nowMs }).where(eq(payouts.id, payout.id))
    }
  }
}

interface Run {
  readonly env: Env
  readonly db: Database
  readonly budget: CallBudget
  readonly nowMs: number
}

async function follow(
  run: Run,
  payout: RowOf<typeof readReleased>,
  servers: readonly EthereumServer[],
  finalised: number,
): Promise<void> {
  const { db, budget, nowMs } = run
  const versions = parseStored(z.array(sentVersion), payout.versions)
  const [first] = servers
  const [newest] = versions
  if (first === undefined || newest === undefined) return
  const mined = await findMined(first, versions)
  if (mined === null) {
    let isKnown = false
    for (const { client } of servers)
      if (budget.has(2) && (await sendEthereum(client, newest))) isKnown = true
    const problem = isKnown ? null : 'not_accepted'
    const waiting = { version: null, height: null, blockHash: null, checkedAt: nowMs, problem } as const
    return runBatch(db, [updatePayout(db, payout, waiting)])
  }
  const { version, height, hash: blockHash } = mined
  if (height <= finalised && budget.has(CALLS_TO_SETTLE)) return settle(run, payout, mined, servers)
  const block = { version: version.version, height, blockHash }
  return runBatch(db, [updatePayout(db, payout, { ...block, checkedAt: nowMs, problem: null })])
}

interface MinedVersion {
  readonly version: SentVersion
  readonly height: number
  readonly hash: string
}

/** The version that one server says is in a block. One call. */
async function findMined(
  { client }: EthereumServer,
  versions: readonly SentVersion[],
): Promise<MinedVersion | null> {
  const receipts = await client.ask(
    versions.map(({ txid }) => ({ method: 'eth_getTransactionReceipt', params: [`0x${txid}`] })),
  )
  for (const [i, version] of versions.entries()) {
    const { blockNumber, blockHash } = (receipts[i] ?? {}) as { blockNumber?: unknown; blockHash?: unknown }
    if (typeof blockNumber !== 'string' || typeof blockHash !== 'string') continue
    if (!/^0x[0-9a-f]{1,12}$/i.test(blockNumber) || !/^0x[0-9a-f]{64}$/i.test(blockHash))
      throw new ServerFault('answers in another form than JSON-RPC')
    return { version, height: Number(blockNumber), hash: blockHash.toLowerCase() }
  }
  return null
}

/** Ends a payout whose block is finalised: completed if the transaction paid, failed if it did not. */
async function settle(
  { env, db, nowMs }: Run,
  released: RowOf<typeof readReleased>,
  { version, height }: MinedVersion,
  servers: readonly EthereumServer[],
): Promise<void> {
  const hashes = new Set<string>()
  for (const server of servers) hashes.add((await fetchHeader(server, height)).hash)
  const [hash] = hashes
  const [server] = servers
  if (hashes.size !== 1 || hash === undefined || server === undefined)
    throw new ServerFault('disagrees with the other server about a finalised block')
  const [answer] = await fetchBlocks(server, [height])
  const block = readBlock(answer, height)
  const [receipts] = await fetchReceipts(server, [hash])
  if (block.header.hash !== hash) throw new ServerFault('sends another block than it was asked for')
  const result = checkMinedTransaction(block, receipts ?? [], version.txid)
  const gwei = (result.fee + GWEI - 1n) / GWEI
  const most = BigInt(version.fee)
  const payout: MinedPayout = {
    id: released.id,
    chain: 'ethereum',
    version: version.version,
    txid: version.txid,
    height,
    hash,
    fee: gwei < most ? gwei : most,
  }
  const order = decodeEthereumOrder(version.details)
  if (!result.succeeded) return failPayout(db, payout, nowMs)
  if (hasPaid(result, order)) return completePayout(env, db, payout, nowMs)
  console.error(
    JSON.stringify({
      level: 'alarm',
      payout: payout.id,
      problem: 'A payout succeeded without its transfer.',
    }),
  )
  return runBatch(db, [updatePayout(db, released, { checkedAt: nowMs, problem: 'unclear' })])
}

function checkMinedTransaction(
  { header, transactions }: EthereumBlock,
  receipts: readonly unknown[],
  txid: string,
): MinedTransaction {
  return checkAnswer('sends false receipts', () =>
    verifyMinedTransaction({ header, transactions, receipts }, `0x${txid}`),
  )
}

/** Whether a transaction that succeeded made the approved payment. Ether moves with it; a token's contract writes an event. */
function hasPaid({ logs }: MinedTransaction, { asset, from, to, quantity }: PayoutOrder): boolean {
  if (asset === 'ether') return true
  return logs.some(
    ({ address, topics, data }) =>
      address === asset.contract.toLowerCase() &&
      topics.length === 3 &&
      topics[0] === TRANSFER &&
      topics[1] === encodeTopic(from) &&
      topics[2] === encodeTopic(to) &&
      BigInt(`0x${toHex(data) || '0'}`) === quantity,
  )
}

function encodeTopic(address: string): string {
  return `0x${address.slice(2).toLowerCase().padStart(64, '0')}`
}
