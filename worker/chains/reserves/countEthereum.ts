import { and, eq, lt, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { deriveTreasuryAddress, parseAccountKey } from '../../../src/chain/ethereum/account.ts'
import { encodeQuantity } from '../../../src/chain/ethereum/hex.ts'
import { COINS, type Coin, getCoinOfNetwork } from '../../../src/contract/money/coins.ts'
import type { ProvedNetwork } from '../../../src/contract/money/payments.ts'
import { type Database, parseStored, readTogether, runBatch, selectRows } from '../../lib/database.ts'
import type { Env } from '../../lib/env.ts'
import { depositAddresses, ethereumPositions, watchWallets } from '../../lib/tables/payments.ts'
import { reserveCounts } from '../../lib/tables/payouts.ts'
import { RESERVE_CALLS } from '../follow/observe.ts'
import { toCustodyUnits } from '../follow/record.ts'
import { buildBalanceQuestion, decodeQuantity } from '../payouts/ethereumServer.ts'
import { type EthereumConfiguration, getEthereumConfiguration } from '../servers/configuration.ts'
import { createJsonRpc, type JsonRpc } from '../servers/jsonRpc.ts'
import { CallBudget, ServerFault } from '../servers/server.ts'
import { readBooked, reportShortfall, storeReserve } from './books.ts'

/** Addresses of one page. Both servers are asked about each page, in one call each. */
const ADDRESSES = 100

/** Units of custody by asset, as decimals: the columns `held` and `booked` of `reserve_counts`. */
const storedSums = z.partialRecord(z.enum(COINS), z.string())
type Sums = z.output<typeof storedSums>

/**
 * Counts the coins of the treasury and the paid deposit addresses on Ethereum, all at one finalised block, a page of addresses a minute.
 * Both servers must say the same. Servers keep the state of old blocks for a while only: a count that takes longer begins again.
 */
export async function countEthereum(env: Env, db: Database, day: string, nowMs: number): Promise<void> {
  const configuration = getEthereumConfiguration(env)
  if (configuration === null) return
  const [count] = await db.select().from(reserveCounts).where(eq(reserveCounts.day, day))
  // The next minute counts the first page: the job `payments` leaves its calls then.
  if (count === undefined) return beginCount(db, day, nowMs)
  const page = await readPage(db, count.reached)
  const budget = new CallBudget(RESERVE_CALLS)
  const clients = configuration.servers.map((server) => createJsonRpc(server, budget))
  try {
    const sums = await sumHoldings(clients, configuration, page.addresses, count.height)
    const held = addSums(parseStored(storedSums, count.held), sums)
    if (page.next === null) return await storeCount(db, count, held, nowMs)
    await db
      .update(reserveCounts)
      .set({ reached: page.next, held: JSON.stringify(held) })
      .where(and(eq(reserveCounts.day, day), eq(reserveCounts.reached, count.reached)))
  } catch (error) {
    if (!(error instanceof ServerFault)) throw error
    // The block may be too old for the servers by now.
    await db
      .delete(reserveCounts)
      .where(and(eq(reserveCounts.day, day), lt(reserveCounts.at, nowMs - AGE_MS)))
    throw error
  }
}

/** Servers keep the state of about 128 blocks, of which 64 had passed when the block became final. */
const AGE_MS = 12 * 60_000

/** Begins the day's count at the newest block that both servers call finalised, unless the day is counted or no block is known. */
async function beginCount(db: Database, day: string, nowMs: number): Promise<void> {
  const [block] = await db
    .select()
    .from(ethereumPositions)
    .where(sql`name = 'finalised' AND EXISTS (SELECT 1 FROM watch_wallets WHERE chain = 'ethereum')
      AND NOT EXISTS (SELECT 1 FROM reserves WHERE day >= ${day} AND chain = 'ethereum')`)
  if (block === undefined) return
  // Read at the same time as the block: later credits may be in a later block.
  const [rows] = await readTogether(db, readBooked('ethereum', sql`${block.height}`))
  const booked = JSON.stringify(Object.fromEntries(rows.map(({ asset, units }) => [asset, units])))
  const { height, hash: blockHash } = block
  await runBatch(db, [
    db.delete(reserveCounts),
    db.insert(reserveCounts).values({ day, height, blockHash, held: '{}', booked, at: nowMs }),
  ])
}

/** Addresses after the last counted one. The first page begins with the treasuries of all wallets, also of retired ones. */
async function readPage(
  db: Database,
  after: number,
): Promise<{ readonly addresses: readonly string[]; readonly next: number | null }> {
  const { seq, address } = depositAddresses
  const [wallets, rows] = await readTogether(
    db,
    selectRows({ descriptor: watchWallets.descriptor })
      .from(watchWallets)
      .where(eq(watchWallets.chain, 'ethereum'))
      .orderBy(watchWallets.seq),
    selectRows({ seq, address })
      .from(depositAddresses)
      .where(sql`seq > ${after} AND paid_at IS NOT NULL
        AND wallet IN (SELECT id FROM watch_wallets WHERE chain = 'ethereum')`)
      .orderBy(seq)
      .limit(ADDRESSES),
  )
  const treasuries =
    after === 0 ? wallets.map(({ descriptor }) => deriveTreasuryAddress(parseAccountKey(descriptor))) : []
  const last = rows.at(-1)?.seq
  return {
    addresses: [...treasuries, ...rows.map(({ address }) => address)],
    next: rows.length < ADDRESSES || last === undefined ? null : last,
  }
}

/** What addresses hold at a height, by asset, in units of custody. Throws if the two servers differ. */
async function sumHoldings(
  clients: readonly JsonRpc[],
  { tokens }: EthereumConfiguration,
  addresses: readonly string[],
  height: number,
): Promise<Sums> {
  const block = encodeQuantity(height)
  const questions = addresses.flatMap((address) => [
    { network: 'eth' as ProvedNetwork, question: { method: 'eth_getBalance', params: [address, block] } },
    ...Object.entries(tokens).map(([contract, network]) => ({
      network,
      question: buildBalanceQuestion(contract, address, block),
    })),
  ])
  if (questions.length === 0) return {}
  const answers: string[] = []
  let sums: Sums = {}
  for (const client of clients) {
    const balances = await client.ask(questions.map(({ question }) => question))
    sums = {}
    for (const [i, { network }] of questions.entries()) {
      const units = toCustodyUnits(network, decodeQuantity(balances[i]))
      sums = addSums(sums, { [getCoinOfNetwork(network)]: units.toString() })
    }
    answers.push(JSON.stringify(sums))
  }
  if (new Set(answers).size !== 1) throw new ServerFault('disagrees with the other server about balances')
  return sums
}

function addSums(first: Sums, second: Sums): Sums {
  const sums: Sums = { ...first }
  for (const [asset, units] of Object.entries(second) as [Coin, string][])
    sums[asset] = (BigInt(sums[asset] ?? '0') + BigInt(units)).toString()
  return sums
}

async function storeCount(
  db: Database,
  { day, height, blockHash: hash, ...count }: typeof reserveCounts.$inferSelect,
  held: Sums,
  nowMs: number,
): Promise<void> {
  const booked = parseStored(storedSums, count.booked)
  const assets = Object.keys(booked) as Coin[]
  await runBatch(db, [
    ...assets.map((asset) =>
      storeReserve(
        {
          day,
          asset,
          chain: 'ethereum',
          height,
          hash,
          units: BigInt(held[asset] ?? '0'),
          booked: BigInt(booked[asset] ?? '0'),
        },
        nowMs,
      ),
    ),
    db.delete(reserveCounts).where(eq(reserveCounts.day, day)),
  ])
  await reportShortfall(db, day, 'ethereum')
}
