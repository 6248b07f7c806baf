import { eq, getTableColumns, sql } from 'drizzle-orm'
import { deriveTreasuryAddress, parseAccountKey } from '../../../src/chain/ethereum/account.ts'
import type { Header } from '../../../src/chain/ethereum/header.ts'
import { CONFIRMATIONS_NEEDED } from '../../../src/contract/money/payments.ts'
import { type Database, readTogether, runBatch, type Statement, selectRows } from '../../lib/database.ts'
import type { Env } from '../../lib/env.ts'
import { getLogMessage } from '../../lib/errors.ts'
import {
  chainServers,
  depositAddresses,
  ethereumPositions,
  payments,
  watchWallets,
} from '../../lib/tables/payments.ts'
import { hasStatements } from '../../lib/workBudget.ts'
import { type EthereumConfiguration, getEthereumConfiguration } from '../servers/configuration.ts'
import { CallBudget, getHost, ServerFault } from '../servers/server.ts'
import { recordServers, tryServer } from '../servers/servers.ts'
import { compareBalances } from './ethereumBalances.ts'
import {
  connectEthereum,
  type EthereumServer,
  fetchHead,
  fetchHeader,
  fetchHeaders,
} from './ethereumBlocks.ts'
import {
  BLOCKS_A_CHUNK,
  fetchLists,
  type Lists,
  newPaces,
  pickServers,
  recordTreasury,
  type SearchedBlock,
  searchBlocks,
} from './ethereumSearch.ts'
import { leaveBlocks, type Receiver, recordSightings } from './record.ts'
import { recordFinal } from './undone.ts'
import { recordUnknown } from './unknownReceipts.ts'
import { deleteUnsearched, readUnsearched, recordUnsearched } from './unsearchedBlocks.ts'

const NEEDED = CONFIRMATIONS_NEEDED.ethereum
/** Finalised blocks that one tick searches, and blocks that are not final yet. About five are made in a minute. */
const FINALISED_A_TICK = 48
const NEWEST_A_TICK = 16
/** Statements for one chunk of blocks, and those left for the credits. */
const STATEMENTS = 55
/** Blocks that are searched again if a finalised block was replaced. */
const AGAIN = 64
/** A server whose newest block is older than this stands still. */
const STALLED_SECONDS = 15 * 60
/** Blocks by which a server may be behind the other one, about eight minutes. */
const BEHIND = 40

const OF_CHAIN = sql`network IN (SELECT network FROM chain_networks WHERE chain = 'ethereum')`

export interface OwnAddress extends Receiver {
  readonly givenAt: number
}

type Position = typeof ethereumPositions.$inferSelect

/** Everything that one tick works with. */
export interface EthereumTick {
  readonly env: Env
  readonly db: Database
  readonly budget: CallBudget
  readonly nowMs: number
  readonly configuration: EthereumConfiguration
  readonly servers: readonly EthereumServer[]
  /** Own addresses in lower case. */
  readonly receivers: ReadonlyMap<string, OwnAddress>
  /** The wallets by the address of their treasury in lower case. */
  readonly treasuries: ReadonlyMap<string, string>
}

/**
 * Observes Ethereum. Both servers must agree on the finalised block. From the last one that was searched, every block is read as a whole
 * and checked against its header, header by header: ether that a transaction sends is found there. Transfers of tokens come from the logs
 * of both servers. The found payments are proved against the block's receipts and become final. Newer blocks are searched as well, so that
 * an investor sees a payment within a minute; their payments are not credited yet. `isQuick` searches newer blocks alone.
 */
export async function observeEthereum(
  env: Env,
  db: Database,
  budget: CallBudget,
  nowMs: number,
  isQuick = false,
): Promise<void> {
  const configuration = getEthereumConfiguration(env)
  if (configuration === null) return
  const servers = connectEthereum(configuration, budget)
  const { address, investor, givenAt } = depositAddresses
  const { server, height } = chainServers
  const { id, descriptor } = watchWallets
  const [positions, own, before, wallets] = await readTogether(
    db,
    selectRows(getTableColumns(ethereumPositions)).from(ethereumPositions),
    selectRows({ address, investor, givenAt })
      .from(depositAddresses)
      .where(sql`wallet IN (SELECT id FROM watch_wallets WHERE chain = 'ethereum')`),
    selectRows({ server, height }).from(chainServers).where(eq(chainServers.chain, 'ethereum')),
    selectRows({ id, descriptor }).from(watchWallets).where(eq(watchWallets.chain, 'ethereum')),
  )
  const treasuries = new Map(
    wallets.map(({ id, descriptor }) => [
      deriveTreasuryAddress(parseAccountKey(descriptor)).toLowerCase(),
      id,
    ]),
  )
  const receivers = new Map(own.map((ownAddress) => [ownAddress.address.toLowerCase(), ownAddress]))
  const tick: EthereumTick = { env, db, budget, nowMs, configuration, servers, receivers, treasuries }
  const finalised = await fetchAgreedHead(tick, before)
  const at = positions.find(({ name }) => name === 'finalised')
  const newest = positions.find(({ name }) => name === 'newest')
  if (at === undefined) {
    if (finalised !== null) await runBatch(db, [setPosition('finalised', finalised.number, finalised.hash)])
  } else {
    if (finalised !== null && !isQuick) await searchFinalised(tick, at, finalised)
    await searchNewest(tick, finalised?.number ?? at.height, newest)
    // Also without new blocks, because a payment may have waited for a price.
    if (finalised !== null) await recordFinalPayments(tick, finalised.number)
    if (finalised !== null && !isQuick) await compareBalances(tick, finalised)
  }
  await runBatch(db, recordServers('ethereum', servers, nowMs))
}

