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
import { isMoneyReal } from '../../lib/env.ts'
import { rateIn, readRates } from '../../lib/market/rates.ts'
import { decisionTimesOf, readDecisionTimes } from '../../money/decisionTimes/read.ts'
import { ceilingsOf, readCeilings } from '../cases/alone.ts'
import {
  booksOf,
  type KindSums,
  readCounted,
  readCustody,
  readKindsUnlessCounted,
  trialBalance,
} from './books.ts'
import { placesOf, readVenues } from './places.ts'
import { readWaiting, type Waiting } from './queues.ts'

/**
 * Queue lengths and ages, decision times, custody against liabilities and the balance of the books, in one round trip. Reads at
 * most a thousand rows of each queue; for the books see `countBooks`.
 */
export const showOverview = route(endpoint, async (call) => {
  const { db, nowMs } = call
  const [times, counted, custody, venues, kinds, pools, debtors, market, ceilings, ...waiting] =
    await readTogether(
      db,
      readDecisionTimes(),
      readCounted(),
      readCustody(),
      readVenues(),
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
    places: placesOf(books.custody, venues, !isMoneyReal(call.env)),
    strategies: { paidIn: usdOf(sumOf(books.kinds, PAID_IN)), value: usdOf(poolsCents) },
    liabilities: usdOf(sumOf(books.kinds, CLAIMS) + poolsCents),
    debts: { amount: usdOf(-sumOf(books.kinds, OWED)), investors: debtors[0]?.count ?? 0 },
    trialBalance: trialBalance(books.kinds),
  })
})

const ASSETS = Object.keys(ASSET_DECIMALS)

function byAsset(a: { asset: Asset }, b: { asset: Asset }): number {
  return ASSETS.indexOf(a.asset) - ASSETS.indexOf(b.asset)
}

function waitingOf(queues: readonly Waiting[]): OperatorOverview['waiting'] {
  const counts = queues.map(({ name, count, oldest }) => [name, { count, oldest: isoOrNull(oldest) }])
  return Object.fromEntries(counts) as OperatorOverview['waiting']
}

/** The value of all units of all strategies, each at its newest valuation. */
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

/** What investors can claim besides their units: cash, holds and money that waits to be invested. Debts are listed apart. */
const CLAIMS = new Set(['available', 'held', 'allocating'])
const OWED = new Set(['owed'])
/** Money paid into strategies less money taken out: the units at cost, and the loss (below zero: the gain) on units sold. */
const PAID_IN = new Set(['invested', 'result'])

/** The value in cents of a quantity in the asset's smallest unit, at a rate in USD for one coin. Truncates toward zero. */
export function assetValueCents(asset: Asset, units: bigint, rate: string): bigint {
  const [whole = '0', fraction = ''] = rate.split('.')
  const scale = 10n ** BigInt(fraction.length)
  return (units * BigInt(whole + fraction) * 100n) / (scale * 10n ** BigInt(ASSET_DECIMALS[asset]))
}
