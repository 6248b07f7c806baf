import { env } from 'cloudflare:workers'
import { beforeAll, expect, test } from 'vitest'
import { DEFAULT_COSTS, type Definition } from '../../../engine/definition.ts'
import { DAY_MS } from '../../../src/time.ts'
import { followAs, newCreditor, newPeople, rememberedPrices } from '../../../test/support/days.ts'
import { fileOrder, recordEvent, startPool } from '../../../test/support/trading/pools.ts'
import { withTriggerDropped } from '../../../test/support/withTriggerDropped.ts'
import { openDatabase } from '../../lib/database.ts'
import { formatIsoDay } from '../../lib/days.ts'
import { findInGaps } from './gaps.ts'

const db = openDatabase(env.DB)
const SLUG = 'checked'
const FIRST = Date.UTC(2026, 7, 4)
const at = (day: number) => FIRST + day * DAY_MS + 5 * 60_000
const BASKET: Definition = {
  ...{ kind: 'rebalanced-basket', values: { invested: 60, band: 1 }, costs: DEFAULT_COSTS, risk: {} },
  assets: ['sim-alder', 'sim-flint', 'sim-dogwood'],
}
/** Days with flows, a suspension and a resumption. */
const DAYS = 34

beforeAll(async () => {
  await newCreditor()
  await startPool(db, SLUG, BASKET, FIRST - DAY_MS / 2)
  const [ana = ''] = await newPeople('ana')
  for (let day = 0; day < DAYS; day++) {
    if (day === 20 || day === 25)
      await fileOrder(db, {
        ...{ investor: ana, strategy: SLUG, atMs: FIRST + day * DAY_MS - 60_000 },
        ...(day === 20 ? { kind: 'allocate', cents: 1_234_56 } : { kind: 'redeem', cents: 333_33 }),
      })
    const kind = day === 22 ? 'suspended' : day === 24 ? 'resumed' : null
    if (kind !== null) await recordEvent(db, SLUG, kind, at(day) - 600_000)
    await followAs({ nowMs: at(day) }, SLUG)
  }
}, 60_000)

const findings = () => findInGaps(db, rememberedPrices, SLUG, at(DAYS - 1))

/** The findings while the explanation of a day is changed. */
async function foundWith(day: number, change: string): Promise<string[]> {
  const where = `WHERE strategy = '${SLUG}' AND day = ${FIRST + day * DAY_MS}`
  const was = await env.DB.prepare(`SELECT * FROM gaps ${where}`).first<Record<string, unknown>>()
  if (was === null) return expect.fail('There is no such day')
  const write = (set: string, ...values: unknown[]) =>
    withTriggerDropped(env.DB, 'gaps_no_update', () =>
      env.DB.prepare(`UPDATE gaps SET ${set} ${where}`)
        .bind(...values)
        .run(),
    )
  await write(change)
  const found = await findings()
  const columns = Object.keys(was)
  await write(columns.map((column) => `${column} = ?`).join(', '), ...columns.map((column) => was[column]))
  return found
}

const wrong = (day: number, what: string) => [
  `The explanation of ${SLUG} at ${formatIsoDay(FIRST + day * DAY_MS)} does not follow from its record: ${what}`,
]

test('explanations that follow from the record pass, with flows, a suspension and a resumption', async () => {
  expect(await findings()).toEqual([])
})

// Each leaves the sum as it was, which the database checks at the insert.
test.each([
  [22, 'fees = fees + 10001, missed = missed - 10001', 'fees, missed'],
  [24, 'slippage = slippage - 20000, price = price + 20000', 'price, slippage'],
  [32, 'live = live + 20000, test = test + 20000', 'live, test'],
  [21, 'cash_drag = cash_drag + 20000, unexplained = unexplained - 20000', 'cashDrag, unexplained'],
  [
    23,
    `pool = json_set(pool, '$.parts.fees', (pool ->> '$.parts.fees') + 5000, '$.parts.missed', (pool ->> '$.parts.missed') - 5000)`,
    'fees of the pool, missed of the pool',
  ],
  [25, `pool = json_set(pool, '$.difference', (pool ->> '$.difference') + 5000)`, 'difference of the pool'],
  [26, 'pool = NULL', 'pool'],
])('on day %d, a wrong part is found: %s', async (day, change, what) => {
  expect(await foundWith(day, change)).toEqual(wrong(day, what))
})

test('a wrong carried loss is found on its day', async () => {
  const change = `carried = json_set(carried, '$.fees', (carried ->> '$.fees') + 100000)`
  expect(await foundWith(27, change)).toEqual(
    wrong(27, 'fees carried').concat(wrong(28, 'fees carried')).toReversed(),
  )
})

test('a difference of at most 0.01 basis points, or of more than 30 days ago, is no finding', async () => {
  expect(await foundWith(22, 'fees = fees + 9000, missed = missed - 9000')).toEqual([])
  expect(await foundWith(1, 'fees = fees + 50000, missed = missed - 50000')).toEqual([])
  expect(await foundWith(DAYS - 31, 'fees = fees + 50000, missed = missed - 50000')).toHaveLength(1)
})
