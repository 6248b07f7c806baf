import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, test } from 'vitest'
import { DEFAULT_COSTS, type Definition } from '../../../engine/definition.ts'
import { hashDefinition } from '../../../src/contract/investing/strategyRecord.ts'
import { DAY_MS } from '../../../src/time.ts'
import { closeDay, dayOf, newStrategy, settleDay, withOthers } from '../../../test/support/pooled.ts'
import { startPool } from '../../../test/support/trading/pools.ts'
import { withTriggerDropped } from '../../../test/support/withTriggerDropped.ts'
import { sealValuation } from '../../investing/trading/valuation.ts'
import { openDatabase, runBatch, type Statement } from '../../lib/database.ts'
import { poolSteps, valuations } from '../../lib/tables/strategies.ts'
import { checkAll } from './all.ts'

const db = openDatabase(env.DB)
/** Twice as many valuations, more than one read checks. */
const LONG_DAYS = 520
const FIRST = Date.UTC(2024, 0, 2)
const LONG: Definition = {
  kind: 'buy-and-hold',
  values: {},
  assets: ['sim-index'],
  costs: DEFAULT_COSTS,
  risk: {},
}
const dayName = (day: number) => new Date(day).toISOString().slice(0, 10)

const NOTHING = { units: 0, netValue: 0, cash: 0, holdings: {}, flows: [], orders: [] }

let held = ''

beforeAll(async () => {
  held = await newStrategy()
  await withOthers(held)
  for (const [number, dollars] of [
    [2, 100],
    [3, 90],
    [4, 110],
  ] as const) {
    await settleDay(held, number, dollars)
    await closeDay(held, number, dollars + 1)
  }
  await keepLongRecord('long')
})

/** A strategy without investors, valued on very many days. */
async function keepLongRecord(strategy: string): Promise<void> {
  await startPool(db, strategy, LONG, FIRST - DAY_MS)
  let previous = await hashDefinition(LONG)
  let before = 100_000_000
  const statements: Statement[] = []
  for (let day = FIRST; day < FIRST + LONG_DAYS * DAY_MS; day += DAY_MS) {
    for (const kind of ['open', 'close'] as const) {
      const unitPrice = 100_000_000 + statements.length
      const ends = kind === 'open' ? unitPrice : null
      const row = await sealValuation(
        {
          ...{ strategy, day, kind, unitPrice, weights: {}, previous, before, follows: true, trades: [] },
          recordedAt: kind === 'open' ? day : day + DAY_MS,
        },
        { ...NOTHING, issuePrice: ends, redeemPrice: ends },
      )
      previous = row.hash
      before = unitPrice
      statements.push(db.insert(valuations).values(row))
      if (kind === 'open') statements.push(db.insert(poolSteps).values({ strategy, day, at: day }))
    }
  }
  for (let at = 0; at < statements.length; at += 300) await runBatch(db, statements.slice(at, at + 300))
}

/** All findings of a scan from the start, and its number of runs. */
async function findings(): Promise<readonly string[]> {
  for (let checkpoint: string | null = null, runs = 0; runs < 10; runs++) {
    const checked: { findings: readonly string[]; checkpoint: string } = await checkAll(db, checkpoint)
    if (checked.checkpoint === '') return checked.findings
    checkpoint = checked.checkpoint
  }
  return expect.fail('The scan does not end')
}

/** The findings while a field of some rows is changed without its trigger. */
async function foundWith(
  table: 'valuations' | 'strategies',
  where: string,
  changed: Record<string, unknown>,
) {
  const guard = table === 'valuations' ? 'valuations_no_update' : 'strategies_fixed_columns'
  const columns = Object.keys(changed)
  const set = (values: readonly unknown[]) =>
    withTriggerDropped(env.DB, guard, () =>
      env.DB.prepare(`UPDATE ${table} SET ${columns.map((column) => `${column} = ?`)} WHERE ${where}`)
        .bind(...values)
        .run(),
    )
  const was = await env.DB.prepare(`SELECT ${columns} FROM ${table} WHERE ${where}`).raw()
  expect(was).toHaveLength(1)
  expect(was[0]).not.toEqual(Object.values(changed))
  await set(Object.values(changed))
  const found = await findings()
  await set(was[0] ?? [])
  return found
}

