import { env } from 'cloudflare:workers'
import { beforeAll, expect, test } from 'vitest'
import { DEFAULT_COSTS, type Definition } from '../../../engine/definition.ts'
import { DAY_MS } from '../../../src/time.ts'
import { followAs, newCreditor, newPeople } from '../../../test/support/days.ts'
import { fileOrder, startPool } from '../../../test/support/trading/pools.ts'
import { openDatabase } from '../../lib/database.ts'

const db = openDatabase(env.DB)
const FIRST = Date.UTC(2026, 7, 4)
const SLUG = 'commitment'
const HELD: Definition = {
  ...{ kind: 'buy-and-hold', values: {}, assets: ['sim-index'] },
  ...{ costs: DEFAULT_COSTS, risk: {} },
}

beforeAll(async () => {
  await newCreditor()
  await startPool(db, SLUG, HELD, FIRST - DAY_MS / 2)
  const [ana = ''] = await newPeople('ana-of-commitment')
  const order = { investor: ana, strategy: SLUG, kind: 'allocate' as const, cents: 1_000_00 }
  await fileOrder(db, { ...order, atMs: FIRST - 1 })
  await followAs({ nowMs: FIRST + 3 * DAY_MS + 60_000 }, SLUG)
})

test('the database refuses a valuation without a commitment, and a price that the pool cannot pay', async () => {
  const row = await env.DB.prepare(
    'SELECT * FROM valuations WHERE strategy = ? ORDER BY day DESC, kind LIMIT 1',
  )
    .bind(SLUG)
    .first<Record<string, unknown>>()
  const next = { ...row, kind: 'close', previous: row?.hash, hash: 'x', recorded_at: FIRST + 4 * DAY_MS }
  const insert = (changed: Record<string, unknown>) => {
    const values = { ...next, issue_price: null, redeem_price: null, ...changed }
    const columns = Object.keys(values)
    return env.DB.prepare(`INSERT INTO valuations (${columns}) VALUES (${columns.map(() => '?')})`)
      .bind(...Object.values(values))
      .run()
  }
  for (const changed of [
    { commitment: null },
    { commitment: 'x' },
    { salt: null },
    { salt: 'x' },
    { details: null },
    { follows: null },
    { price_return: null },
  ])
    await expect(insert(changed), JSON.stringify(changed)).rejects.toThrow(
      /invalid commitment or salt|NOT NULL constraint failed/,
    )
  const net = Number(row?.net_value)
  const units = Number(row?.units)
  const dear = Math.ceil(((net + 30_000) / units) * 1e6)
  for (const changed of [{ unit_price: dear }, { net_value: net - 2_000_000 }, { units: units + 1 }])
    await expect(insert(changed), JSON.stringify(changed)).rejects.toThrow(
      /price differs from net value and units/,
    )
  await insert({})
})
