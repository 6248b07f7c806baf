import { sql } from 'drizzle-orm'
import { ChainError } from '../../../src/chain/chainError.ts'
import type { Header } from '../../../src/chain/ethereum/header.ts'
import {
  checkNativePayment,
  checkTokenPayment,
  proveNative,
  proveToken,
} from '../../../src/chain/ethereum/proof.ts'
import { CONFIRMATIONS_NEEDED } from '../../../src/contract/money/payments.ts'
import { newId } from '../../lib/crypto/tokens.ts'
import { type Database, reading, readTogether, runBatch, type Statement } from '../../lib/database.ts'
import type { Env } from '../../lib/env.ts'
import { unknownReceipts } from '../../lib/tables/payments.ts'
import { type EthereumConfiguration, ethereumOf } from './configuration.ts'
import { markChecked } from './due.ts'
import {
  asFault,
  askBalances,
  askBlocks,
  askHead,
  askHeader,
  askReceipts,
  askTransfers,
  callsFor,
  type EthereumBlock,
  type EthereumServer,
  type ListedTransfer,
  type ProvedTransfer,
  transfersIn,
} from './ethereumBlocks.ts'
import { finalisePayments } from './finalise.ts'
import { jsonRpc } from './jsonRpc.ts'
import { leaveBlocks, type Receiver, recordSightings, type Sighting } from './record.ts'
import { CallBudget, hostOf, ServerFault } from './server.ts'
import { noting, recordServers } from './servers.ts'
import { recreditStatements } from './undone.ts'

const NEEDED = CONFIRMATIONS_NEEDED.ethereum
/** Finalised blocks that one tick searches, and blocks that are not final yet. About five are made in a minute. */
const FINALISED_A_TICK = 32
const NEWEST_A_TICK = 16
/** Blocks that are searched again if a finalised block was replaced. */
const AGAIN = 64
/** A server whose newest block is older than this stands still. */
const STALLED_SECONDS = 15 * 60
/** Blocks by which a server may be behind the other one, about eight minutes. */
const BEHIND = 40
const BALANCES_A_CALL = 50
const BALANCE_EVERY_MS = 3_600_000

const OF_CHAIN = sql`network IN ('eth', 'usdt-erc20')`

interface OwnAddress extends Receiver {
  readonly givenAt: number
}

interface Position {
  readonly name: 'finalised' | 'newest'
  readonly height: number
  readonly hash: string
}

/** Everything that one tick works with. */
interface Tick {
  readonly env: Env
  readonly db: Database
  readonly budget: CallBudget
  readonly nowMs: number
  readonly configuration: EthereumConfiguration
  readonly servers: readonly EthereumServer[]
  /** Own addresses in lower case. */
  readonly receivers: ReadonlyMap<string, OwnAddress>
}

/**
 * Observes Ethereum. Both servers must agree on the finalised block. From the last one that was searched, every block is read as a whole
 * and checked against its header, header by header: ether that a transaction sends is found there. Transfers of tokens come from the logs
 * of both servers. What is found is proved against the block's receipts and becomes final. Newer blocks are searched as well, so that an
 * investor sees a payment within a minute; nothing is credited for them. `isQuick` searches these alone.
 */
export async function observeEthereum(
  env: Env,
  db: Database,
  budget: CallBudget,
  nowMs: number,
  isQuick = false,
): Promise<void> {
  const configuration = ethereumOf(env)
  if (configuration === null) return
  const servers = configuration.servers.map(
    (server): EthereumServer => ({
      server,
      head: null,
      fault: null,
      client: jsonRpc(server, budget),
      newest: null,
    }),
  )
  const [positions, own, before] = await readTogether(
    db,
    reading<Position>(sql`SELECT name, height, hash FROM ethereum_positions`),
    reading<OwnAddress>(sql`
      SELECT address, investor, given_at AS givenAt FROM deposit_addresses WHERE wallet IN (SELECT id FROM watch_wallets WHERE chain = 'ethereum')`),
    reading<{ server: string; height: number | null }>(
      sql`SELECT server, height FROM chain_servers WHERE chain = 'ethereum'`,
    ),
  )
  const receivers = new Map(own.map((each) => [each.address.toLowerCase(), each]))
  const tick: Tick = { env, db, budget, nowMs, configuration, servers, receivers }
  const finalised = await agreedHead(tick, before)
  const at = positions.find(({ name }) => name === 'finalised')
  const newest = positions.find(({ name }) => name === 'newest')
  if (at === undefined) {
    if (finalised !== null) await runBatch(db, [moveTo('finalised', finalised.number, finalised.hash)])
  } else {
    if (finalised !== null && !isQuick) await searchFinalised(tick, at, finalised)
    await searchNewest(tick, finalised?.number ?? at.height, newest)
    // Also without new blocks, because a payment may have waited for a price.
    if (finalised !== null) await finalise(tick, finalised.number)
    if (finalised !== null && !isQuick) await compareBalances(tick)
  }
  await runBatch(db, recordServers('ethereum', servers, nowMs))
}