/** The newest block that both servers call finalised. Null, with the servers' faults, if they do not agree. */
async function fetchAgreedHead(
  { configuration, servers, nowMs, budget }: EthereumTick,
  before: readonly { readonly server: string; readonly height: number | null }[],
): Promise<Header | null> {
  const heads: Header[] = []
  for (const server of servers) {
    const head = await tryServer(server, async () => {
      const asked = await fetchHead(server, configuration.chainId)
      const last = before.find((row) => row.server === getHost(server.server))?.height ?? 0
      server.newest = asked.newest
      server.head = { height: asked.finalised.number, hash: asked.finalised.hash }
      if (asked.newest.laterFields > 0)
        server.notice = 'sends blocks of a fork that this version does not know'
      if (asked.finalised.number < last)
        throw new ServerFault('went back behind what it had called finalised')
      if (asked.newest.timestamp < nowMs / 1000 - STALLED_SECONDS) throw new ServerFault('has no new blocks')
      return asked.finalised
    })
    if (head !== null) heads.push(head)
  }
  const top = Math.max(0, ...servers.map(({ newest }) => newest?.number ?? 0))
  for (const server of servers)
    if (server.newest !== null && server.newest.number < top - BEHIND) server.fault ??= 'is behind'
  if (servers.some(({ fault }) => fault !== null)) return null
  const [lower, higher] = heads.toSorted((a, b) => a.number - b.number)
  if (lower === undefined || higher === undefined) return null
  if (lower.number === higher.number) return lower.hash === higher.hash ? lower : recordDisagreement(servers)
  const ahead = servers.find(({ head }) => head?.hash === higher.hash)
  if (ahead === undefined || !budget.has(1)) return null
  const same = await tryServer(ahead, () => fetchHeader(ahead, lower.number))
  if (same === null) return null
  return same.hash === lower.hash ? lower : recordDisagreement(servers)
}

function recordDisagreement(servers: readonly EthereumServer[]): null {
  for (const server of servers) server.fault ??= 'disagrees with the other server about a finalised block'
  return null
}

/** The hash of a finalised block on which both servers agree. */
async function fetchAgreedHash({ servers, budget }: EthereumTick, height: number): Promise<string | null> {
  if (!budget.has(servers.length)) return null
  const hashes = new Set<string>()
  for (const server of servers) {
    const header = await tryServer(server, () => fetchHeader(server, height))
    if (header === null) return null
    hashes.add(header.hash)
  }
  if (hashes.size > 1) return recordDisagreement(servers)
  return [...hashes][0] ?? null
}

/**
 * Searches finalised blocks. Their headers lead from the last searched block to one that both servers agree on, so each block stands for
 * itself: it is recorded with the position after it, and one that cannot be read is noted for later.
 */
async function searchFinalised(tick: EthereumTick, at: Position, finalised: Header): Promise<void> {
  const { db, budget, receivers, treasuries, nowMs } = tick
  // Without a wallet there are no payments to find.
  if (finalised.number > at.height && receivers.size === 0 && treasuries.size === 0)
    return runBatch(db, [setPosition('finalised', finalised.number, finalised.hash)])
  const paces = newPaces()
  const from = at.height + 1
  const to = Math.min(finalised.number, at.height + FINALISED_A_TICK)
  if (from <= to) {
    const order = pickServers(tick, to, from)
    const headers = await fetchAgreedHeaders(tick, order, from, to, finalised)
    if (headers === null) return
    if (headers[0]?.parentHash !== at.hash) return searchAgain(tick, at)
    const places = headers.map(({ number, hash }) => ({ height: number, hash }))
    let lists: Lists | null = null
    for (let next = from; next <= to && budget.has(1) && hasStatements(db, STATEMENTS); ) {
      if (lists === null || lists.to < next) lists = await fetchLists(tick, order, next, to, paces.lists)
      if (lists === null) return
      const end = Math.min(next + BLOCKS_A_CHUNK - 1, lists.to)
      const chunk = places.slice(next - from, end - from + 1)
      next = end + 1
      const { searched } = await searchBlocks(tick, chunk, { order, lists, paces, isFinal: true })
      await recordBlocks(tick, searched, (last) => setPosition('finalised', last.height, last.hash ?? ''))
      if (searched.length < chunk.length) return
    }
  }
  const unsearched = await readUnsearched(db, 'ethereum', nowMs)
  const last = Math.max(0, ...unsearched.map(({ height }) => height))
  const order = pickServers(tick, last, from)
  if (unsearched.length === 0 || order.length < 2 || !budget.has(2) || !hasStatements(db, STATEMENTS)) return
  const { searched } = await searchBlocks(tick, unsearched, { order, lists: null, paces, isFinal: true })
  await recordBlocks(tick, searched, null)
}

