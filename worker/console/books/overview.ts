import { type SQL, sql } from 'drizzle-orm'
import { MOST_COUNTED, type OperatorOverview } from '../../../src/contract/console/overview.ts'
import { usdOf } from '../../../src/contract/money.ts'
import { type ActorCall, type Answer, ok } from '../../http/call.ts'
import { iso } from '../../http/paging.ts'
import { lastValuation } from '../../ledger/balances.ts'
import { ASSET_DECIMALS, type Asset, quantityOf } from '../../ledger/custody.ts'
import { valueCentsSql } from '../../ledger/units.ts'
import { type Read, reading, readTogether } from '../../lib/database.ts'
import { decisionTimesOf, readDecisionTimes } from '../../money/decisionTimes/read.ts'
import { ceilingsOf, readCeilings } from '../cases/limits.ts'
import { rateIn, readRates } from '../cases/rates.ts'
import { booksOf, readCounted, readCustody, readKindsUnlessCounted } from './counted.ts'
import { type KindSums, trialBalance } from './trialBalance.ts'
import { valueCents } from './value.ts'

/**
 * What waits and since when, how long decisions take, custody against liabilities, and whether the books balance: one round
 * trip. It reads a thousand rows of each queue at the most, and of the books what `counted.ts` says.
 */
export async function showOverview(call: ActorCall): Promise<Answer<OperatorOverview>> {
  const { db, nowMs } = call
  const [
    deposits,
    withdrawals,
    payouts,
    kyc,
    messages,
    proposals,
    times,
    counted,
    custody,
    kinds,
    pools,
    debtors,
    market,
    ceilings,
  ] = await readTogether(
    db,
    readWaiting(sql`requests WHERE queue = 'deposits' AND status = 'pending' ORDER BY created_at`),
    readWaiting(sql`requests WHERE queue = 'withdrawals' AND status = 'pending' ORDER BY created_at`),
    readWaiting(sql`requests WHERE queue = 'withdrawals' AND status = 'approved' ORDER BY created_at`),
    readWaiting(sql`kyc_submissions WHERE status = 'pending' ORDER BY seq`),
    readWaiting(sql`contact_messages WHERE status = 'open' ORDER BY seq`),
    readWaiting(sql`proposals WHERE status = 'pending' ORDER BY seq`),
    readDecisionTimes(),
    readCounted(),
    readCustody(),
    readKindsUnlessCounted(),
    readPools(),
    readDebtors(),
    readRates(db),
    readCeilings(call.actor.id, nowMs),
  )
  const books = booksOf(counted[0]) ?? { atMs: nowMs, custody, kinds }
  const poolsCents = pools[0]?.cents ?? 0
  return ok({
    at: iso(nowMs),
    waiting: {
      deposits: waitingOf(deposits),
      withdrawals: waitingOf(withdrawals),
      payouts: waitingOf(payouts),
      kyc: waitingOf(kyc),
      messages: waitingOf(messages),
      proposals: waitingOf(proposals),
    },
    decisionTimes: decisionTimesOf(times),
    ceilings: ceilingsOf(ceilings),
    booksAt: iso(books.atMs),
    custody: books.custody.toSorted(byAsset).map(({ asset, unit, units }) => {
      const rate = asset === 'usd' ? '1' : rateIn(market, asset, call)
      return {
        asset,
        unit,
        quantity: quantityOf(asset, BigInt(units)),
        valueUsd: rate === null ? null : usdOf(Number(valueCents(asset, BigInt(units), rate))),
      }
    }),
    strategies: { paidIn: usdOf(sumOf(books.kinds, PAID_IN)), value: usdOf(poolsCents) },
    liabilities: usdOf(sumOf(books.kinds, CLAIMS) + poolsCents),
    debts: { amount: usdOf(-sumOf(books.kinds, OWED)), investors: debtors[0]?.count ?? 0 },
    trialBalance: trialBalance(books.kinds),
  })
}

// Coins in the order in which they are offered, dollars last.
const ASSETS = Object.keys(ASSET_DECIMALS)

function byAsset(a: { asset: Asset }, b: { asset: Asset }): number {
  return ASSETS.indexOf(a.asset) - ASSETS.indexOf(b.asset)
}

interface Waiting {
  readonly count: number
  readonly oldest: number | null
}

/** The rows of a queue, oldest first: counted no further than the queues’ own screens count them. */
function readWaiting(where: SQL): Read<Waiting> {
  return reading(
    sql`SELECT count(*) AS count, min(created_at) AS oldest FROM (SELECT created_at FROM ${where} LIMIT ${MOST_COUNTED})`,
  )
}

function waitingOf(rows: readonly Waiting[]) {
  const { count = 0, oldest = null } = rows[0] ?? {}
  return { count, oldest: oldest === null ? null : iso(oldest) }
}

/** What all units of all strategies were worth at the newest valuation of each. */
function readPools(): Read<{ cents: number }> {
  return reading(sql`
    SELECT coalesce(sum(${valueCentsSql(sql`units`, sql`price`)}), 0) AS cents
    FROM (SELECT units, ${lastValuation(sql`pools.strategy`)} AS price FROM pools)`)
}

function readDebtors(): Read<{ count: number }> {
  return reading(sql`
    SELECT count(*) AS count FROM (
      SELECT 1 FROM accounts WHERE kind = 'owed' AND balance < 0 LIMIT ${MOST_COUNTED})`)
}

function sumOf(kinds: readonly KindSums[], wanted: ReadonlySet<string>): number {
  let sum = 0
  for (const { kind, debits, credits } of kinds) if (wanted.has(kind)) sum += debits - credits
  return sum
}

/** What investors could claim besides their units: cash, holds and what waits to be invested. Debts stand apart. */
const CLAIMS = new Set(['available', 'held', 'allocating'])
const OWED = new Set(['owed'])
/** What was paid into strategies, less what came back: at its cost, and what was lost (or made, below zero) with what was sold. */
const PAID_IN = new Set(['invested', 'result'])
