import { and, eq, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { parseHeader } from '../../../src/chain/bitcoin/header.ts'
import { computeRootOfPath } from '../../../src/chain/bitcoin/merkle.ts'
import { ChainError } from '../../../src/chain/chainError.ts'
import { CONFIRMATIONS_NEEDED } from '../../../src/contract/money/payments.ts'
import { type Database, parseStored, runBatch } from '../../lib/database.ts'
import type { Env } from '../../lib/env.ts'
import { bitcoinHeaders } from '../../lib/tables/payments.ts'
import { payouts, payoutTransactions } from '../../lib/tables/payouts.ts'
import { getBitcoinConfiguration } from '../servers/configuration.ts'
import { type CallBudget, ServerFault } from '../servers/server.ts'
import { type BlockPath, createPayoutEsplora, type PayoutEsplora } from './bitcoinServer.ts'
import { sendBitcoin } from './broadcast.ts'
import { completePayout } from './complete.ts'
import { endReplacedPayouts } from './replacedPayouts.ts'
import { updatePayout } from './statements.ts'

const NEEDED = CONFIRMATIONS_NEEDED.bitcoin
/** Payouts that one run looks at. */
const MOST = 20
/** Asks both servers about a payout, and sends it to one that does not know it. */
const CALLS_TO_FOLLOW = 4
/** A confirmed payout may still lose its block for so many blocks. Deeper payouts are not compared any more. */
const WATCHED = 144

/**
 * Follows released payouts on Bitcoin. Where a transaction is mined, and how deep, our own headers say. Servers only name the block and
 * the Merkle path, which are checked.
 */
export async function followBitcoinPayouts(
  env: Env,
  db: Database,
  budget: CallBudget,
  nowMs: number,
): Promise<void> {
  const configuration = getBitcoinConfiguration(env)
  if (configuration === null) return
  await leaveBlocks(db)
  await settleDeepPayouts(env, db, nowMs)
  await endReplacedPayouts(db, 'bitcoin', nowMs)
  const servers = configuration.servers.map((server) => createPayoutEsplora(server, budget))
  for (const payout of await readWaiting(db)) {
    // The remaining calls would not be enough to send it, and the same payout would always come last.
    if (!budget.has(CALLS_TO_FOLLOW)) return
    await follow(db, payout, servers, budget, nowMs)
  }
}

/** Payouts whose block left our chain. An open one waits for a block again; a confirmed one raises the alarm. */
async function leaveBlocks(db: Database): Promise<void> {
  const left = sql`
    chain = 'bitcoin' AND height >= (SELECT max(min(height), max(height) - ${WATCHED}) FROM bitcoin_headers)
    AND height <= (SELECT max(height) FROM bitcoin_headers) AND NOT EXISTS (
      SELECT 1 FROM bitcoin_headers h WHERE h.height = payouts.height AND h.hash = payouts.block_hash)`
  const isGone = sql`state = 'confirmed' AND problem IS NULL AND ${left}`
  const gone = await db.select({ id: payouts.id }).from(payouts).where(isGone)
  for (const { id } of gone)
    console.error(JSON.stringify({ level: 'alarm', payout: id, problem: 'A confirmed payout is gone.' }))
  await runBatch(db, [
    db
      .update(payouts)
      .set({ version: null, height: null, blockHash: null, checkedAt: 0 })
      .where(sql`state = 'released' AND ${left}`),
    db.update(payouts).set({ problem: 'gone' }).where(isGone),
    // Its former block may be in our chain again.
    db
      .update(payouts)
      .set({ problem: null })
      .where(sql`chain = 'bitcoin' AND state = 'confirmed' AND problem = 'gone' AND EXISTS (
        SELECT 1 FROM bitcoin_headers h WHERE h.height = payouts.height AND h.hash = payouts.block_hash)`),
  ])
}

/** Completes payouts that are as deep as a deposit must be, while both servers answer and are as far. */
async function settleDeepPayouts(env: Env, db: Database, nowMs: number): Promise<void> {
  const { payout, version, txid, fee } = payoutTransactions
  const { height, hash } = bitcoinHeaders
  const deep = await db
    .select({ id: payouts.id, version, txid: sql<string>`${txid}`, height, hash, fee })
    .from(payouts)
    .innerJoin(payoutTransactions, and(eq(payout, payouts.id), eq(version, payouts.version)))
    .innerJoin(bitcoinHeaders, and(eq(height, payouts.height), eq(hash, payouts.blockHash)))
    .where(sql`${payouts.chain} = 'bitcoin' AND ${payouts.state} = 'released'
      AND NOT EXISTS (SELECT 1 FROM chain_servers WHERE chain = 'bitcoin' AND (failing_since IS NOT NULL OR height IS NULL))
      AND ${payouts.height} <= (SELECT max(height) FROM bitcoin_headers) - ${NEEDED - 1}
      AND ${payouts.height} <= (SELECT min(height) FROM chain_servers WHERE chain = 'bitcoin') - ${NEEDED - 1}`)
    .orderBy(payouts.seq)
    .limit(MOST)
  for (const { fee, ...payout } of deep)
    await completePayout(env, db, { ...payout, chain: 'bitcoin', fee: BigInt(fee) }, nowMs)
}

/** A signed version of a payout, in a JSON list of `readWaiting`. */
const sentVersion = z.object({ version: z.number(), txid: z.string(), signed: z.string() })
type SentVersion = z.output<typeof sentVersion>

/** Released payouts that are in no block, and confirmed ones whose block is gone, the one that was looked at longest ago first. */
async function readWaiting(db: Database) {
  return await db
    .select({
      id: payouts.id,
      state: payouts.state,
      /** The signed versions, newest first; of a confirmed payout the mined one. */
      versions: sql<string>`(
        SELECT json_group_array(json_object('version', version, 'txid', txid, 'signed', signed)) FROM (
          SELECT version, txid, signed FROM payout_transactions WHERE payout = payouts.id AND txid IS NOT NULL
            AND (payouts.state = 'released' OR version = payouts.version) ORDER BY version DESC))`,
    })
    .from(payouts)
    .where(sql`chain = 'bitcoin' AND (
      (state = 'released' AND height IS NULL) OR (state = 'confirmed' AND problem = 'gone'))`)
    .orderBy(payouts.checkedAt, payouts.seq)
    .limit(MOST)
}

async function follow(
  db: Database,
  { versions, ...payout }: Awaited<ReturnType<typeof readWaiting>>[number],
  servers: readonly PayoutEsplora[],
  budget: CallBudget,
  nowMs: number,
): Promise<void> {
  const [newest, ...older] = parseStored(z.array(sentVersion), versions)
  if (newest === undefined) return
  let isKnown = false
  let isMined = false
  const lacking: PayoutEsplora[] = []
  for (const server of servers) {
    const status = await catchServerFault(() => server.statusOf(newest.txid))
    if (status === null) lacking.push(server)
    else if (status !== undefined) isKnown = true
    if (status?.isConfirmed) isMined = true
  }
  // An earlier version may be mined, and then no server takes the newest one. So it is looked for before anything is sent.
  const [sought, asked] = isMined ? [[newest], servers] : pickEarlierVersions(older, servers, budget, nowMs)
  for (const version of sought) {
    for (const server of asked) {
      if (!budget.has(1)) break
      const path = await catchServerFault(() => server.merkleProof(version.txid))
      if (!path) continue
      const blockHash = await findBlockHash(db, version.txid, path)
      if (blockHash === null) continue
      const block = { version: version.version, height: path.block_height, blockHash }
      return runBatch(db, [updatePayout(db, payout, { ...block, checkedAt: nowMs, problem: null })])
    }
  }
  for (const server of lacking) if (budget.has(2) && (await sendBitcoin(server, newest))) isKnown = true
  const problem = isKnown ? null : ('not_accepted' as const)
  const changes = { checkedAt: nowMs, ...(payout.state === 'released' && { problem }) }
  await runBatch(db, [updatePayout(db, payout, changes)])
}

/** Calls that stay to send the newest version to a server. */
const CALLS_TO_SEND = 2

/** Earlier versions to look for at one server, as many as the calls allow. Versions and servers take turns. */
function pickEarlierVersions(
  older: readonly SentVersion[],
  servers: readonly PayoutEsplora[],
  budget: CallBudget,
  nowMs: number,
): readonly [readonly SentVersion[], readonly PayoutEsplora[]] {
  // The chains take turns each minute, so the servers do every second one.
  const turn = Math.floor(nowMs / 120_000)
  const first = older.length === 0 ? 0 : Math.floor(turn / servers.length) % older.length
  const next = [...older.slice(first), ...older.slice(0, first)]
  const at = turn % servers.length
  return [next.slice(0, Math.max(1, budget.left - CALLS_TO_SEND)), servers.slice(at, at + 1)]
}

/** The hash of the block in our chain that contains the transaction; null if the path does not lead to its Merkle root. */
async function findBlockHash(
  db: Database,
  txid: string,
  { block_height, pos, merkle }: BlockPath,
): Promise<string | null> {
  const [block] = await db.select().from(bitcoinHeaders).where(eq(bitcoinHeaders.height, block_height))
  if (block === undefined) return null
  try {
    return computeRootOfPath(txid, pos, merkle) === parseHeader(block.header).merkleRoot ? block.hash : null
  } catch (error) {
    if (error instanceof ChainError) return null
    throw error
  }
}

/** Undefined if the server has a fault: the next run asks again. */
async function catchServerFault<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof ServerFault)) throw error
    return undefined
  }
}