/** The headers of finalised blocks from one server, up to one that the other server has too. */
async function fetchAgreedHeaders(
  { budget, servers }: EthereumTick,
  [first, second]: readonly EthereumServer[],
  from: number,
  to: number,
  finalised: Header,
): Promise<readonly Header[] | null> {
  if (first === undefined || second === undefined || !budget.has(2)) return null
  const headers = await tryServer(first, () => fetchHeaders(first, from, to))
  const end = headers?.at(-1)
  if (headers === null || end === undefined) return null
  const same = to === finalised.number ? finalised : await tryServer(second, () => fetchHeader(second, to))
  if (same === null) return null
  return same.hash === end.hash ? headers : recordDisagreement(servers)
}

/**
 * Records searched blocks, and moves on after them. If the database refuses them together, each half is recorded by itself: one block that
 * cannot be recorded is noted, and the others go on.
 */
async function recordBlocks(
  tick: EthereumTick,
  blocks: readonly SearchedBlock[],
  move: ((last: SearchedBlock) => Statement) | null,
): Promise<void> {
  const { db, nowMs } = tick
  const last = blocks.at(-1)
  if (last === undefined) return
  const moved = move === null ? [] : [move(last)]
  const failed = blocks.filter(({ fault }) => fault !== null)
  const found = blocks.filter(({ fault }) => fault === null)
  try {
    await runBatch(db, [
      ...recordUnsearched('ethereum', failed, nowMs),
      ...(await recordSightings(
        db,
        found.flatMap(({ sightings }) => sightings),
        nowMs,
      )),
      ...recordUnknown(
        'ethereum',
        found.flatMap(({ unknown }) => unknown),
        nowMs,
      ),
      ...recordTreasury(found.flatMap(({ treasury }) => treasury)),
      ...leaveUnfound(found, move !== null, nowMs),
      ...(move === null ? deleteUnsearched('ethereum', found) : []),
      ...moved,
    ])
  } catch (error) {
    if (blocks.length > 1) {
      const half = Math.ceil(blocks.length / 2)
      await recordBlocks(tick, blocks.slice(0, half), move)
      return recordBlocks(tick, blocks.slice(half), move)
    }
    console.error(JSON.stringify({ level: 'error', chain: 'ethereum', error: getLogMessage(error) }))
    const fault = last.fault ?? 'sends what the database refuses'
    await runBatch(db, [...recordUnsearched('ethereum', [{ ...last, fault }], nowMs), ...moved])
  }
}

/** An unproved payment in or below these blocks that was not found in them has left the chain. Unsearched blocks do not count yet. */
function leaveUnfound(found: readonly SearchedBlock[], isNew: boolean, nowMs: number): Statement[] {
  const last = found.at(-1)
  if (last === undefined) return []
  const references = found.flatMap(({ sightings }) =>
    sightings.map(({ network, reference }) => `${network} ${reference}`),
  )
  const heights = JSON.stringify(found.map(({ height }) => height))
  const isSearched = isNew
    ? sql`height <= ${last.height} AND height NOT IN (SELECT height FROM unsearched_blocks WHERE chain = 'ethereum')`
    : sql`height IN (SELECT value FROM json_each(${heights}))`
  return [
    sql`
      UPDATE payments SET state = 'gone', checked_at = ${nowMs}
      WHERE ${OF_CHAIN} AND state = 'confirming' AND proof IS NULL AND ${isSearched}
        AND network || ' ' || reference NOT IN (SELECT value FROM json_each(${JSON.stringify(references)}))`,
  ]
}

