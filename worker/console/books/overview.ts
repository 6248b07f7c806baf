import { count, sql } from 'drizzle-orm'
import { MOST_COUNTED, type OperatorOverview } from '../../../src/contract/console/overview.ts'
import { toUsd } from '../../../src/contract/money.ts'
import { type ActorCall, type FirstReadsCall, ok } from '../../http/call.ts'
import { toIso, toIsoOrNull } from '../../http/paging.ts'
import { selectLastValuation } from '../../ledger/balances.ts'
import { ASSET_DECIMALS, ASSETS, type Asset, formatQuantity } from '../../ledger/custody.ts'
import { valueCentsSql } from '../../ledger/units.ts'
import { type RowsOf, selectRows } from '../../lib/database.ts'
import { isMoneyReal } from '../../lib/env.ts'
import { findRate, type MarketRow, readRates } from '../../lib/market/rates.ts'
import { readDecisionTimes, toDecisionTimes } from '../../money/decisionTimes/read.ts'
import { readCeilings, toCeilings } from '../cases/alone.ts'
import { readWaiting, type WaitingKind } from '../work/kinds.ts'
import {
  computeTrialBalance,
  type KindSums,
  parseBooks,
  readCounted,
  readCustody,
  readKindsUnlessCounted,
} from './books.ts'
import { readVenues, splitCustody } from './places.ts'

/**
 * Queue lengths and ages, decision times, custody against liabilities and the balance of the books. Reads at most a thousand
 * rows of each queue; for the books see `countBooks`.
 */
export async function showOverview(call: ActorCall, rows: RowsOf<ReturnType<typeof readOverview>>) {
  const { nowMs } = call
  const [times, counted, custody, venues, kinds, pools, debtors, market, ceilings, ...waiting] = rows
  const books = parseBooks(counted[0]) ?? { atMs: nowMs, custody, kinds }
  const poolsCents = pools[0]?.cents ?? 0
  return ok({
    at: toIso(nowMs),
    waiting: toWaitingCounts(waiting.flat()),
    decisionTimes: toDecisionTimes(times),
    ceilings: toCeilings(ceilings),
    booksAt: toIso(books.atMs),
    custody: books.custody.toSorted(compareAssets).map(({ asset, unit, units }) => {
      return {
        asset,
        unit,
        quantity: formatQuantity(asset, BigInt(units)),
        valueUsd: computeValueUsd(call, market, asset, BigInt(units)),
      }
    }),
    places: splitCustody(books.custody, venues, !isMoneyReal(call.env)),
    strategies: { paidIn: toUsd(sumKinds(books.kinds, PAID_IN)), value: toUsd(poolsCents) },
    liabilities: toUsd(sumKinds(books.kinds, CLAIMS) + poolsCents),
    debts: { amount: toUsd(-sumKinds(books.kinds, OWED)), investors: debtors[0]?.count ?? 0 },
    trialBalance: computeTrialBalance(books.kinds),
  })
}

export function readOverview({ db, nowMs, actorId }: FirstReadsCall<unknown>) {
  return [
    readDecisionTimes(),
    readCounted(),
    readCustody(),
    readVenues(),
    readKindsUnlessCounted(),
    readPools(),
    readDebtors(),
    readRates(db),
    readCeilings(actorId, nowMs),
    ...readWaiting(nowMs),
  ] as const
}

function compareAssets(a: { asset: Asset }, b: { asset: Asset }): number {
  return ASSETS.indexOf(a.asset) - ASSETS.indexOf(b.asset)
}

export function toWaitingCounts(kinds: readonly WaitingKind[]): OperatorOverview['waiting'] {
  const counts = kinds.map(({ name, oldest, ...counted }) => [
    name,
    { ...counted, oldest: toIsoOrNull(oldest) },
  ])
  return Object.fromEntries(counts) as OperatorOverview['waiting']
}

/** The value of all units of all strategies, each at its newest valuation. */
function readPools() {
  return selectRows({ cents: sql<number>`coalesce(sum(${valueCentsSql(sql`units`, sql`price`)}), 0)` }).from(
    sql`(SELECT units, ${selectLastValuation(sql`pools.strategy`)} AS price FROM pools)`,
  )
}

function readDebtors() {
  return selectRows({ count: count() }).from(
    sql`(SELECT 1 FROM accounts WHERE kind = 'owed' AND balance < 0 LIMIT ${MOST_COUNTED})`,
  )
}

function sumKinds(kinds: readonly KindSums[], wanted: ReadonlySet<string>): number {
  let sum = 0
  for (const { kind, debits, credits } of kinds) if (wanted.has(kind)) sum += debits - credits
  return sum
}

/** What investors can claim besides their units: cash, holds and money that waits to be invested. Debts are listed apart. */
const CLAIMS = new Set(['available', 'held', 'allocating'])
const OWED = new Set(['owed'])
/** Money paid into strategies less money taken out: the units at cost, and the loss (below zero: the gain) on units sold. */
const PAID_IN = new Set(['invested', 'result'])

/** The value of a quantity at market prices; null without a price. */
export function computeValueUsd(
  call: Pick<ActorCall, 'env' | 'nowMs'>,
  market: readonly MarketRow[],
  asset: Asset,
  units: bigint,
  decimals: number = ASSET_DECIMALS[asset],
): number | null {
  const rate = asset === 'usd' ? '1' : findRate(market, asset, call)
  return rate === null ? null : toUsd(Number(computeValueCents(asset, units, rate, decimals)))
}

/** The value in cents of a quantity in units of 10^-decimals, the asset's smallest by default, at a rate in USD for one coin. Truncates toward zero. */
export function computeValueCents(
  asset: Asset,
  units: bigint,
  rate: string,
  decimals: number = ASSET_DECIMALS[asset],
): bigint {
  const [whole = '0', fraction = ''] = rate.split('.')
  const scale = 10n ** BigInt(fraction.length)
  return (units * BigInt(whole + fraction) * 100n) / (scale * 10n ** BigInt(decimals))
}
