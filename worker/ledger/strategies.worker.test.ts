import { env } from 'cloudflare:workers'
import { sql } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { DAY_MS } from '../../src/time.ts'
import { fileDeposit, person } from '../../test/support/ledger/records.ts'
import {
  endStep,
  openDay,
  openHash,
  redeemPrice,
  startStrategy,
} from '../../test/support/ledger/strategies.ts'
import { txid } from '../../test/support/ledger/txid.ts'
import { checkAll } from '../console/selfCheck/all.ts'
import { checkRecent } from '../console/selfCheck/recent.ts'
import { buildQuery, openDatabase, readTogether, runBatch } from '../lib/database.ts'
import { computeFigures, readBooks } from './balances.ts'
import { takeIntoCustody } from './custody.ts'
import { credit } from './post.ts'
import { recordEvent } from './requestEvents.ts'
import {
  cancelOrder,
  NO_HOLDING,
  settleAllocation,
  settleRedemption,
  submitAllocation,
  submitRedemption,
  takeFee,
} from './strategies.ts'

// From cash to units and back, with the books after each step.

const db = openDatabase(env.DB)
const D = 20_000 * DAY_MS
const ANA = { investor: 'ana', strategy: 'slow' }

beforeAll(async () => {
  await runBatch(db, [
    ...person(db, 'olu', 'operator'),
    ...person(db, 'ana', 'investor'),
    ...fileDeposit(db, { id: 'd1', investor: 'ana', amountCents: 100_000, atMs: 1 }),
    recordEvent(db, {
      request: 'd1',
      investor: 'ana',
      status: 'approved',
      actor: 'olu',
      atMs: 1,
      amountCents: 100_000,
      reference: txid('x'),
      arrived: { units: 1n, unitsAtRate: 1n },
    }),
    credit(db, { id: 'd1', investor: 'ana', amountCents: 100_000 }, { actor: 'olu', nowMs: 1 }),
    takeIntoCustody({ request: 'd1', asset: 'usdt', units: 1n, nowMs: 1 }),
    startStrategy(db, 'slow', D - DAY_MS),
  ])
})

async function figures(investor: string) {
  const [rows] = await readTogether(db, readBooks(investor))
  return computeFigures(rows)
}

async function books() {
  const [accounts, positions, pools] = await readTogether(
    db,
    buildQuery<{ kind: string; balance: number }>(
      sql`SELECT kind, balance FROM accounts WHERE owner = 'ana' AND balance <> 0 ORDER BY kind`,
    ),
    buildQuery<{ units: number; cost: number; high_water: number }>(
      sql`SELECT units, cost, high_water FROM positions WHERE investor = 'ana'`,
    ),
    buildQuery<{ cash: number; units: number }>(sql`SELECT cash, units FROM pools`),
  )
  // At any time two ways lead to the same total, and the self-check finds nothing.
  const { totalBalance, available, held, allocating, positions: value, owed } = await figures('ana')
  expect(totalBalance).toBe(available + held + allocating + value - owed)
  expect((await checkAll(db, null)).findings).toEqual([])
  expect((await checkRecent(db, null, D)).findings).toEqual([])
  return {
    ...Object.fromEntries(accounts.map(({ kind, balance }) => [kind, balance])),
    position: positions[0],
    pool: pools[0],
  }
}

test('money becomes units and comes back, less their loss and a fee', async () => {
  const a1 = { ...ANA, id: 'a1', ref: 'ALC-1', cents: 50_000, atMs: D - 5 }
  const a2 = { ...ANA, id: 'a2', ref: 'ALC-2', cents: 20_000, atMs: D - 4 }
  await runBatch(db, [submitAllocation(db, a1)])
  await runBatch(db, [submitAllocation(db, a2)])
  await runBatch(db, [cancelOrder('a2', { actor: 'ana', nowMs: D - 3 })])
  const opened = { strategy: 'slow', day: D, unitPrice: 100_000_000 }
  await runBatch(db, [openDay(db, opened)])
  await expect(runBatch(db, [cancelOrder('a1', { actor: 'ana', nowMs: D + 3 })])).rejects.toThrow(
    'already_decided',
  )
  await expect(runBatch(db, [endStep(db, 'slow', D)])).rejects.toThrow('open orders')
  const bought = settleAllocation(db, a1, NO_HOLDING, { day: D, price: 101_000_000, nowMs: D })
  await runBatch(db, [bought.statement])
  await expect(runBatch(db, [bought.statement])).rejects.toThrow('unit_movements: already stored')
  await runBatch(db, [endStep(db, 'slow', D)])
  const position = { units: 4_950_495, cost: 50_000, high_water: 101_000_000 }
  expect(await books()).toEqual({
    paid_in: -100_000,
    available: 50_000,
    invested: 50_000,
    position,
    pool: { cash: 500_000_000, units: 4_950_495 },
  })
  // Allocations paid the trading costs: one per cent here.
  expect(await figures('ana')).toMatchObject({ positions: 49_504, profits: -496, totalBalance: 99_504 })

  const r1 = { ...ANA, id: 'r1', ref: 'RDM-1', cents: 20_000, atMs: D + 5 }
  const r2 = { ...ANA, id: 'r2', ref: 'RDM-2', cents: null, atMs: D + 6 }
  const r3 = { ...r2, id: 'r3', ref: 'RDM-3' }
  for (const order of [r1, r2, r3]) await runBatch(db, [submitRedemption(db, order)])
  const day = D + DAY_MS
  const unitPrice = 101_000_009
  await runBatch(db, [
    openDay(db, {
      strategy: 'slow',
      day,
      unitPrice,
      units: 4_950_495,
      netValue: 500_000_040,
      previous: openHash(opened),
    }),
  ])
  const at = { day, price: redeemPrice(unitPrice), nowMs: day }
  const sold = settleRedemption(db, r1, bought.holding, at)
  await runBatch(db, [sold?.statement ?? []].flat())
  expect(sold).toMatchObject({ units: -2_000_200, cents: 20_000 })
  const left = { units: 2_950_295, cost: 29_798, highWater: 101_000_000 }
  expect(sold?.holding).toEqual(left)
  const fee = takeFee(db, { ...ANA, id: 'fee-1', units: 1_000, highWater: unitPrice }, left, at)
  await runBatch(db, [fee.statement])
  expect(fee.cents).toBe(9)
  expect(await books()).toMatchObject({ fees: 9, position: { high_water: unitPrice } })
  const all = settleRedemption(db, r2, fee.holding, at)
  await runBatch(db, [all?.statement ?? []].flat())
  expect(all?.holding).toEqual({ units: 0, cost: 0, highWater: unitPrice })
  expect(settleRedemption(db, r3, NO_HOLDING, at)).toBeNull()
  await runBatch(db, [cancelOrder('r3', { actor: 'system', nowMs: day }), endStep(db, 'slow', day)])
  // 500.00 in; out the units' redemption value and 0.09 as a fee. The rest stays in the pool.
  expect(await books()).toEqual({
    paid_in: -100_000,
    available: 99_490,
    fees: 9,
    result: 501,
    position: { units: 0, cost: 0, high_water: unitPrice },
    pool: { cash: 5_010_000, units: 0 },
  })
})
