import { type SQL, sql } from 'drizzle-orm'
import { usdOf } from '../../../src/contract/money.ts'
import type { OperatorOverview } from '../../../src/contract/operator/overview.ts'
import { ASSET_DECIMALS, type Asset, quantityOf } from '../../ledger/custody.ts'
import { type ActorCall, type Answer, ok } from '../../lib/call.ts'
import { type Read, reading, readTogether } from '../../lib/database.ts'
import { iso } from '../../lib/paging.ts'
import { rateIn, readRates } from '../rates.ts'
import { type KindSums, readKinds, trialBalance } from './trialBalance.ts'
import { valueCents } from './value.ts'

/** What waits and since when, custody against liabilities, and whether the books balance: one round trip. */
export async function showOverview(call: ActorCall): Promise<Answer<OperatorOverview>> {
  const { db } = call
  const [deposits, withdrawals, payouts, kyc, messages, proposals, custody, kinds, market] =
    await readTogether(
      db,
      readWaiting(sql`requests WHERE queue = 'deposits' AND status = 'pending'`),
      readWaiting(sql`requests WHERE queue = 'withdrawals' AND status = 'pending'`),
      readWaiting(sql`requests WHERE queue = 'withdrawals' AND status = 'approved'`),
      readWaiting(sql`kyc_submissions WHERE status = 'pending'`),
      readWaiting(sql`contact_messages WHERE status = 'open'`),
      readWaiting(sql`proposals WHERE status = 'pending'`),
      // As text, because a JavaScript number stops being exact at 2^53.
      reading<{ asset: Asset; unit: string; units: string }>(sql`
      SELECT a.asset, a.unit, CAST(b.balance AS TEXT) AS units
      FROM custody_assets a JOIN custody_balances b ON b.asset = a.asset`),
      readKinds(),
      readRates(db),
    )
  return ok({
    waiting: {
      deposits: waitingOf(deposits),
      withdrawals: waitingOf(withdrawals),
      payouts: waitingOf(payouts),
      kyc: waitingOf(kyc),
      messages: waitingOf(messages),
      proposals: waitingOf(proposals),
    },
    custody: custody.toSorted(byAsset).map(({ asset, unit, units }) => {
      const rate = asset === 'usd' ? '1' : rateIn(market, asset, call)
      return {
        asset,
        unit,
        quantity: quantityOf(asset, BigInt(units)),
        valueUsd: rate === null ? null : usdOf(Number(valueCents(asset, BigInt(units), rate))),
      }
    }),
    liabilities: usdOf(liabilitiesOf(kinds)),
    trialBalance: trialBalance(kinds),
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

function readWaiting(where: SQL): Read<Waiting> {
  return reading(sql`SELECT count(*) AS count, min(created_at) AS oldest FROM ${where}`)
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
