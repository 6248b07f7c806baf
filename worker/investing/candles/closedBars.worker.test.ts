import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { DAY_MS } from '../../../src/time.ts'
import { openDatabase } from '../../lib/database.ts'
import { readClosed } from './closedBars.ts'
import { MissingCandles, readCandles } from './read.ts'

const db = openDatabase(env.DB)
const FIRST = Date.UTC(2026, 0, 1)
const ASSETS = ['a', 'b']
const day = (number: number) => FIRST + number * DAY_MS

async function store(market: string, number: number, close = 10 + number / 10) {
  for (const asset of ASSETS)
    await env.DB.prepare('INSERT INTO candles VALUES (?, ?, ?, 10, 99, 9, ?, 3)')
      .bind(market, asset, day(number), close)
      .run()
}

test('kept bars and new ones are the same as reading all of them', async () => {
  for (const number of [0, 1, 2]) await store('closed-grows', number)
  const first = await readClosed(db, 'closed-grows', ASSETS, day(2))
  expect(await readClosed(db, 'closed-grows', ASSETS, day(2))).toBe(first)
  for (const number of [3, 4]) await store('closed-grows', number)
  for (const until of [3, 5, 2]) {
    const all = await readCandles(db, 'closed-grows', ASSETS, null, day(until))
    expect(await readClosed(db, 'closed-grows', ASSETS, day(until))).toEqual(all)
  }
  await expect(readClosed(db, 'closed-grows', ASSETS, day(6))).rejects.toBeInstanceOf(MissingCandles)
})

test('markets that share assets have the bars that reading each of them gives, whatever was read before', async () => {
  const name = 'closed-shared'
  for (const number of [0, 1, 2]) await store(name, number)
  for (const number of [1, 2])
    await env.DB.prepare('INSERT INTO candles VALUES (?, ?, ?, 10, 99, 9, 11, 3)')
      .bind(name, 'c', day(number))
      .run()
  for (const assets of [['c', 'a'], ['a', 'b'], ['b', 'c'], ['a']])
    expect(await readClosed(db, name, assets, day(3))).toEqual(
      await readCandles(db, name, assets, null, day(3)),
    )
  await expect(readClosed(db, name, ['a', 'd'], day(3))).rejects.toBeInstanceOf(MissingCandles)
})

test('bars that a restored backup has otherwise are read again', async () => {
  for (const number of [0, 1]) await store('closed-restored', number)
  await readClosed(db, 'closed-restored', ASSETS, day(2))
  await env.DB.batch([
    env.DB.prepare('DROP TRIGGER candles_no_delete'),
    env.DB.prepare(`DELETE FROM candles WHERE market = 'closed-restored'`),
  ])
  for (const number of [0, 1, 2]) await store('closed-restored', number, 50)
  const read = await readClosed(db, 'closed-restored', ASSETS, day(3))
  expect(read.candles.map(({ close }) => [...close])).toEqual([
    [50, 50, 50],
    [50, 50, 50],
  ])
})