/** The newest block that both servers call finalised. Null, with the servers' faults, if they do not agree. */
async function agreedHead(
  { configuration, servers, nowMs, budget }: Tick,
  before: readonly { readonly server: string; readonly height: number | null }[],
): Promise<Header | null> {
  const heads: Header[] = []
  for (const server of servers) {
    const head = await noting(server, async () => {
      const asked = await askHead(server, configuration.chainId)
      const last = before.find((each) => each.server === hostOf(server.server))?.height ?? 0
      server.newest = asked.newest
      server.head = { height: asked.finalised.number, hash: asked.finalised.hash }
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
  const [one, other] = heads.toSorted((a, b) => a.number - b.number)
  if (one === undefined || other === undefined) return null
  if (one.number === other.number) return one.hash === other.hash ? one : disagree(servers)
  const ahead = servers.find(({ head }) => head?.hash === other.hash)
  if (ahead === undefined || !budget.has(1)) return null
  const same = await noting(ahead, () => askHeader(ahead, one.number))
  if (same === null) return null
  return same.hash === one.hash ? one : disagree(servers)
}

function disagree(servers: readonly EthereumServer[]): null {
  for (const server of servers) server.fault ??= 'disagrees with the other server about a finalised block'
  return null
}

/** The hash of a finalised block on which both servers agree. */
async function agreedHash({ servers, budget }: Tick, height: number): Promise<string | null> {
  if (!budget.has(servers.length)) return null
  const hashes = new Set<string>()
  for (const server of servers) {
    const header = await noting(server, () => askHeader(server, height))
    if (header === null) return null
    hashes.add(header.hash)
  }
  if (hashes.size > 1) return disagree(servers)
  return [...hashes][0] ?? null
}

async function searchFinalised(tick: Tick, at: Position, finalised: Header): Promise<void> {
  const { db, receivers, nowMs } = tick
  if (finalised.number <= at.height) return
  // Without an address there is nothing to find.
  if (receivers.size === 0) return runBatch(db, [moveTo('finalised', finalised.number, finalised.hash)])
  const from = at.height + 1
  const to = Math.min(finalised.number, at.height + FINALISED_A_TICK)
  const end = to === finalised.number ? finalised.hash : await agreedHash(tick, to)
  if (end === null) return
  const found = await search(tick, from, to, true)
  if (found === null) return
  const { blocks } = found
  if (blocks[0]?.header.parentHash !== at.hash) return searchAgain(tick, at)
  if (blocks.at(-1)?.header.hash !== end) return
  const references = JSON.stringify(
    found.sightings.map(({ network, reference }) => `${network} ${reference}`),
  )
  await runBatch(db, [
    ...(await recordSightings(db, found.sightings, nowMs)),
    ...found.unknown,
    // Whatever was seen in these blocks and is not in them is no longer on the chain.
    sql`
      UPDATE payments SET state = 'gone', checked_at = ${nowMs}
      WHERE ${OF_CHAIN} AND state = 'confirming' AND height <= ${to}
        AND network || ' ' || reference NOT IN (SELECT value FROM json_each(${references}))
        AND proof IS NULL`,
    moveTo('finalised', to, end),
  ])
}

/** A finalised block was replaced, which needs a third of all validators to be punished. Its payments are undone and searched anew. */
async function searchAgain(tick: Tick, at: Position): Promise<void> {
  const from = Math.max(0, at.height - AGAIN)
  const hash = await agreedHash(tick, from)
  if (hash === null) return
  const { db, nowMs, servers } = tick
  console.error(
    JSON.stringify({ level: 'alarm', chain: 'ethereum', problem: 'A finalised block was replaced.' }),
  )
  for (const server of servers) server.fault ??= 'replaced a finalised block'
  await runBatch(db, [
    ...leaveBlocks(sql`${OF_CHAIN} AND height > ${from}`, nowMs),
    sql`UPDATE payments SET state = 'gone' WHERE ${OF_CHAIN} AND state = 'seen'`,
    moveTo('finalised', from, hash),
  ])
}

interface Found {
  readonly blocks: readonly EthereumBlock[]
  readonly sightings: readonly Sighting[]
  /** Statements about tokens that are not taken. */
  readonly unknown: readonly Statement[]
}

/**
 * Searches blocks for payments to own addresses. Null if no server answers, or the budget is used up. With `isFinal` the transfers of both
 * servers count together, so that one of them cannot hide a payment, and each payment comes with its proof.
 */
async function search(tick: Tick, from: number, to: number, isFinal: boolean): Promise<Found | null> {
  const { budget, configuration, receivers } = tick
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
        ({ to: receiver, value }) => BigInt(value) > 0n && receivers.has((receiver ?? '').toLowerCase()),
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
    concerned.map((block, i) => paymentsIn(tick, block, receipts[i] ?? [])),
  )
  if (results === null) return null
  const transfers = results.flatMap((result) => result.transfers)
  for (const [server, listed] of lists) compareLists(server, listed, transfers, isFinal)
  return {
    blocks,
    sightings: results.flatMap(({ sightings }) => sightings),
    unknown: results.flatMap(({ unknown }) => unknown),
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
  tick: Tick,
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

function unknownReceipt(
  { db, nowMs }: Tick,
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

interface Proved {
  readonly id: string
  readonly state: 'confirming' | 'undone'
  readonly request: string | null
  readonly proof: string
}

/** Prices what is proved in finalised blocks, and credits again what was undone and is back. */
async function finalise({ env, db, nowMs }: Tick, height: number): Promise<void> {
  const [rows] = await readTogether(
    db,
    reading<Proved>(sql`
      SELECT id, state, request, proof FROM payments
      WHERE ${OF_CHAIN} AND state IN ('confirming', 'undone') AND proof IS NOT NULL AND height <= ${height}
        AND (state = 'confirming' OR undone_at < checked_at) ORDER BY seq LIMIT 100`),
  )
  // The network itself calls the block final, which takes as many blocks as are needed.
  const deep = rows.map((row) => ({ ...row, confirmations: NEEDED }))
  await runBatch(db, [
    ...(await finalisePayments(
      env,
      db,
      deep.filter(({ state }) => state === 'confirming'),
      nowMs,
    )),
    ...deep
      .filter(({ state }) => state === 'undone')
      .flatMap(({ request, ...row }) =>
        request === null ? [] : recreditStatements(db, { ...row, request }, nowMs),
      ),
  ])
}

/** Searches blocks that are not final yet, for the investor to see. What one server says is enough for that. */
async function searchNewest(tick: Tick, finalised: number, at: Position | undefined): Promise<void> {
  const { db, servers, receivers, nowMs } = tick
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
  const found = await search(tick, from, to, false)
  const last = found?.blocks.at(-1)?.header
  if (found === null || last === undefined) return runBatch(db, [confirmations])
  // A reorganisation: everything that is not final is searched again.
  const isNext = at === undefined || at.height + 1 !== from || found.blocks[0]?.header.parentHash === at.hash
  if (!isNext) return runBatch(db, [sql`DELETE FROM ethereum_positions WHERE name = 'newest'`, confirmations])
  const sightings = found.sightings.map((sighting) => ({ ...sighting, proof: null }))
  await runBatch(db, [
    ...(await recordSightings(db, sightings, nowMs)),
    moveTo('newest', last.number, last.hash),
    confirmations,
  ])
}

function moveTo(name: Position['name'], height: number, hash: string): Statement {
  return sql`
    INSERT INTO ethereum_positions (name, height, hash) VALUES (${name}, ${height}, ${hash})
    ON CONFLICT (name) DO UPDATE SET height = excluded.height, hash = excluded.hash`
}

interface Balance extends Receiver {
  /** What payments and earlier findings explain, in wei, one decimal each. */
  readonly explained: string
}

/**
 * Compares balances with the payments that were found: more ether than that was sent by a contract, which leaves no trace in a block. It
 * cannot be proved and needs a person. One call, each address at most once an hour.
 */
async function compareBalances(tick: Tick): Promise<void> {
  const { db, budget, servers, nowMs } = tick
  const server = servers.find(({ fault, head }) => fault === null && head !== null)
  if (server === undefined || !budget.has(1)) return
  const [[position], due] = await readTogether(
    db,
    reading<Position>(sql`SELECT name, height, hash FROM ethereum_positions WHERE name = 'finalised'`),
    reading<Balance>(sql`
      SELECT a.address, a.investor, json_array(
          (SELECT json_group_array(quantity) FROM payments WHERE address = a.address AND network = 'eth' AND state NOT IN ('gone', 'seen')),
          (SELECT json_group_array(quantity) FROM unknown_receipts WHERE address = a.address AND kind = 'internal')) AS explained
      FROM deposit_addresses a
      WHERE a.wallet IN (SELECT id FROM watch_wallets WHERE chain = 'ethereum') AND a.checked_at < ${nowMs - BALANCE_EVERY_MS}
      ORDER BY a.checked_at, a.seq LIMIT ${BALANCES_A_CALL}`),
  )
  if (position === undefined || due.length === 0) return
  const balances = await noting(server, () =>
    askBalances(
      server,
      due.map(({ address }) => address),
      position.height,
    ),
  )
  if (balances === null) return
  await runBatch(db, [
    markChecked(
      due.map(({ address }) => address),
      nowMs,
    ),
    ...due.flatMap((row, i) => {
      // Written by the query above: two lists of decimals.
      const lists = JSON.parse(row.explained) as string[][]
      const explained = lists.flat().reduce((sum, quantity) => sum + BigInt(quantity), 0n)
      const quantity = (balances[i] ?? 0n) - explained
      if (quantity <= 0n) return []
      const reference = `${row.address.toLowerCase()}@${position.height}`
      return [
        unknownReceipt(tick, row, {
          reference,
          kind: 'internal',
          contract: null,
          quantity,
          height: position.height,
        }),
      ]
    }),
  ])
}

/** Searches the newest blocks now, for all addresses at once. */
export async function lookForEthereum(env: Env, db: Database, nowMs: number): Promise<void> {
  await observeEthereum(env, db, new CallBudget(LOOK_CALLS), nowMs, true)
}

/** Two heads, and the newest blocks with their transfers and receipts. */
const LOOK_CALLS = 6
