import { sql } from 'drizzle-orm'
import { parseHeader } from '../../../src/chain/bitcoin/header.ts'
import { computeRootOfPath } from '../../../src/chain/bitcoin/merkle.ts'
import { ChainError } from '../../../src/chain/chainError.ts'
import { CONFIRMATIONS_NEEDED } from '../../../src/contract/money/payments.ts'
import { buildQuery, type Database, readTogether, runBatch } from '../../lib/database.ts'
import type { Env } from '../../lib/env.ts'
import { getBitcoinConfiguration } from '../servers/configuration.ts'
import { type CallBudget, ServerFault } from '../servers/server.ts'
import { type BlockPath, createPayoutEsplora, type PayoutEsplora } from './bitcoinServer.ts'
import { sendBitcoin } from './broadcast.ts'
import { completePayout } from './complete.ts'
import { endReplacedPayouts } from './replacedPayouts.ts'

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
  const [gone] = await readTogether(
    db,
    buildQuery<{ id: string }>(
      sql`SELECT id FROM payouts WHERE state = 'confirmed' AND problem IS NULL AND ${left}`,
    ),
  )
  for (const { id } of gone)
    console.error(JSON.stringify({ level: 'alarm', payout: id, problem: 'A confirmed payout is gone.' }))
  await runBatch(db, [
    sql`UPDATE payouts SET version = NULL, height = NULL, block_hash = NULL, checked_at = 0 WHERE state = 'released' AND ${left}`,
    sql`UPDATE payouts SET problem = 'gone' WHERE state = 'confirmed' AND problem IS NULL AND ${left}`,
    // Its former block may be in our chain again.
    sql`
      UPDATE payouts SET problem = NULL
      WHERE chain = 'bitcoin' AND state = 'confirmed' AND problem = 'gone' AND EXISTS (
        SELECT 1 FROM bitcoin_headers h WHERE h.height = payouts.height AND h.hash = payouts.block_hash)`,
  ])
}

interface DeepPayout {
  readonly id: string
  readonly version: number
  readonly txid: string
  readonly height: number
  readonly hash: string
  readonly fee: number
}

/** Completes payouts that are as deep as a deposit must be, while both servers answer and are as far. */
async function settleDeepPayouts(env: Env, db: Database, nowMs: number): Promise<void> {
  const [deep] = await readTogether(
    db,
    buildQuery<DeepPayout>(sql`
      SELECT p.id, p.version, t.txid, p.height, p.block_hash AS hash, t.fee
      FROM payouts p JOIN payout_transactions t ON t.payout = p.id AND t.version = p.version
        JOIN bitcoin_headers h ON h.height = p.height AND h.hash = p.block_hash
      WHERE p.chain = 'bitcoin' AND p.state = 'released'
        AND NOT EXISTS (SELECT 1 FROM chain_servers WHERE chain = 'bitcoin' AND (failing_since IS NOT NULL OR height IS NULL))
        AND p.height <= (SELECT max(height) FROM bitcoin_headers) - ${NEEDED - 1}
        AND p.height <= (SELECT min(height) FROM chain_servers WHERE chain = 'bitcoin') - ${NEEDED - 1}
      ORDER BY p.seq LIMIT ${MOST}`),
  )
  for (const { fee, ...payout } of deep)
    await completePayout(env, db, { ...payout, chain: 'bitcoin', fee: BigInt(fee) }, nowMs)
}

interface WaitingPayout {
  readonly id: string
  readonly state: 'released' | 'confirmed'
  /** JSON: the signed versions, newest first; of a confirmed payout the mined one. */
  readonly versions: string
}

interface SentVersion {
  readonly version: number
  readonly txid: string
  readonly signed: string
}

/** Released payouts that are in no block, and confirmed ones whose block is gone, the one that was looked at longest ago first. */
async function readWaiting(db: Database): Promise<WaitingPayout[]> {
  const [rows] = await readTogether(
    db,
    buildQuery<WaitingPayout>(sql`
      SELECT p.id, p.state, (
        SELECT json_group_array(json_object('version', version, 'txid', txid, 'signed', signed)) FROM (
          SELECT version, txid, signed FROM payout_transactions
          WHERE payout = p.id AND txid IS NOT NULL AND (p.state = 'released' OR version = p.version) ORDER BY version DESC)
      ) AS versions
      FROM payouts p WHERE p.chain = 'bitcoin' AND (
        (p.state = 'released' AND p.height IS NULL) OR (p.state = 'confirmed' AND p.problem = 'gone'))
      ORDER BY p.checked_at, p.seq LIMIT ${MOST}`),
  )
  return rows
}

async function follow(
  db: Database,
  { id, state, versions: json }: WaitingPayout,
  servers: readonly PayoutEsplora[],
  budget: CallBudget,
  nowMs: number,
): Promise<void> {
  const versions = JSON.parse(json) as SentVersion[]
  const [newest, ...older] = versions
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
      const hash = await findBlockHash(db, version.txid, path)
      if (hash === null) continue
      return runBatch(db, [
        sql`
          UPDATE payouts SET version = ${version.version}, height = ${path.block_height}, block_hash = ${hash},
            checked_at = ${nowMs}, problem = NULL
          WHERE id = ${id} AND state = ${state}`,
      ])
    }
  }
  for (const server of lacking) if (budget.has(2) && (await sendBitcoin(server, newest))) isKnown = true
  await runBatch(db, [
    sql`
      UPDATE payouts SET checked_at = ${nowMs},
        problem = CASE state WHEN 'released' THEN ${isKnown ? null : 'not_accepted'} ELSE problem END
      WHERE id = ${id} AND state = ${state}`,
  ])
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
  const [[block]] = await readTogether(
    db,
    buildQuery<{ hash: string; header: string }>(
      sql`SELECT hash, header FROM bitcoin_headers WHERE height = ${block_height}`,
    ),
  )
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