/** A finalised block was replaced, which needs a third of all validators to be punished. Its payments are undone and searched anew. */
async function searchAgain(tick: EthereumTick, at: Position): Promise<void> {
  const from = Math.max(0, at.height - AGAIN)
  const hash = await fetchAgreedHash(tick, from)
  if (hash === null) return
  const { db, nowMs, servers } = tick
  console.error(
    JSON.stringify({ level: 'alarm', chain: 'ethereum', problem: 'A finalised block was replaced.' }),
  )
  for (const server of servers) server.fault ??= 'replaced a finalised block'
  await runBatch(db, [
    ...leaveBlocks(sql`${OF_CHAIN} AND height > ${from}`, nowMs),
    sql`UPDATE payments SET state = 'gone' WHERE ${OF_CHAIN} AND state = 'seen'`,
    sql`DELETE FROM treasury_transactions WHERE height > ${from}`,
    sql`DELETE FROM unsearched_blocks WHERE chain = 'ethereum' AND height > ${from}`,
    setPosition('finalised', from, hash),
  ])
}

/**
 * Prices payments that are proved in finalised blocks, and credits undone payments again that are back. The first payments of all
 * transactions come first, so that a transaction with a thousand transfers does not delay the others.
 */
async function recordFinalPayments({ env, db, nowMs }: EthereumTick, height: number): Promise<void> {
  const { id, state, request, seq } = payments
  const rows = await db
    .select({ id, state, request, proof: sql<string>`proof` })
    .from(payments)
    .where(sql`${OF_CHAIN} AND state IN ('confirming', 'undone') AND proof IS NOT NULL AND height <= ${height}
      AND (state = 'confirming' OR undone_at < checked_at)`)
    .orderBy(sql`row_number() OVER (PARTITION BY substr(reference, 1, 64) ORDER BY seq)`, seq)
    .limit(100)
  // The network itself calls the block final, which takes as many blocks as are needed.
  const final = rows.map((row) => ({ ...row, confirmations: NEEDED }))
  await recordFinal(env, db, final, nowMs)
}

/** Searches blocks that are not final yet, for the investor to see. What one server says is enough for that. */
async function searchNewest(tick: EthereumTick, finalised: number, at: Position | undefined): Promise<void> {
  const { db, budget, servers, receivers, nowMs } = tick
  const server = servers.find(({ newest, fault }) => newest !== null && fault === null)
  const newest = server?.newest
  if (!newest || newest.number <= finalised || receivers.size === 0) return
  // Without a position, as after a reorganisation: the last ones again.
  const from = Math.max(finalised + 1, (at?.height ?? newest.number - NEWEST_A_TICK) + 1)
  const to = Math.min(newest.number, from + NEWEST_A_TICK - 1)
  const count = sql`min(needed - 1, max(1, ${newest.number} - height + 1))`
  const confirmations = sql`
    UPDATE payments SET confirmations = ${count}
    WHERE ${OF_CHAIN} AND state = 'confirming' AND height IS NOT NULL AND confirmations <> ${count}`
  if (from > to) return runBatch(db, [confirmations])
  const order = pickServers(tick, to, from).slice(0, 1)
  const paces = newPaces()
  const lists = budget.has(3) ? await fetchLists(tick, order, from, to, paces.lists) : null
  if (lists === null) return runBatch(db, [confirmations])
  const places = Array.from({ length: lists.to - from + 1 }, (_, i) => ({ height: from + i, hash: null }))
  const { searched, headers } = await searchBlocks(tick, places, {
    order,
    lists,
    paces,
    isFinal: false,
  })
  const last = searched.at(-1)
  if (last === undefined) return runBatch(db, [confirmations])
  // A reorganisation: everything that is not final is searched again.
  const isNext = at === undefined || at.height + 1 !== from || headers[0]?.parentHash === at.hash
  const isLinked = headers.every(
    ({ number, parentHash }, i) =>
      number !== (headers[i - 1]?.number ?? 0) + 1 || parentHash === headers[i - 1]?.hash,
  )
  if (!isNext || !isLinked)
    return runBatch(db, [sql`DELETE FROM ethereum_positions WHERE name = 'newest'`, confirmations])
  await runBatch(db, [
    ...(await recordSightings(
      db,
      searched.flatMap(({ sightings }) => sightings),
      nowMs,
    )),
    ...headers.slice(-1).map(({ number, hash }) => setPosition('newest', number, hash)),
    confirmations,
  ])
}

function setPosition(name: Position['name'], height: number, hash: string): Statement {
  return sql`
    INSERT INTO ethereum_positions (name, height, hash) VALUES (${name}, ${height}, ${hash})
    ON CONFLICT (name) DO UPDATE SET height = excluded.height, hash = excluded.hash`
}

/** Searches the newest blocks now, for all addresses at once. */
export async function searchEthereum(env: Env, db: Database, nowMs: number): Promise<void> {
  await observeEthereum(env, db, new CallBudget(LOOK_CALLS), nowMs, true)
}

/** Two heads, and the newest blocks with their transfers and receipts. */
const LOOK_CALLS = 6
