import { env } from 'cloudflare:workers'
import { DAY_MS } from '../../../src/time.ts'
import {
  NO_HOLDING,
  settleAllocation,
  submitAllocation,
  submitRedemption,
} from '../../../worker/ledger/strategies.ts'
import { runBatch } from '../../../worker/lib/database.ts'
import { poolFills, poolOrders } from '../../../worker/lib/tables/strategies.ts'
import { db, standScene } from './attacks.ts'
import { endStep, openDay, openHash, startStrategy } from './strategies.ts'

const D = 20_000 * DAY_MS
export const NEXT = D + DAY_MS
const ANA = { investor: 'ana', strategy: 'slow' }
export const UNITS = 1_980_198
const FIRST_OPEN = { strategy: 'slow', day: D, unitPrice: 100_000_000 }
const SECOND_OPEN = {
  ...{ strategy: 'slow', day: NEXT, unitPrice: 100_000_000, units: UNITS, netValue: 198_019_800 },
  previous: openHash(FIRST_OPEN),
}

/**
 * Ana has bought for 200.00 on day D (a1). The next day prices 50.00 more (a2) and a redemption of 40.00 (r1). A later 20.00 (a3)
 * can still be cancelled, and a4 was cancelled. The pool has bought one unit of the index.
 */
export async function standStrategies(): Promise<void> {
  await standScene()
  const order = (id: string, cents: number, atMs: number) => ({ ...ANA, id, ref: `REF-${id}`, cents, atMs })
  const bought = { day: D, price: 101_000_000, nowMs: D }
  const id = 'buy-1'
  await runBatch(db, [
    startStrategy(db, 'slow', D - DAY_MS),
    startStrategy(db, 'halted', D - DAY_MS),
    submitAllocation(db, order('a1', 20_000, D - 5)),
    openDay(db, FIRST_OPEN),
    settleAllocation(db, order('a1', 20_000, D - 5), NO_HOLDING, bought).statement,
    db.insert(poolOrders).values({
      id,
      strategy: 'slow',
      day: D,
      asset: 'sim-index',
      side: 'buy',
      quantity: 200,
      at: D,
      seenPrice: 300,
    }),
    db
      .insert(poolFills)
      .values({ id, poolOrder: id, quantity: 150, price: 300, fee: 2, slippage: 1, cash: -452, at: D }),
    endStep(db, 'slow', D),
    submitAllocation(db, order('a2', 5_000, D + 5)),
    submitRedemption(db, order('r1', 4_000, D + 6)),
    openDay(db, SECOND_OPEN),
    submitAllocation(db, order('a3', 2_000, NEXT + 5)),
    submitAllocation(db, order('a4', 3_000, NEXT + 6)),
  ])
  await env.DB.batch([
    env.DB.prepare(
      `UPDATE unit_orders SET status = 'cancelled', decided_by = 'ana', decided_at = ${NEXT + 7} WHERE id = 'a4'`,
    ),
    env.DB.prepare(
      `INSERT INTO strategy_events (strategy, at, kind, reason, actor) VALUES ('halted', 1, 'suspended', 'Test', 'olu')`,
    ),
  ])
}

interface Movement {
  readonly ref: string
  readonly code: string
  readonly units: number
  readonly cents: number
  readonly cost?: number
  readonly price?: number
  readonly highWater?: number
  readonly investor?: string
  readonly day?: number
}

export function movement(m: Movement, verb = 'INSERT'): string {
  const { ref, code, units, cents, cost = cents, price = 101_000_000, highWater = 101_000_000 } = m
  return `${verb} INTO unit_movements (id, investor, strategy, code, units, price, cents, cost, high_water, day, ref, at)
    VALUES ('${ref}:units', '${m.investor ?? 'ana'}', 'slow', '${code}', ${units}, ${price}, ${cents}, ${cost}, ${highWater},
      ${m.day ?? NEXT}, '${ref}', ${NEXT})`
}

export const A2 = { ref: 'a2', code: 'issue', units: 495_049, cents: 5_000 }
