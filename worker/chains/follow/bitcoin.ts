import { and, eq, type SQL, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { parseBlock } from '../../../src/chain/bitcoin/block.ts'
import { listHashes } from '../../../src/chain/bitcoin/branches.ts'
import {
  type BitcoinPaymentProof,
  checkBitcoinTransaction,
  type ProvenTransaction,
  readBitcoinPayment,
} from '../../../src/chain/bitcoin/proof.ts'
import { ChainError } from '../../../src/chain/chainError.ts'
import { CONFIRMATIONS_NEEDED } from '../../../src/contract/money/payments.ts'
import {
  type Database,
  parseStored,
  readTogether,
  runBatch,
  type Statement,
  selectRows,
} from '../../lib/database.ts'
import type { Env } from '../../lib/env.ts'
import { getLogMessage } from '../../lib/errors.ts'
import { bitcoinHeaders, chainTransactions, depositAddresses, payments } from '../../lib/tables/payments.ts'
import { hasStatements } from '../../lib/workBudget.ts'
import { type BitcoinConfiguration, getBitcoinConfiguration } from '../servers/configuration.ts'
import { createEsplora } from '../servers/esplora.ts'
import { CallBudget, checkAnswer, ServerFault, TooLarge, Unanswered } from '../servers/server.ts'
import { recordServers, tryServer } from '../servers/servers.ts'
import {
  type BitcoinServer,
  type FollowedChain,
  fetchHeads,
  followChain,
  loadChain,
} from './bitcoinHeaders.ts'
import { recordSpends } from './coins.ts'
import { type DueAddress, markChecked, readDue } from './due.ts'
import { type Receiver, recordSightings, type SeenPayment } from './record.ts'
import { bitcoinProof } from './storedProofs.ts'
import { recordFinal } from './undone.ts'
import { MOST_PROOF, recordUnknown, type UnknownReceipt } from './unknownReceipts.ts'
import { deleteUnsearched, readUnsearched, recordUnsearched } from './unsearchedBlocks.ts'

const NEEDED = CONFIRMATIONS_NEEDED.bitcoin
/** Whole blocks that one tick searches. */
const BLOCKS_A_TICK = 4
/** Statements for one block, and those left for Ethereum and the credits. */
const STATEMENTS = 90
/** Waiting payments that one tick asks about. */
const WAITING_A_TICK = 2
/** How long an unconfirmed payment is believed before the servers are asked again. */
const WAITING_MS = 5 * 60_000
/** A miner's clock may be off by two hours. */
const CLOCK_MS = 2 * 3_600_000

/**
 * Observes Bitcoin: follows the headers, searches each new block for payments to own addresses, asks for unconfirmed ones, and makes
 * payments final that are deep enough, proved, and in the chain of both servers. Every block is searched once and as a whole, checked
 * against its header, so that no server can hide or invent a payment, and no address is ever forgotten.
 */
export async function observeBitcoin(
  env: Env,
  db: Database,
  budget: CallBudget,
  nowMs: number,
): Promise<void> {
  const configuration = getBitcoinConfiguration(env)
  if (configuration === null) return
  const servers = connect(configuration, budget)
  await fetchHeads(servers)
  const loaded = await loadChain(db, configuration, servers, nowMs)
  if (loaded === null) {
    await runBatch(db, recordServers('bitcoin', servers, nowMs))
    return
  }
  const chain = await followChain(db, loaded, servers, budget, nowMs)
  await searchBlocks(db, servers, budget, nowMs)
  await runBatch(db, [countConfirmations(chain), ...recordServers('bitcoin', servers, nowMs)])
  await recordFinalPayments(env, db, configuration, chain, servers, nowMs)
  await checkWaitingPayments(db, servers, budget, nowMs)
  const due = await readDue(db, 'bitcoin', budget.left, nowMs)
  await searchAddresses(db, servers, due, budget, nowMs)
  await runBatch(db, recordServers('bitcoin', servers, nowMs))
}

/** Asks one server about unconfirmed payments to these addresses now. */
export async function searchBitcoin(
  env: Env,
  db: Database,
  addresses: readonly DueAddress[],
  nowMs: number,
): Promise<void> {
  const configuration = getBitcoinConfiguration(env)
  if (configuration === null || addresses.length === 0) return
  const budget = new CallBudget(addresses.length)
  await searchAddresses(db, connect(configuration, budget), addresses, budget, nowMs)
}

function connect({ servers }: BitcoinConfiguration, budget: CallBudget): readonly BitcoinServer[] {
  return servers.map((server) => {
    const client = createEsplora(server, budget)
    return { server, head: null, fault: null, blocks: [], client }
  })
}

type UnsearchedBlock = Pick<typeof bitcoinHeaders.$inferSelect, 'height' | 'hash' | 'header'>

async function searchBlocks(
  db: Database,
  servers: readonly BitcoinServer[],
  budget: CallBudget,
  nowMs: number,
): Promise<void> {
  const since = sql`(
    SELECT min(given_at) FROM deposit_addresses WHERE wallet IN (SELECT id FROM watch_wallets WHERE chain = 'bitcoin'))`
  // An address cannot have been paid before it was given.
  await runBatch(db, [
    sql`
      UPDATE bitcoin_headers SET searched_at = ${nowMs} WHERE searched_at IS NULL AND (
        ${since} IS NULL OR ${selectHeaderTime()} * 1000 < ${since} - ${CLOCK_MS})`,
  ])
  const { height, hash, header } = bitcoinHeaders
  const selectUnsearched = (which: SQL) =>
    selectRows({ height, hash, header }).from(bitcoinHeaders).where(sql`searched_at IS NULL AND ${which}`)
  const again = JSON.stringify((await readUnsearched(db, 'bitcoin', nowMs)).map(({ height }) => height))
  const [blocks, retried] = await readTogether(
    db,
    selectUnsearched(sql`height NOT IN (SELECT height FROM unsearched_blocks WHERE chain = 'bitcoin')`)
      .orderBy(height)
      .limit(BLOCKS_A_TICK),
    selectUnsearched(sql`height IN (SELECT value FROM json_each(${again}))`),
  )
  const missing: (UnsearchedBlock & BlockFault)[] = []
  let isAnswering = false
  for (const block of [...blocks, ...retried]) {
    if (!budget.has(1) || !hasStatements(db, STATEMENTS)) break
    const found = await readBlock(servers, block, budget)
    if ('fault' in found) missing.push({ ...block, ...found })
    else {
      isAnswering = true
      await recordBlock(db, block, found, nowMs)
    }
  }
  // A block that no server has now, while they have no other one either, is searched in a later tick.
  const failed = missing.filter(({ isFalse }) => isFalse || isAnswering)
  await runBatch(db, recordUnsearched('bitcoin', failed, nowMs))
}

/** Records our payments and spent coins in a block. A block that cannot be recorded is noted, and the others go on. */
async function recordBlock(
  db: Database,
  block: UnsearchedBlock,
  found: FoundBlock,
  nowMs: number,
): Promise<void> {
  try {
    const { sightings, unknown } = await findPayments(db, block, found)
    await runBatch(db, [
      ...(await recordSightings(db, sightings, nowMs)),
      ...recordUnknown('bitcoin', unknown, nowMs),
      ...(await recordSpends(db, block, found, sightings)),
      db.update(bitcoinHeaders).set({ searchedAt: nowMs }).where(eq(bitcoinHeaders.hash, block.hash)),
      ...deleteUnsearched('bitcoin', [block]),
    ])
  } catch (error) {
    console.error(JSON.stringify({ level: 'error', chain: 'bitcoin', error: getLogMessage(error) }))
    await runBatch(
      db,
      recordUnsearched('bitcoin', [{ ...block, fault: 'sends what the database refuses' }], nowMs),
    )
  }
}

/** SQL: the time in a header: its bytes 68 to 71, least significant first. */
function selectHeaderTime() {
  const selectHeaderByte = (at: number) =>
    sql.raw(`(
    (instr('0123456789abcdef', substr(header, ${2 * at + 1}, 1)) - 1) * 16 + instr('0123456789abcdef', substr(header, ${2 * at + 2}, 1)) - 1)`)
  return sql`(${selectHeaderByte(68)} + ${selectHeaderByte(69)} * 256 + ${selectHeaderByte(70)} * 65536 + ${selectHeaderByte(71)} * 16777216)`
}

type FoundBlock = ReturnType<typeof parseBlock>

/** Why no server gave a block. */
interface BlockFault {
  /** In words that follow "a server". */
  readonly fault: string
  /** Whether each server sent data that cannot be read as this block. Then the fault is ours, not the servers'. */
  readonly isFalse: boolean
}

/** The whole block from the first server that has it, compared with our header. A server that sends false data has a fault if the other one does not. */
async function readBlock(
  servers: readonly BitcoinServer[],
  { height, hash }: UnsearchedBlock,
  budget: CallBudget,
): Promise<FoundBlock | BlockFault> {
  // In turns, so that each server is used and the other one stands in.
  const order = height % 2 === 0 ? servers : servers.toReversed()
  const faults: { server: BitcoinServer; error: ServerFault }[] = []
  let found: FoundBlock | null = null
  for (const server of order) {
    if (found !== null || server.fault !== null || !budget.has(1)) continue
    try {
      const bytes = await server.client.rawBlock(hash)
      if (bytes === null) continue
      const parsed = checkAnswer('sends blocks with other transactions', () => parseBlock(bytes))
      if (parsed.header.hash !== hash) throw new ServerFault('sends another block than it was asked for')
      found = parsed
    } catch (error) {
      if (!(error instanceof ServerFault)) throw error
      faults.push({ server, error })
    }
  }
  const isFalse =
    faults.length === servers.length && faults.every(({ error }) => !(error instanceof Unanswered))
  if (!isFalse) for (const { server, error } of faults) server.fault ??= error.message
  return found ?? { fault: faults.at(-1)?.error.message ?? 'has no such block', isFalse }
}

/** D1 takes parameters of up to 2 MB; a script has at most 68 digits. */
const SCRIPTS_A_QUERY = 10_000

/** The own addresses among scripts. Payments from before an address was given are not its investor's. */
async function findReceivers(
  db: Database,
  scripts: readonly string[],
  timeMs: number,
): Promise<Map<string, Receiver>> {
  const receivers = new Map<string, Receiver>()
  for (let at = 0; at < scripts.length; at += SCRIPTS_A_QUERY) {
    const some = JSON.stringify(scripts.slice(at, at + SCRIPTS_A_QUERY))
    const rows = await db
      .select()
      .from(depositAddresses)
      .where(sql`script <> '' AND script IN (SELECT value FROM json_each(${some}))
        AND given_at <= ${timeMs + CLOCK_MS}`)
    for (const { script, address, investor } of rows) receivers.set(script, { address, investor })
  }
  return receivers
}

async function findPayments(
  db: Database,
  { height, hash, header }: UnsearchedBlock,
  block: FoundBlock,
): Promise<{ sightings: SeenPayment[]; unknown: UnknownReceipt[] }> {
  // Descriptors give witness programs alone.
  const isProgram = (script: string) => /^(?:0014|0020|5120)/.test(script)
  const scripts = block.transactions.flatMap(({ outputs }) =>
    outputs.map(({ script }) => script).filter(isProgram),
  )
  const receivers = await findReceivers(db, [...new Set(scripts)], block.header.time * 1000)
  const sightings: SeenPayment[] = []
  const unknown: UnknownReceipt[] = []
  if (receivers.size === 0) return { sightings, unknown }
  for (const [position, transaction] of block.transactions.entries()) {
    const paid = transaction.outputs.flatMap(({ script, value }, output) => {
      const receiver = value === 0n ? undefined : receivers.get(script)
      const reference = `${transaction.txid}:${output}`
      return receiver === undefined ? [] : [{ receiver, value, output, reference }]
    })
    const [first] = paid
    if (first === undefined) continue
    const path = block.pathOf(position)
    const shared = JSON.stringify({ transaction: transaction.stripped(), height, header, position, path })
    if (shared.length > MOST_PROOF) {
      const quantity = paid.reduce((sum, { value }) => sum + value, 0n)
      const { receiver, reference } = first
      unknown.push({
        ...receiver,
        ...{ reference, kind: 'oversized', contract: null, quantity, height, transfers: paid.length },
      })
      continue
    }
    const proof = { shared: `${transaction.txid}@${hash}`, transaction: shared }
    for (const { receiver, value, output, reference } of paid)
      sightings.push({
        ...receiver,
        network: 'btc',
        reference,
        quantity: value,
        block: { height, hash },
        proof: { ...proof, own: { output, following: [] } },
      })
  }
  return { sightings, unknown }
}

/** Confirmations follow from our own headers. No server is asked. */
function countConfirmations({ tip }: FollowedChain): Statement {
  const count = sql`min(needed, max(0, ${tip.height} - height + 1))`
  return sql`
    UPDATE payments SET confirmations = ${count}
    WHERE network = 'btc' AND state = 'confirming' AND height IS NOT NULL AND confirmations <> ${count}`
}

/** Payments that one tick makes final, and characters of the transactions that prove them. */
const FINAL_A_TICK = 100
const PROOFS_A_TICK = 16_000_000

/**
 * Makes payments final that are deep enough: only while both servers answer and are on our chain, beyond the payment's confirmations.
 * The first payments of all transactions come first, so that a transaction with a thousand outputs does not delay the others.
 */
async function recordFinalPayments(
  env: Env,
  db: Database,
  { network }: BitcoinConfiguration,
  { recent, tip }: FollowedChain,
  servers: readonly BitcoinServer[],
  nowMs: number,
): Promise<void> {
  if (servers.some(({ fault, head }) => fault !== null || head === null)) return
  const agreed = Math.min(tip.height, ...servers.map(({ head }) => head?.height ?? 0))
  const rows = await readConfirmed(db, agreed - NEEDED + 1)
  const hashes = listHashes(recent)
  const isOnChain = ({ height, blockHash }: ConfirmedPayment) =>
    height < recent.base.height || hashes[height - recent.base.height] === blockHash
  const final: (ConfirmedPayment & { readonly confirmations: number })[] = []
  let characters = 0
  for (const [shared, payments] of Map.groupBy(rows.filter(isOnChain), readSharedProof)) {
    const [first] = payments
    if (first === undefined || characters > PROOFS_A_TICK) break
    const transaction = await readTransaction(db, shared, first.height, tip.height)
    characters += transaction?.size ?? 0
    const proven = transaction && verifyTransaction(transaction.proof, network)
    if (!transaction || !proven) continue
    const { following } = transaction.proof
    for (const row of payments)
      if (isShown(proven, row))
        final.push({
          ...row,
          proof: JSON.stringify({ ...parseProof(row), following }),
          confirmations: NEEDED,
        })
  }
  await recordFinal(env, db, final, nowMs)
}

async function readConfirmed(db: Database, mostHeight: number) {
  const { id, state, request, reference, quantity, seq } = payments
  const { height, hash: blockHash } = bitcoinHeaders
  const { script } = depositAddresses
  return await db
    .select({
      ...{ id, state, request, reference, quantity, script, height, blockHash },
      /** JSON: its own part of the proof, which names its transaction. */
      proof: sql<string>`${payments.proof}`,
    })
    .from(payments)
    .innerJoin(depositAddresses, eq(depositAddresses.address, payments.address))
    .innerJoin(bitcoinHeaders, and(eq(height, payments.height), eq(blockHash, payments.blockHash)))
    .where(sql`${payments.network} = 'btc' AND ${state} IN ('confirming', 'undone') AND ${payments.proof} IS NOT NULL
      AND ${payments.height} <= ${mostHeight}`)
    .orderBy(sql`row_number() OVER (PARTITION BY substr(${reference}, 1, 64) ORDER BY ${seq})`, seq)
    .limit(FINAL_A_TICK)
}

type ConfirmedPayment = Awaited<ReturnType<typeof readConfirmed>>[number]

/** The two parts of a proof, as `findPayments` writes them. */
const ownProof = z.object({ shared: z.string(), output: z.number() })
const sharedProof = z.omit(bitcoinProof, { output: true, following: true })

function parseProof({ proof }: ConfirmedPayment) {
  return parseStored(ownProof, proof)
}

function readSharedProof(row: ConfirmedPayment): string {
  return parseProof(row).shared
}

type SharedProof = Omit<BitcoinPaymentProof, 'output'>

/** New coins of a block can be spent a hundred blocks later. */
const MATURITY = 100

/** The proof that the payments of a transaction share, with as many headers after its block as it needs. */
async function readTransaction(
  db: Database,
  id: string,
  height: number,
  tip: number,
): Promise<{ readonly proof: SharedProof; readonly size: number } | null> {
  const [[stored], headers] = await readTogether(
    db,
    selectRows({ proof: chainTransactions.proof })
      .from(chainTransactions)
      .where(eq(chainTransactions.id, id)),
    selectRows({ header: bitcoinHeaders.header })
      .from(bitcoinHeaders)
      .where(sql`height > ${height} AND height <= ${Math.min(tip, height + MATURITY - 1)}`)
      .orderBy(bitcoinHeaders.height),
  )
  if (stored === undefined) return null
  const shared = parseStored(sharedProof, stored.proof)
  const isNewCoin = /^.{8}010{64}ffffffff/.test(shared.transaction)
  const following = headers.slice(0, (isNewCoin ? MATURITY : NEEDED) - 1).map(({ header }) => header)
  return { proof: { ...shared, following }, size: stored.proof.length }
}

/** Null if the proof does not hold. The work of the block is that of our own chain, so no other bound is needed here. */
function verifyTransaction(
  proof: SharedProof,
  network: BitcoinConfiguration['network'],
): ProvenTransaction | null {
  return catchChainError(() => checkBitcoinTransaction(proof, { network, minimumDifficulty: 0n }))
}

function isShown(proven: ProvenTransaction, row: ConfirmedPayment): boolean {
  const { output } = parseProof(row)
  const shown = catchChainError(() => readBitcoinPayment(proven, output, row.script))
  return (
    shown !== null &&
    shown.blockHash === row.blockHash &&
    `${shown.txid}:${output}` === row.reference &&
    shown.value.toString() === row.quantity &&
    shown.confirmations >= NEEDED
  )
}

function catchChainError<T>(check: () => T): T | null {
  try {
    return check()
  } catch (error) {
    if (error instanceof ChainError) return null
    throw error
  }
}

/** Unconfirmed payments that no server knows any more are gone: replaced, or spent elsewhere. */
async function checkWaitingPayments(
  db: Database,
  servers: readonly BitcoinServer[],
  budget: CallBudget,
  nowMs: number,
): Promise<void> {
  const waiting = await db
    .select({ reference: payments.reference })
    .from(payments)
    .where(sql`network = 'btc' AND state = 'seen' AND checked_at <= ${nowMs - WAITING_MS}`)
    .orderBy(payments.checkedAt)
    .limit(WAITING_A_TICK)
  for (const { reference } of waiting) {
    if (!budget.has(servers.length) || !hasStatements(db, STATEMENTS)) return
    await runBatch(db, [await checkWaiting(servers, getTxid(reference), nowMs)])
  }
}

/** Asks both servers about an unconfirmed transaction. Its payments are gone if neither knows it. */
async function checkWaiting(
  servers: readonly BitcoinServer[],
  txid: string,
  nowMs: number,
): Promise<Statement> {
  const answers: (boolean | null)[] = []
  for (const server of servers)
    answers.push(server.fault === null ? await tryServer(server, () => server.client.knows(txid)) : null)
  const state = answers.every((answer) => answer === false) ? 'gone' : 'seen'
  return sql`
    UPDATE payments SET state = ${state}, checked_at = ${nowMs}
    WHERE network = 'btc' AND reference BETWEEN ${`${txid}:`} AND ${`${txid};`} AND state = 'seen'`
}

function getTxid(reference: string): string {
  return reference.slice(0, 64)
}

/** Addresses that a server may leave unanswered before it is asked no more. */
const TRIES = 2

/**
 * Records unconfirmed payments to addresses, with one call for each address. Confirmed payments are found in their blocks. If a server no
 * longer lists a payment, another transaction may have replaced it. Both servers are asked before the new payment is recorded, so that an
 * investor never sees both.
 */
async function searchAddresses(
  db: Database,
  servers: readonly BitcoinServer[],
  due: readonly DueAddress[],
  budget: CallBudget,
  nowMs: number,
): Promise<void> {
  const sightings: SeenPayment[] = []
  const looked: string[] = []
  const checks: Statement[] = []
  const seen = await readSeen(db, due)
  // A server that answers about other addresses has no fault: strangers decide how much there is to say about one.
  const answering = new Set<BitcoinServer>()
  const unanswered: { server: BitcoinServer; address: string; fault: string }[] = []
  for (const [at, { address, investor, script }] of due.entries()) {
    if (!budget.has(1)) break
    const usable = servers.filter(
      (server) =>
        server.fault === null &&
        (answering.has(server) || unanswered.filter((failure) => failure.server === server).length < TRIES),
    )
    const server = usable[at % Math.max(1, usable.length)]
    if (server === undefined) break
    const transactions = await tryServer(server, () =>
      server.client.transactionsOf(address).catch((error: unknown) => {
        if (!(error instanceof Unanswered)) throw error
        if (error instanceof TooLarge) looked.push(address)
        else unanswered.push({ server, address, fault: error.message })
        return null
      }),
    )
    if (transactions === null) continue
    answering.add(server)
    const missing = seen.find(
      (payment) => payment.address === address && !transactions.some(({ txid }) => txid === payment.txid),
    )
    if (missing !== undefined) {
      if (!budget.has(servers.length)) continue
      checks.push(await checkWaiting(servers, missing.txid, nowMs))
    }
    looked.push(address)
    for (const { txid, vout, status } of transactions) {
      if (status.confirmed) continue
      for (const [output, { scriptpubkey, value }] of vout.entries()) {
        if (scriptpubkey !== script || value === 0) continue
        const reference = `${txid}:${output}`
        sightings.push({
          network: 'btc',
          reference,
          address,
          investor,
          quantity: BigInt(value),
          block: null,
          proof: null,
        })
      }
    }
  }
  for (const { server, address, fault } of unanswered)
    if (answering.has(server)) looked.push(address)
    else server.fault ??= fault
  if (looked.length === 0) return
  await runBatch(db, [
    ...checks,
    ...(await recordSightings(db, sightings, nowMs)),
    markChecked(looked, nowMs),
  ])
}

/** The unconfirmed transactions that were seen to pay these addresses, those first that were asked about longest ago. */
async function readSeen(db: Database, due: readonly DueAddress[]) {
  const { address, reference, checkedAt } = payments
  const addresses = JSON.stringify(due.map((row) => row.address))
  const rows = await db
    .select({ address, reference })
    .from(payments)
    .where(sql`network = 'btc' AND state = 'seen' AND address IN (SELECT value FROM json_each(${addresses}))`)
    .orderBy(checkedAt)
  return rows.map(({ address, reference }) => ({ address, txid: getTxid(reference) }))
}
