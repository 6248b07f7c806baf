import { desc, sql } from 'drizzle-orm'
import { listHashes, pickBranch, type RecentChain } from '../../../src/chain/bitcoin/branches.ts'
import { parseHeader } from '../../../src/chain/bitcoin/header.ts'
import {
  type ChainState,
  extendChain,
  getBuiltInStart,
  startAtCheckpoint,
} from '../../../src/chain/bitcoin/headerChain.ts'
import { getBitcoinNetwork } from '../../../src/chain/bitcoin/network.ts'
import { type Database, runBatch, type Statement } from '../../lib/database.ts'
import { bitcoinHeaders } from '../../lib/tables/payments.ts'
import type { BitcoinConfiguration } from '../servers/configuration.ts'
import type { Esplora, ListedBlock } from '../servers/esplora.ts'
import { type CallBudget, checkAnswer, ServerFault } from '../servers/server.ts'
import { type ServerState, tryServer } from '../servers/servers.ts'
import { leaveBlocks } from './record.ts'

/** A reorganisation deeper than this needs an operator. */
const RECENT = 144
/** Before them, the times that the next header's time is compared with. */
const TIMES = 11
/** Calls that fill a gap between our headers and a server's newest ones, and calls that stay for the rest of the tick. */
const GAP_CALLS = 8
const SPARED_CALLS = 4
const BLOCKS_A_LIST = 10

/** A server with its answers in this tick. */
export interface BitcoinServer extends ServerState {
  readonly client: Esplora
  /** Its newest blocks, lowest first. */
  blocks: readonly ListedBlock[]
}

/** The followed chain: the stored headers with the most work. */
export interface FollowedChain {
  readonly recent: RecentChain
  readonly tip: ChainState
}

/** Loads the followed chain. At the first run it begins at the checkpoint, whose header comes from a server and must have the configured hash. */
export async function loadChain(
  db: Database,
  configuration: BitcoinConfiguration,
  servers: readonly BitcoinServer[],
  nowMs: number,
): Promise<FollowedChain | null> {
  const rows = await db
    .select()
    .from(bitcoinHeaders)
    .orderBy(desc(bitcoinHeaders.height))
    .limit(RECENT + TIMES)
  const { network } = configuration
  if (rows.length === 0) {
    const start = await loadCheckpoint(configuration, servers)
    if (start === null) return null
    const { state, header } = start
    await runBatch(db, [insertHeader(db, state, header, nowMs)])
    return { recent: { base: state, headers: [] }, tip: state }
  }
  const ordered = rows.toReversed()
  // Fewer rows than that begin at the checkpoint, where no earlier time is known.
  const at = ordered.length === RECENT + TIMES ? TIMES - 1 : 0
  const base = ordered[at]
  if (base === undefined) throw new Error('The stored headers are incomplete.')
  const recent: RecentChain = {
    base: {
      network,
      height: base.height,
      hash: base.hash,
      bits: parseHeader(base.header).bits,
      periodStart: base.periodStart,
      times: ordered.slice(Math.max(0, at - TIMES + 1), at + 1).map(({ header }) => parseHeader(header).time),
      work: base.work,
    },
    headers: ordered.slice(at + 1).map(({ header }) => header),
  }
  return { recent, tip: extendChain(recent.base, recent.headers) }
}

async function loadCheckpoint(
  { checkpoint, network }: BitcoinConfiguration,
  servers: readonly BitcoinServer[],
): Promise<{ state: ChainState; header: string } | null> {
  if (checkpoint === null) {
    const header = getBitcoinNetwork(network).checkpoints.at(-1)?.header ?? ''
    return { state: getBuiltInStart(network), header }
  }
  for (const server of servers) {
    const header = await tryServer(server, () => server.client.header(checkpoint.hash))
    if (header === null || parseHeader(header).hash !== checkpoint.hash) continue
    return { state: startAtCheckpoint({ height: checkpoint.height, header }, network), header }
  }
  return null
}

/** Asks each server for its newest blocks. */
export async function fetchHeads(servers: readonly BitcoinServer[]): Promise<void> {
  for (const server of servers) {
    const blocks = await tryServer(server, () => server.client.blocks())
    if (blocks === null) continue
    const newest = blocks.at(-1)
    server.blocks = blocks
    server.head = newest === undefined ? null : { height: newest.height, hash: newest.hash }
  }
}

/**
 * Follows the chain with the most work that any server shows, and stores it. Payments in blocks that left it are recorded in the same
 * batch. A server whose blocks break a rule, or follow none of ours, has a fault.
 */
