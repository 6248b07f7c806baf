import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import type { OperatorOverview, TrialBalance } from '../../../src/contract/console/overview.ts'
import { callCounted } from '../../../test/support/app.ts'
import { cost } from '../../../test/support/cost.ts'
import { withoutTriggers } from '../../../test/support/longHistory.ts'
import { newInvestor, newOperator } from '../../../test/support/people.ts'
import { openDatabase } from '../../lib/database.ts'
import { countBooks } from './books.ts'

const db = openDatabase(env.DB)
const TEN_PAST = Date.UTC(2030, 0, 1, 9, 10)
const operator = await newOperator()

const look = () => callCounted<OperatorOverview>('GET', '/operator/overview', { token: operator.token })

test('with few accounts each look counts them; with many the cron does, each ten minutes, and a look reads few rows', async () => {
  const ana = await newInvestor({ availableCents: 700_00 })
  await countBooks(db, TEN_PAST)
  expect((await look()).body).toMatchObject({ liabilities: 700, trialBalance: { balanced: true } })

  // Rows of accounts and of queues as of a large platform.
  await withoutTriggers(env.DB, async () => {
    const numbers = 'WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 30000)'
    await env.DB.prepare(
      `${numbers} INSERT INTO accounts (id, owner, kind, subject, balance) SELECT 'o' || i || ':available', 'o' || i, 'available', '', 0 FROM n`,
    ).run()
    await env.DB.prepare(
      `${numbers} INSERT INTO contact_messages (id, ref, name, email, message, created_at, opened_at) SELECT 'm' || i, 'm' || i, 'A', 'a@example.com', 'Hi', i, i FROM n`,
    ).run()
    await env.DB.prepare(
      `${numbers} INSERT INTO requests (id, ref, investor, kind, queue, amount, asked, created_at)
       SELECT 'r' || i, 'r' || i, ?1, 'deposit', 'deposits', 1, 1, 1700000000000 + i FROM n`,
    )
      .bind(ana.id)
      .run()
  })
  // Not at each minute.
  await countBooks(db, TEN_PAST + 60_000)
  expect((await look()).counted.rowsRead).toBeGreaterThan(30_000)
  await countBooks(db, TEN_PAST)
  const { body, counted } = await look()
  expect(body).toMatchObject({
    booksAt: '2030-01-01T09:10:00.000Z',
    liabilities: 700,
    waiting: { message: { count: 1000, oldest: '1970-01-01T00:00:00.001Z' }, deposit: { count: 1000 } },
  })
  expect(counted.trips).toBe(1)
  expect(counted.rowsRead).toBeLessThan(4_000)
  const balance = await cost('GET', '/operator/ledger/trial-balance', operator)
  expect(balance.body as unknown as TrialBalance).toMatchObject({ debits: 700, credits: 700, balanced: true })
  expect(balance.counted.rowsRead).toBeLessThan(20)

  // With fewer rows it counts live again.
  await countBooks(db, TEN_PAST, 100_000)
  expect((await look()).body.booksAt).not.toBe('2030-01-01T09:10:00.000Z')
})
