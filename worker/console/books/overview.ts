import { sql } from 'drizzle-orm'
import {
  getOverview as endpoint,
  MOST_COUNTED,
  type OperatorOverview,
} from '../../../src/contract/console/overview.ts'
import { usdOf } from '../../../src/contract/money.ts'
import { ok, route } from '../../http/call.ts'
import { iso, isoOrNull } from '../../http/paging.ts'
import { lastValuation } from '../../ledger/balances.ts'
import { ASSET_DECIMALS, type Asset, quantityOf } from '../../ledger/custody.ts'
import { valueCentsSql } from '../../ledger/units.ts'
import { type Read, reading, readTogether } from '../../lib/database.ts'
import { decisionTimesOf, readDecisionTimes } from '../../money/decisionTimes/read.ts'
import { ceilingsOf, readCeilings } from '../cases/alone.ts'
import { rateIn, readRates } from '../cases/rates.ts'
import {
  booksOf,
  type KindSums,
  readCounted,
  readCustody,
  readKindsUnlessCounted,
  trialBalance,
} from './books.ts'
import { readWaiting, type Waiting } from './queues.ts'

/**
 * What waits and since when, how long decisions take, custody against liabilities, and whether the books balance: one round
 * trip. It reads a thousand rows of each queue at the most, and of the books what `counted.ts` says.
 */
export const showOverview = route(endpoint, async (call) => {
  const { db, nowMs } = call
  const [times, counted, custody, kinds, pools, debtors, market, ceilings, ...waiting] = await readTogether(
    db,
    readDecisionTimes(),
    readCounted(),
    readCustody(),
    readKindsUnlessCounted(),
    readPools(),
    readDebtors(),
    readRates(db),
    readCeilings(call.actor.id, nowMs),
    ...readWaiting(),
  )
  const books = booksOf(counted[0]) ?? { atMs: nowMs, custody, kinds }
  const poolsCents = pools[0]?.cents ?? 0
  return ok({
    at: iso(nowMs),
    waiting: waitingOf(waiting.flat()),
    decisionTimes: decisionTimesOf(times),
    ceilings: ceilingsOf(ceilings),
    booksAt: iso(books.atMs),
    custody: books.custody.toSorted(byAsset).map(({ asset, unit, units }) => {
      const rate = asset === 'usd' ? '1' : rateIn(market, asset, call)
      return {
        asset,
        unit,
        quantity: quantityOf(asset, BigInt(units)),
        valueUsd: rate === null ? null : usdOf(Number(assetValueCents(asset, BigInt(units), rate))),
      }
    }),
    strategies: { paidIn: usdOf(sumOf(books.kinds, PAID_IN)), value: usdOf(poolsCents) },
    liabilities: usdOf(sumOf(books.kinds, CLAIMS) + poolsCents),
    debts: { amount: usdOf(-sumOf(books.kinds, OWED)), investors: debtors[0]?.count ?? 0 },
    trialBalance: trialBalance(books.kinds),
  })
})

// Coins in the order in which they are offered, dollars last.
const ASSETS = Object.keys(ASSET_DECIMALS)

function byAsset(a: { asset: Asset }, b: { asset: Asset }): number {
  return ASSETS.indexOf(a.asset) - ASSETS.indexOf(b.asset)
}

function waitingOf(queues: readonly Waiting[]): OperatorOverview['waiting'] {
  const counts = queues.map(({ name, count, oldest }) => [name, { count, oldest: isoOrNull(oldest) }])
  return Object.fromEntries(counts) as OperatorOverview['waiting']
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

/** What so many of an asset's smallest units are worth in cents, at a rate in USD for one coin; cut toward zero. */
export function assetValueCents(asset: Asset, units: bigint, rate: string): bigint {
  const [whole = '0', fraction = ''] = rate.split('.')
  const scale = 10n ** BigInt(fraction.length)
  return (units * BigInt(whole + fraction) * 100n) / (scale * 10n ** BigInt(ASSET_DECIMALS[asset]))
}
