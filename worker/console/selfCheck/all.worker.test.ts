import { env } from 'cloudflare:workers'
import { beforeAll, expect, test } from 'vitest'
import { countQueries } from '../../../test/support/counting.ts'
import { withoutTriggers } from '../../../test/support/longHistory.ts'
import { newInvestor } from '../../../test/support/people.ts'
import { openDatabase } from '../../lib/database.ts'
import { checkAll } from './all.ts'

/** More than one run takes. */
const OWNERS = 3_000
const REQUESTS = 30_000

beforeAll(() => add(0))

test('a run of the daily scan checks ten pages, goes on after the last, and costs the same with twice as many rows', async () => {
  const books = await runFrom({ stage: 'books', after: 'p' })
  expect(books.next).toMatchObject({ stage: 'books', after: 'p102500', findings: [] })
  const requests = await runFrom({ stage: 'requests', after: 0 })
  expect(requests.next).toMatchObject({ stage: 'requests', after: 25_000 })

  await add(1)
  expect(await runFrom({ stage: 'books', after: 'p' })).toEqual(books)
  expect((await runFrom({ stage: 'requests', after: 0 })).rowsRead).toBe(requests.rowsRead)
})

async function runFrom(place: object) {
  const { binding, counted } = countQueries(env.DB)
  const { checkpoint } = await checkAll(openDatabase(binding), JSON.stringify({ ...place, findings: [] }))
  return { next: JSON.parse(checkpoint), rowsRead: counted.rowsRead, trips: counted.trips }
}

/** Owners with one account each, without money, and requests. */
async function add(part: number): Promise<void> {
  const { id } = await newInvestor()
  const numbers = 'WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < ?1)'
  await withoutTriggers(env.DB, async () => {
    await env.DB.prepare(
      `${numbers} INSERT INTO accounts (id, owner, kind, subject, balance)
       SELECT 'p' || (CAST(?2 AS INTEGER) + i) || ':available', 'p' || (CAST(?2 AS INTEGER) + i), 'available', '', 0 FROM n`,
    )
      .bind(OWNERS, 100_000 + part * OWNERS)
      .run()
    await env.DB.prepare(
      `${numbers} INSERT INTO requests (id, ref, investor, kind, queue, amount, asked, created_at)
       SELECT 'r' || (CAST(?2 AS INTEGER) + i), 'r' || (CAST(?2 AS INTEGER) + i), ?3, 'deposit', 'deposits', 1, 1, 1700000000000 + i FROM n`,
    )
      .bind(REQUESTS, part * REQUESTS, id)
      .run()
  })
}
