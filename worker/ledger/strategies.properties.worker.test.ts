import { env } from 'cloudflare:workers'
import { inArray } from 'drizzle-orm'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { randomRuns } from '../../test/random.ts'
import {
  at,
  begin,
  credited,
  type Holding,
  type Investor,
  type Life,
  MOVES,
  of,
  seen,
  step,
} from '../../test/support/ledger/lives.ts'
import { liftCeilings, person } from '../../test/support/ledger/records.ts'
import { checkAll } from '../console/selfCheck/all.ts'
import { openDatabase, readTogether, runBatch } from '../lib/database.ts'
import { pools, positions } from '../lib/tables/ledger.ts'
import { type BookRow, computeFigures, readBooks } from './balances.ts'

// Random lives of investors in strategies, compared with a simple model: after every step each balance, position and pool matches
// it, and both ways to the total agree.

const RUNS = 15
const SEED = 20_261_122
const db = openDatabase(env.DB)

test('after any acts of investors, balances, positions and pools match the model', async () => {
  await runBatch(db, [
    ...person(db, 'olu', 'operator'),
    ...person(db, 'pia', 'operator'),
    ...liftCeilings(db, 'olu', 'pia'),
  ])
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 25, maxLength: 50, size: 'max' }), async (steps) => {
      const life = await begin()
      for (const who of [0, 1]) await credited(life, who, 450_000)
      for (const each of steps) {
        life.nowMs += 60_000
        await MOVES[each.kind](life, each)
        await assertAgrees(life)
      }
    }),
    { ...randomRuns(RUNS, SEED), endOnFailure: true },
  )
  for (let checkpoint: string | null = null; checkpoint !== ''; ) {
    const checked: { findings: readonly string[]; checkpoint: string } = await checkAll(db, checkpoint)
    expect(checked.findings).toEqual([])
    checkpoint = checked.checkpoint
  }
  expect(seen.settled).toBeGreaterThan(50)
  expect(seen.gains).toBeGreaterThan(5)
  expect(seen.losses).toBeGreaterThan(5)
  expect([...seen.refusals].sort()).toEqual([
    'account_frozen',
    'already_decided',
    'debt_outstanding',
    'insufficient_funds',
    'validation_failed',
  ])
}, 900_000)

async function assertAgrees({ people, pools: expected }: Life): Promise<void> {
  const [ana, bob] = [at(people, 0), at(people, 1)]
  const slugs = expected.map(({ slug }) => slug)
  const { strategy, investor, units, cost, highWater } = positions
  const [anaBooks, bobBooks] = await readTogether(db, readBooks(ana.id), readBooks(bob.id))
  const [poolRows, positionRows] = await db.batch([
    db
      .select({ slug: pools.strategy, cash: pools.cash, units: pools.units })
      .from(pools)
      .where(inArray(pools.strategy, slugs)),
    db
      .select({ strategy, investor, units, cost, highWater })
      .from(positions)
      .where(inArray(positions.strategy, slugs)),
  ])
  assertBooks(ana, anaBooks)
  assertBooks(bob, bobBooks)
  expect(poolRows).toHaveLength(expected.length)
  for (const pool of expected) {
    expect(poolRows.find(({ slug }) => slug === pool.slug)).toEqual({
      ...{ slug: pool.slug, cash: pool.cash, units: pool.units },
    })
    expect(of(ana, pool.slug).units + of(bob, pool.slug).units).toBe(pool.units)
  }
  for (const row of positionRows) {
    const owner = row.investor === ana.id ? ana : bob
    expect({ ...row, ...of(owner, row.strategy) }).toMatchObject(row)
  }
}

function assertBooks(investor: Investor, rows: readonly BookRow[]): void {
  const sum = (kind: string) =>
    rows.reduce((total, row) => (row.kind === kind ? total + row.balance : total), 0)
  const total = (kind: keyof Holding) =>
    Object.values(investor.holdings).reduce((all, one) => all + one[kind], 0)
  const accounts = ['available', 'allocating', 'invested', 'result', 'fees', 'owed', 'paid_in', 'units']
  expect(accounts.map(sum)).toEqual([
    ...[investor.available, total('allocating'), total('cost'), total('result'), investor.fees],
    ...[-investor.owed, -investor.paidIn, total('units')].map((value) => value + 0),
  ])
  const figures = computeFigures(rows)
  expect(figures.totalBalance).toBe(
    figures.available + figures.held + figures.allocating + figures.positions - figures.owed,
  )
  expect(figures.profits).toBe(figures.positions - total('cost') - total('result') - investor.fees + 0)
}
