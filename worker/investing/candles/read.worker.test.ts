import { env } from 'cloudflare:workers'
import { beforeEach, expect, test } from 'vitest'
import { DAY_MS } from '../../../src/time.ts'
import { openDatabase } from '../../lib/database.ts'
import { MissingCandles, readCandles, readCurrent, readOpens } from './read.ts'

const db = openDatabase(env.DB)
const FIRST = Date.UTC(2026, 0, 1)
let market = 0

beforeEach(() => {
  market++
})

const name = () => `market-${market}`

async function store(asset: string, ...days: number[]) {
  for (const day of days)
    await env.DB.prepare('INSERT INTO candles VALUES (?, ?, ?, 10, 12, 9, ?, 3)')
      .bind(name(), asset, FIRST + day * DAY_MS, 10 + day / 10)
      .run()
}

const readUntil = (untilDay: number, fromDay: number | null = null, assets = ['a', 'b']) =>
  readCandles(
    db,
    name(),
    assets,
    fromDay === null ? null : FIRST + fromDay * DAY_MS,
    FIRST + untilDay * DAY_MS,
  )

test('reads the days that all assets have, in the order asked for', async () => {
  await store('a', 0, 1, 2, 3)
  await store('b', 1, 2, 3)
  const read = await readUntil(3, null, ['b', 'a'])
  expect(read.assets).toEqual(['b', 'a'])
  expect([...read.time]).toEqual([FIRST + DAY_MS, FIRST + 2 * DAY_MS])
  expect([...(read.candles[1]?.close ?? [])]).toEqual([10.1, 10.2])
  expect([...(await readUntil(4, 2)).time]).toEqual([FIRST + 2 * DAY_MS, FIRST + 3 * DAY_MS])
})

test('a bar that has not closed is not read', async () => {
  await store('a', 0, 1)
  const read = await readCandles(db, name(), ['a'], null, FIRST + 2 * DAY_MS - 1)
  expect([...read.time]).toEqual([FIRST])
})

test('a missing bar at the end, at the beginning, or of a whole asset is refused', async () => {
  await store('a', 0, 1, 2)
  await store('b', 1, 2)
  await expect(readUntil(4)).rejects.toBeInstanceOf(MissingCandles)
  await expect(readUntil(3, 0)).rejects.toThrow(`E_CANDLES_MISSING ${name()} b: 2 of 3 days`)
  await expect(readUntil(3, null, ['a', 'c'])).rejects.toBeInstanceOf(MissingCandles)
})

test('the database refuses a hole, another bar for a stored day, and any change', async () => {
  await store('a', 0, 1)
  await expect(store('a', 3)).rejects.toThrow('candle_gap')
  await expect(store('a', -1)).rejects.toThrow('candle_gap')
  await expect(store('a', 1)).rejects.toThrow('candle_stored')
  const change = (words: string) => env.DB.prepare(words).bind(name()).run()
  await expect(change('UPDATE candles SET close = 11 WHERE market = ?')).rejects.toThrow('immutable')
  await expect(change('DELETE FROM candles WHERE market = ?')).rejects.toThrow('never deleted')
})

test('the database refuses a bar with impossible prices', async () => {
  for (const [open, high, low, close, volume] of [
    [10, 9, 8, 9, 1],
    [10, 12, 11, 12, 1],
    [10, 12, 0, 11, 1],
    [10, 12, 9, 13, 1],
    [10, 12, 9, 11, -1],
    [10, 1e16, 9, 11, 1],
  ])
    await expect(
      env.DB.prepare('INSERT INTO candles VALUES (?, ?, ?, ?, ?, ?, ?, ?)')
        .bind(name(), 'a', FIRST, open, high, low, close, volume)
        .run(),
    ).rejects.toThrow('CHECK')
})

test('opening prices come from closed and current bars, and are null while one is unknown', async () => {
  await store('a', 0)
  await store('b', 0)
  await env.DB.prepare('INSERT INTO current_candles VALUES (?, ?, ?, 11, 11.5, ?)')
    .bind(name(), 'b', FIRST + DAY_MS, FIRST + DAY_MS + 5)
    .run()
  expect(await readOpens(db, name(), ['b', 'a'], FIRST)).toEqual(Float64Array.of(10, 10))
  expect(await readOpens(db, name(), ['b', 'a'], FIRST + DAY_MS)).toBeNull()
  expect(await readOpens(db, name(), ['b'], FIRST + DAY_MS)).toEqual(Float64Array.of(11))
  expect(await readCurrent(db, name(), ['a', 'b'])).toEqual(
    new Map([['b', { day: FIRST + DAY_MS, open: 11, last: 11.5, atMs: FIRST + DAY_MS + 5 }]]),
  )
})
