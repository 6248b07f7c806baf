import { env } from 'cloudflare:workers'
import { beforeAll, expect, test } from 'vitest'
import { DEFAULT_COSTS, type Definition } from '../../../engine/definition.ts'
import type { RecordEntry } from '../../../src/contract/investing/strategies.ts'
import {
  findFirstBrokenIndex,
  hashDefinition,
  toCanonicalJson,
} from '../../../src/contract/investing/strategyRecord.ts'
import { DAY_MS } from '../../../src/time.ts'
import { followAs, newCreditor, newPeople } from '../../../test/support/days.ts'
import { call } from '../../../test/support/http.ts'
import { fileOrder, startPool } from '../../../test/support/trading/pools.ts'
import { findInRecords, readRecords } from '../../console/selfCheck/record.ts'
import { sha256Hex } from '../../lib/crypto/tokens.ts'
import { openDatabase, readTogether, runBatch } from '../../lib/database.ts'
import { poolSteps, valuations } from '../../lib/tables/strategies.ts'

const db = openDatabase(env.DB)
const FIRST = Date.UTC(2026, 7, 4)
const SLUG = 'older-record'
const HELD: Definition = {
  ...{ kind: 'buy-and-hold', values: {}, assets: ['sim-index'] },
  ...{ costs: DEFAULT_COSTS, risk: {} },
}

/** A day's valuations in the format before commitments. */
beforeAll(async () => {
  await newCreditor()
  await startPool(db, SLUG, HELD, FIRST - DAY_MS / 2)
  let previous = await hashDefinition(HELD)
  for (const kind of ['open', 'close'] as const) {
    const unitPrice = kind === 'open' ? 100_000_000 : 101_000_000
    const ends = kind === 'open' ? unitPrice : null
    const weights = kind === 'open' ? {} : { 'sim-index': 999_000 }
    const recordedAt = FIRST + (kind === 'open' ? 0 : DAY_MS)
    const fields = {
      strategy: SLUG,
      kind,
      unitPrice,
      issuePrice: ends,
      redeemPrice: ends,
      recordedAt,
      previous,
    }
    previous = await sha256Hex(toCanonicalJson({ ...fields, day: '2026-08-04', weights }))
    const row = {
      ...fields,
      day: FIRST,
      weights: JSON.stringify(weights),
      units: 0,
      netValue: 0,
      hash: previous,
    }
    await runBatch(db, [
      db.insert(valuations).values(row),
      ...(kind === 'open' ? [db.insert(poolSteps).values({ strategy: SLUG, day: FIRST, at: FIRST })] : []),
    ])
  }
})

test('days before commitments stay in the chain, and the record continues from them', async () => {
  const [ana = ''] = await newPeople('ana-of-older')
  const order = { investor: ana, strategy: SLUG, kind: 'allocate' as const, cents: 1_000_00 }
  await fileOrder(db, { ...order, atMs: FIRST + DAY_MS - 1 })
  await followAs({ nowMs: FIRST + 3 * DAY_MS + 60_000 }, SLUG)
  const { body } = await call<RecordEntry[]>('GET', `/strategies/${SLUG}/record?limit=100`)
  const record = body.reverse()
  expect(record.map(({ format }) => format)).toEqual([1, 1, 2, 2, 2, 2, 2])
  // The content of their hashes is not public.
  expect(record[0]).toMatchObject({ return: null, weights: null, commitment: null })
  expect(JSON.stringify(record)).not.toContain('Price":null')
  expect(await findFirstBrokenIndex(HELD, record)).toBeNull()
  const [page] = await readTogether(db, readRecords(''))
  expect((await findInRecords(page, '')).findings).toEqual([])
  const forged = page.map((row) => (row.format === 1 ? { ...row, redeemPrice: 7 } : row))
  expect((await findInRecords(forged, '')).findings).toHaveLength(2)
})

test('after commitments began, the database refuses a valuation without one, and a price that the pool cannot pay', async () => {
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
    { format: 1 },
    { format: 3 },
    { commitment: null },
    { commitment: 'x' },
    { salt: null },
    { salt: 'x' },
    { details: null },
    { follows: null },
    { price_return: null },
  ])
    await expect(insert(changed), JSON.stringify(changed)).rejects.toThrow(/valuations: a row of format 2/)
  const net = Number(row?.net_value)
  const units = Number(row?.units)
  const dear = Math.ceil(((net + 30_000) / units) * 1e6)
  for (const changed of [{ unit_price: dear }, { net_value: net - 2_000_000 }, { units: units + 1 }])
    await expect(insert(changed), JSON.stringify(changed)).rejects.toThrow(
      /the price is what the pool is worth/,
    )
  await insert({})
})
