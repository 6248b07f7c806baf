import { env } from 'cloudflare:workers'
import { vi } from 'vitest'
import { CATALOGUE } from '../../engine/catalogue.ts'
import { hashDefinition, toCanonicalJson } from '../../src/contract/investing/strategyRecord.ts'
import { DAY_MS } from '../../src/time.ts'
import { sealValuation } from '../../worker/investing/trading/valuation.ts'
import {
  type Holding,
  settleAllocation,
  settleRedemption,
  submitAllocation,
} from '../../worker/ledger/strategies.ts'
import { generateText, newId, newRef, UNAMBIGUOUS } from '../../worker/lib/crypto/tokens.ts'
import { openDatabase, runBatch } from '../../worker/lib/database.ts'
import { poolSteps, strategies, strategyEvents, valuations } from '../../worker/lib/tables/strategies.ts'
import { anotherSession, newInvestor, type Person } from './people.ts'

const REAL_NOW = Date.now()

/** 00:00 UTC of a day in the recent past, counted from a test's first day. Prices are never of future days. */
export function dayOf(number: number): number {
  return (Math.floor(REAL_NOW / DAY_MS) - 60 + number) * DAY_MS
}

/** Sets the clock to noon of such a day, and signs in again, because no session lives that long. The test resets the clock. */
export async function onDay(number: number, person: Person): Promise<Person> {
  vi.useFakeTimers({ now: dayOf(number) + DAY_MS / 2, toFake: ['Date'] })
  return { ...person, token: await anotherSession(person) }
}

/** Starts a strategy with the catalogue's rules under a new slug, with a minimum of 10 USD. Returns the slug. */
export async function newStrategy(like = 'hold-the-index', market = 'simulated'): Promise<string> {
  const offered = CATALOGUE.find((each) => each.slug === like)
  if (offered === undefined) throw new Error(`There is no strategy ${like}`)
  const slug = `${like}-${generateText(8, UNAMBIGUOUS)}`
  const db = openDatabase(env.DB)
  await runBatch(db, [
    db.insert(strategies).values({
      slug,
      definition: toCanonicalJson(offered.definition),
      hash: await hashDefinition(offered.definition),
      market,
      minimum: 1000,
      startedAt: dayOf(0),
    }),
  ])
  return slug
}

/** Lets another investor allocate on the first day, so that the pool has cash for one investor's gain. */
export async function withOthers(strategy: string): Promise<void> {
  const db = openDatabase(env.DB)
  const other = await newInvestor({ availableCents: 10_000_00 })
  const order = { id: newId(), ref: newRef('ALC'), investor: other.id, strategy, cents: 10_000_00 }
  await runBatch(db, [submitAllocation(db, { ...order, atMs: dayOf(1) })])
}

/** Suspends a strategy, so that it takes no new money. */
export async function suspend(strategy: string, reason = 'It fell too far.'): Promise<void> {
  const db = openDatabase(env.DB)
  await runBatch(db, [
    db
      .insert(strategyEvents)
      .values({ strategy, kind: 'suspended', reason, actor: 'system', at: Date.now() }),
  ])
}

interface Waiting {
  readonly id: string
  readonly investor: string
  readonly kind: 'allocate' | 'redeem'
  readonly cents: number | null
  readonly units: number
  readonly cost: number
  readonly highWater: number
}

/**
 * Values a day's open at a price in USD, by default 1 % higher for allocations and 1 % lower for redemptions, and settles earlier
 * orders like the pool, without trading.
 */
export async function settleDay(
  strategy: string,
  number: number,
  dollars: number,
  part = 0.01,
): Promise<void> {
  const day = dayOf(number)
  const price = Math.round(dollars * 1e6)
  const issue = Math.round(price * (1 + part))
  const redeem = Math.round(price * (1 - part))
  await value(strategy, day, 'open', price, issue, redeem)
  const db = openDatabase(env.DB)
  const { results } = await env.DB.prepare(
    `SELECT o.id, o.investor, o.kind, o.cents, p.units, p.cost, p.high_water AS highWater
     FROM unit_orders o JOIN positions p ON p.investor = o.investor AND p.strategy = o.strategy
     WHERE o.strategy = ? AND o.status = 'pending' AND o.created_at < ? ORDER BY o.seq`,
  )
    .bind(strategy, day)
    .all<Waiting>()
  const after = new Map<string, Holding>()
  for (const { units, cost, highWater, ...order } of results) {
    const held = after.get(order.investor) ?? { units, cost, highWater }
    const named = { ...order, strategy, cents: order.cents ?? 0 }
    const settlement =
      order.kind === 'allocate'
        ? settleAllocation(db, named, held, { day, price: issue, nowMs: day })
        : settleRedemption(db, { ...named, cents: order.cents }, held, { day, price: redeem, nowMs: day })
    if (settlement === null) throw new Error('Nothing was left to redeem')
    await runBatch(db, [settlement.statement])
    after.set(order.investor, settlement.holding)
  }
  await runBatch(db, [db.insert(poolSteps).values({ strategy, day, at: day })])
}

/** Records a day's close at a price in USD. */
export async function closeDay(strategy: string, number: number, dollars: number): Promise<void> {
  const day = dayOf(number)
  const price = Math.round(dollars * 1e6)
  await value(strategy, day, 'close', price, null, null)
}

async function value(
  strategy: string,
  day: number,
  kind: 'open' | 'close',
  unitPrice: number,
  issuePrice: number | null,
  redeemPrice: number | null,
): Promise<void> {
  const db = openDatabase(env.DB)
  const found = await env.DB.prepare(
    `SELECT p.units, coalesce(
       (SELECT hash FROM valuations v WHERE v.strategy = s.slug ORDER BY day DESC, kind LIMIT 1), s.hash) AS previous, coalesce(
       (SELECT unit_price FROM valuations v WHERE v.strategy = s.slug ORDER BY day DESC, kind LIMIT 1), 100000000) AS before
     FROM strategies s JOIN pools p ON p.strategy = s.slug WHERE s.slug = ?`,
  )
    .bind(strategy)
    .first<{ units: number; previous: string; before: number }>()
  if (found === null) throw new Error('There is no such strategy')
  const row = await sealValuation(
    {
      ...{ strategy, day, kind, unitPrice, weights: {}, follows: true, trades: [] },
      recordedAt: day + (kind === 'close' ? DAY_MS : 0),
      ...{ previous: found.previous, before: found.before },
    },
    {
      ...{ units: found.units, issuePrice, redeemPrice },
      netValue: Number((BigInt(unitPrice) * BigInt(found.units) + 999_999n) / 1_000_000n),
      ...{ cash: 0, holdings: {}, flows: [], orders: [] },
    },
  )
  await runBatch(db, [db.insert(valuations).values(row)])
}