test('an unchanged record passes, over several pages and strategies', async () => {
  expect(await findings()).toEqual([])
})

describe('of one valuation, one field that was changed is found:', () => {
  const day = FIRST + 300 * DAY_MS
  const broken = `The record of long at ${dayName(day)} (open) is broken`
  test.each([
    ['unit_price', 100_000_000],
    ['price_return', 0.5],
    ['commitment', 'x'],
    ['weights', '{"sim-index":1}'],
    ['weights', 'no JSON'],
    ['recorded_at', day + 1],
    ['previous', 'x'],
    ['hash', 'x'],
  ])('%s, as %s', async (column, value) => {
    const row = `strategy = 'long' AND day = ${day} AND kind = 'open'`
    expect(await foundWith('valuations', row, { [column]: value })).toContain(broken)
  })

  test.each([
    ['issue_price', 200_000_000],
    ['redeem_price', 1],
    ['units', 77],
    ['net_value', 77],
    ['salt', 'x'],
    ['details', '{"cash":1}'],
    ['details', 'no JSON'],
  ])('%s, as %s, by the commitment', async (column, value) => {
    const row = `strategy = 'long' AND day = ${day} AND kind = 'open'`
    expect(await foundWith('valuations', row, { [column]: value })).toContain(
      `The commitment of long at ${dayName(day)} (open) is not to what its pool held`,
    )
  })

  test('its day', async () => {
    const last = FIRST + (LONG_DAYS - 1) * DAY_MS
    const row = `strategy = 'long' AND day >= ${last} AND kind = 'close'`
    expect(await foundWith('valuations', row, { day: last + DAY_MS })).toEqual([
      `The record of long at ${dayName(last + DAY_MS)} (close) is broken`,
    ])
  })

  test.each(['net_value', 'units'])('%s, which is not public', async (column) => {
    const row = `strategy = '${held}' AND day = ${dayOf(3)} AND kind = 'open'`
    const value = column === 'units' ? 1e12 : 77
    const found = await foundWith('valuations', row, { [column]: value })
    expect(found).toContain(
      `The price of ${held} at ${dayName(dayOf(3))} (open) is not what its pool was worth by its units`,
    )
  })
})

test('an open whose units and worth were both changed is found by the close before it', async () => {
  const row = `strategy = '${held}' AND day = ${dayOf(4)} AND kind = 'open'`
  expect(await foundWith('valuations', row, { net_value: 110_000_000, units: 1_000_000 })).toEqual([
    `The commitment of ${held} at ${dayName(dayOf(4))} (open) is not to what its pool held`,
    `The price of ${held} at ${dayName(dayOf(4))} (open) is not what its pool was worth by its units`,
  ])
})

test('a definition that was changed is found, and one whose hash was changed with it by its record and the audit log', async () => {
  const forged = { kind: 'buy-and-hold', values: {}, assets: ['sim-index'], costs: {}, risk: {} }
  const definition = JSON.stringify(forged)
  expect(await foundWith('strategies', "slug = 'long'", { definition })).toEqual([
    'The definition of long was changed: it has another hash',
  ])
  await env.DB.prepare(
    "INSERT INTO audit_log (id, at, actor, action, subject, detail) VALUES ('started', 1, 'system', 'strategy.started', 'long', ?)",
  )
    .bind(JSON.stringify({ hash: await hashDefinition(LONG) }))
    .run()
  const hash = await hashDefinition(forged)
  expect(await foundWith('strategies', "slug = 'long'", { definition, hash })).toEqual([
    'The definition of long is not the one with which it was started by the audit log',
    `The record of long at ${dayName(FIRST)} (open) is broken`,
  ])
})

test('a valuation that was taken out is found', async () => {
  const day = FIRST + 249 * DAY_MS
  await withTriggerDropped(env.DB, 'valuations_no_delete', () =>
    env.DB.prepare("DELETE FROM valuations WHERE strategy = 'long' AND day = ? AND kind = 'close'")
      .bind(day)
      .run(),
  )
  expect(await findings()).toEqual([`The record of long at ${dayName(day + DAY_MS)} (open) is broken`])
})
