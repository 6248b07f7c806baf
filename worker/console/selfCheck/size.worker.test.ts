import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { type Database, openDatabase } from '../../lib/database.ts'
import { checkSize } from './size.ts'

const GB = 1e9

/** A database that reports this size. */
function sized(bytes: number): Database {
  const run = async () => ({ meta: { size_after: bytes } })
  return { $client: { prepare: () => ({ run }) } } as unknown as Database
}

test('a database of half of what D1 stores raises an alarm, long before nothing can be written', async () => {
  expect(await checkSize(sized(4.99 * GB), null)).toEqual({ findings: [], checkpoint: '4990000000' })
  const { findings } = await checkSize(sized(5.5 * GB), null)
  expect(findings).toEqual(['The database has 5 GB, and D1 stores 10 GB at most'])
})

test('a database that grows by more than 200 MB within ten minutes raises an alarm', async () => {
  expect((await checkSize(sized(1.1 * GB), '1000000000')).findings).toEqual([])
  expect((await checkSize(sized(1.2 * GB), '1000000000')).findings).toEqual([
    'The database grew by more than 200 MB since the last check',
  ])
})

test('D1 reports its size', async () => {
  expect(Number((await checkSize(openDatabase(env.DB), null)).checkpoint)).toBeGreaterThan(100_000)
})
