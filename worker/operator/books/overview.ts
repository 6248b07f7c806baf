import { type SQL, sql } from 'drizzle-orm'
import { usdOf } from '../../../src/contract/money.ts'
import type { OperatorOverview } from '../../../src/contract/operator/overview.ts'
import { MOST_COUNTED } from '../../../src/contract/operator/waiting.ts'
import { decisionTimesOf, readDecisionTimes } from '../../decisionTimes/read.ts'
import { ASSET_DECIMALS, type Asset, quantityOf } from '../../ledger/custody.ts'
import { type ActorCall, type Answer, ok } from '../../lib/call.ts'
import { type Read, reading, readTogether } from '../../lib/database.ts'
import { iso } from '../../lib/paging.ts'
import { rateIn, readRates } from '../rates.ts'
import { booksOf, readCounted, readCustody, readKindsUnlessCounted } from './counted.ts'
import { type KindSums, trialBalance } from './trialBalance.ts'
import { valueCents } from './value.ts'

/**
 * What waits and since when, how long decisions take, custody against liabilities, and whether the books balance: one round
 * trip. It reads a thousand rows of each queue at the most, and of the books what `counted.ts` says.
 */
export async function showOverview(call: ActorCall): Promise<Answer<OperatorOverview>> {
  const { db, nowMs } = call
  const [deposits, withdrawals, payouts, kyc, messages, proposals, times, counted, custody, kinds, market] =
    await readTogether(
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
      readRates(db),
    )
  const books = booksOf(counted[0]) ?? { atMs: nowMs, custody, kinds }
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
    liabilities: usdOf(liabilitiesOf(books.kinds)),
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

/** What investors could claim, in cents: cash, what is held, what waits to be invested and what is invested, less what they owe. */
function liabilitiesOf(kinds: readonly KindSums[]): number {
  let sum = 0
  for (const { kind, debits, credits } of kinds) if (CLAIMS.has(kind)) sum += debits - credits
  return sum
}

const CLAIMS = new Set(['available', 'held', 'allocating', 'invested', 'owed'])