export async function followChain(
  db: Database,
  before: FollowedChain,
  servers: readonly BitcoinServer[],
  budget: CallBudget,
  nowMs: number,
): Promise<FollowedChain> {
  let chain = before
  for (const server of servers) {
    if (server.head === null) continue
    const followed = await tryServer(server, async () => {
      const headers = await fetchHeaders(chain, server, budget)
      return headers === null ? chain : await take(db, chain, headers, nowMs)
    })
    chain = followed ?? chain
  }
  markFaultyServers(chain, servers)
  return chain
}

/** The server's headers that follow one that we know. Null if there are too many for this tick, or none is new. */
async function fetchHeaders(
  { recent, tip }: FollowedChain,
  server: BitcoinServer,
  budget: CallBudget,
): Promise<string[] | null> {
  const { client, blocks } = server
  const known = new Set(listHashes(recent))
  const newest = blocks.at(-1)
  if (newest === undefined || known.has(newest.hash)) return null
  const isAfterBase = ({ height }: ListedBlock) => height > recent.base.height
  // Far behind: from our tip upwards, as many as this tick allows.
  const isFarBehind = (blocks[0]?.height ?? 0) > tip.height + 1
  const branch = isFarBehind ? await catchUp(server, budget, tip, newest.height) : blocks.filter(isAfterBase)
  if (branch.length === 0) return null
  // Down to a block that we know: our newest ones may have left the chain meanwhile.
  for (let calls = 0; !known.has(getPreviousHash(branch[0])); calls++) {
    const lowest = branch[0]?.height ?? 0
    if (calls === GAP_CALLS || !budget.has(1) || lowest <= recent.base.height + 1)
      throw new ServerFault('is on another chain')
    const earlier = (await client.blocks(lowest - 1)).filter(({ height }) => height < lowest)
    branch.unshift(...earlier.filter(isAfterBase))
  }
  return branch.map(({ header }) => header)
}

async function catchUp(
  { client }: BitcoinServer,
  budget: CallBudget,
  tip: ChainState,
  newest: number,
): Promise<ListedBlock[]> {
  const found: ListedBlock[] = []
  for (let calls = 0; calls < GAP_CALLS && budget.has(SPARED_CALLS); calls++) {
    const from = tip.height + found.length
    if (from >= newest) break
    const blocks = await client.blocks(Math.min(from + BLOCKS_A_LIST, newest))
    found.push(...blocks.filter(({ height }) => height > from))
  }
  return found
}

function getPreviousHash(block: ListedBlock | undefined): string {
  return block === undefined ? '' : parseHeader(block.header).previousHash
}

/** Takes headers into the followed chain if they have more work. */
async function take(
  db: Database,
  { recent, tip }: FollowedChain,
  headers: readonly string[],
  nowMs: number,
): Promise<FollowedChain> {
  const choice = checkAnswer('shows blocks that break the rules', () =>
    pickBranch(recent, headers, { nowSeconds: Math.floor(nowMs / 1000) }),
  )
  if (choice.tip.hash === tip.hash) return { recent, tip }
  const statements: Statement[] = []
  if (choice.removed.length > 0) {
    const removed = JSON.stringify(choice.removed)
    statements.push(
      ...leaveBlocks(sql`network = 'btc' AND block_hash IN (SELECT value FROM json_each(${removed}))`, nowMs),
      sql`DELETE FROM bitcoin_headers WHERE height > ${choice.forkHeight}`,
      sql`DELETE FROM unsearched_blocks WHERE chain = 'bitcoin' AND height > ${choice.forkHeight}`,
    )
  }
  let state = choice.chain.base
  for (const header of choice.chain.headers) {
    state = extendChain(state, [header])
    if (state.height > choice.forkHeight) statements.push(insertHeader(db, state, header, null))
  }
  await runBatch(db, statements)
  return { recent: choice.chain, tip: choice.tip }
}

function insertHeader(
  db: Database,
  { height, hash, work, periodStart }: ChainState,
  header: string,
  searchedAt: number | null,
): Statement {
  return db.insert(bitcoinHeaders).values({ height, hash, header, work, periodStart, searchedAt })
}

/** Blocks by which a server may be behind for a moment. */
const BEHIND = 2

/** A server that is behind, or whose newest block is on no chain that we follow, has a fault. */
function markFaultyServers({ recent, tip }: FollowedChain, servers: readonly BitcoinServer[]): void {
  const known = new Set(listHashes(recent))
  for (const server of servers) {
    if (server.head === null || server.fault !== null) continue
    const { height, hash } = server.head
    if (height < tip.height - BEHIND) server.fault = 'is behind'
    else if (height <= tip.height && !known.has(hash)) server.fault = 'is on another chain'
  }
}
