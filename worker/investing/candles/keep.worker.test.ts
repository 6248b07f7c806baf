import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, inject, test, vi } from 'vitest'
import { REAL_PAIRS } from '../../../engine/market/realPairs.ts'
import { buildSimulatedMarket, computeSimulatedPrice } from '../../../engine/market/simulatedMarket.ts'
import { SIMULATED_START } from '../../../engine/market/simulatedPaths.ts'
import { DAY_MS } from '../../../src/time.ts'
import { openDatabase } from '../../lib/database.ts'
import type { Env } from '../../lib/env.ts'
import { updateCandles } from './keep.ts'
import { MissingCandles, readCandles, readCurrent } from './read.ts'
import { simulated } from './simulatedSource.ts'

// Uses a fake exchange: test/setup/candlesProvider.ts. Each test has its own days, because bars are never deleted.

const db = openDatabase(env.DB)
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** A short timeout for endless answers, so that the tests do not wait. */
const IMPATIENT_MS = 400
/** Requested from both, in this order. */
const ASSETS = REAL_PAIRS.map(({ asset }) => asset)
/** Answers of the fake exchange other than bars. */
const NO_ANSWERS = [
  'down',
  'html',
  'broken',
  'nothing',
  'shape',
  'huge',
  'many',
  'elsewhere',
  'trickle',
  'cut',
  'other',
]
let run = 0

/** The same answer for each asset. */
const forAll = (way: string) => ASSETS.map(() => way).join()

beforeEach(async () => {
  vi.spyOn(console, 'error').mockReturnValue()
  vi.spyOn(console, 'warn').mockReturnValue()
  // Bars can only be deleted without their triggers. Every test starts without bars.
  const triggers = await env.DB.prepare(
    "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'candles'",
  ).all<{ name: string; sql: string }>()
  await env.DB.batch([
    ...triggers.results.map(({ name }) => env.DB.prepare(`DROP TRIGGER ${name}`)),
    ...['candles', 'current_candles', 'candle_feeds'].map((table) => env.DB.prepare(`DELETE FROM ${table}`)),
    ...triggers.results.map(({ sql }) => env.DB.prepare(sql)),
  ])
  // The simulated market is not due, because it has its own test.
  await env.DB.prepare("INSERT INTO candle_feeds (market, due_at) VALUES ('simulated', 9e15)").run()
})

/** A deployment with its own clock, whose exchange answers in these ways, one after the other. */
function exchange(kind: 'kraken' | 'coinbase', ways: string) {
  const name = `run-${run++}`
  let nowMs = Date.UTC(2026, 2, 10, 0, 10)
  const deployment = (): Env => ({
    ...env,
    CANDLES_PROVIDER: kind,
    CANDLES_BASE_URL: `${inject('candles')}/${ways}/${name}/${Math.floor(nowMs / DAY_MS) * DAY_MS}`,
  })
  return {
    after: async (ms: number, timeoutMs?: number, database = db) => {
      nowMs += ms
      await updateCandles(deployment(), database, nowMs, timeoutMs)
    },
    asked: async () => {
      const calls = await (await fetch(`${inject('candles')}/asked/${name}`)).json<{ path: string }[]>()
      // Without the day.
      return calls.map(({ path }) => path.replace(/^\/\d+/, ''))
    },
    now: () => nowMs,
    today: () => Math.floor(nowMs / DAY_MS) * DAY_MS,
    bitcoin: () => readCandles(db, kind, ['bitcoin'], null, nowMs),
    current: async () => (await readCurrent(db, kind, ['bitcoin'])).get('bitcoin'),
    feed: () =>
      env.DB.prepare(
        'SELECT due_at AS dueAt, failures, lacking_since AS lackingSince, finding FROM candle_feeds WHERE market = ?',
      )
        .bind(kind)
        .first<{ dueAt: number; failures: number; lackingSince: number | null; finding: string | null }>(),
    stored: () =>
      env.DB.prepare(
        "SELECT count(*) AS days, max(day) AS last FROM candles WHERE market = ? AND asset = 'bitcoin'",
      )
        .bind(kind)
        .first<{ days: number; last: number | null }>(),
  }
}

describe.each(['kraken', 'coinbase'] as const)('%s', (kind) => {
  /** Coinbase returns 300 days at a time, from 2020 on. The fake exchange's first days are in 2023. */
  async function filled(ways: string) {
    const market = exchange(kind, ways)
    const today = market.today()
    // Starts with a week of stored bars from the fake exchange.
    for (let day = today - 10 * DAY_MS; day < today - 5 * DAY_MS; day += DAY_MS) {
      const price = day / DAY_MS
      for (const asset of ASSETS)
        await env.DB.prepare('INSERT INTO candles VALUES (?, ?, ?, ?, ?, ?, ?, 12.5)')
          .bind(kind, asset, day, price, told(price * 1.02), told(price * 0.98), price + 1)
          .run()
    }
    return market
  }
  // As many decimals as Kraken writes.
  const told = (price: number) => (kind === 'kraken' ? Number(price.toFixed(5)) : price)

  test('stores new closed bars and the current price', async () => {
    const market = await filled('good')
    await market.after(0)
    const { time, candles } = await market.bitcoin()
    expect(time).toHaveLength(10)
    expect(time.at(-1)).toBe(market.today() - DAY_MS)
    const price = market.today() / DAY_MS - 1
    const [bars] = candles
    expect(
      [bars?.open, bars?.high, bars?.low, bars?.close, bars?.volume].map((column) => column?.at(-1)),
    ).toEqual([price, told(price * 1.02), told(price * 0.98), price + 1, 12.5])
    expect(await market.current()).toEqual({
      day: market.today(),
      open: price + 1,
      last: price + 2,
      atMs: market.now(),
    })
    expect(await market.feed()).toMatchObject({ failures: 0, lackingSince: null, finding: null })
  })

  test('is asked once by two runs at the same time, then each hour, and right after midnight', async () => {
    const market = await filled('good')
    await Promise.all([market.after(0), market.after(0)])
    expect(await market.asked()).toHaveLength(ASSETS.length)
    for (let minute = 0; minute < 49; minute++) await market.after(MINUTE_MS)
    expect(await market.asked()).toHaveLength(ASSETS.length)
    await market.after(MINUTE_MS)
    expect(await market.asked()).toHaveLength(2 * ASSETS.length)
    await market.after(23 * HOUR_MS)
    expect((await market.bitcoin()).time.at(-1)).toBe(market.today() - DAY_MS)
    expect((await market.current())?.day).toBe(market.today())
  })

  test.each(['twice', 'mixed', 'future'])('rows that came %s make the same bars', async (way) => {
    const market = await filled(way)
    await market.after(0)
    expect((await market.bitcoin()).time).toHaveLength(10)
    expect((await market.feed())?.lackingSince).toBeNull()
  })

  test.each(['hole', 'contradicting', 'negative', 'words', 'impossible', 'odd'])(
    'a day that is told badly (%s) is asked for again at once, and heals',
    async (way) => {
      const market = await filled(`${way},good`)
      await market.after(0)
      expect((await market.bitcoin()).time).toHaveLength(10)
      const missing = market.today() - 3 * DAY_MS
      const [, again = ''] = await market.asked()
      expect(again).toContain(
        kind === 'kraken' ? `since=${missing / 1000 - 1}` : `start=${new Date(missing).toISOString()}`,
      )
    },
  )

  test.each(['hole', 'negative'])(
    'a day that stays away (%s) stops the bars before it, is said, and comes later',
    async (way) => {
      const market = await filled(`${forAll(way)},${forAll(way)},good`)
      await market.after(0)
      expect(await market.stored()).toEqual({ days: 7, last: market.today() - 4 * DAY_MS })
      await expect(market.bitcoin()).rejects.toBeInstanceOf(MissingCandles)
      const feed = await market.feed()
      expect(feed?.lackingSince).toBe(market.now())
      expect(feed?.finding).toContain('bitcoin: lacks 2026-03-07')
      expect(feed?.dueAt).toBe(market.now() + 5 * MINUTE_MS)
      await market.after(5 * MINUTE_MS)
      expect((await market.bitcoin()).time).toHaveLength(10)
      expect(await market.feed()).toMatchObject({ failures: 0, lackingSince: null })
    },
  )

  test('bars that stay away for hours make the work fail, so that somebody looks', async () => {
    const market = await filled('late')
    await market.after(0)
    await market.after(2 * HOUR_MS)
    await expect(market.after(HOUR_MS + MINUTE_MS)).rejects.toThrow(/E_CANDLES_MISSING .*lacks 2026-03-08/)
  })

  test('yesterday counts as closed once today arrives: an answer cached before midnight does not', async () => {
    const market = await filled(`${forAll('stale')},good`)
    await market.after(0)
    expect(await market.stored()).toMatchObject({ last: market.today() - 2 * DAY_MS })
    expect(await market.current()).toBeUndefined()
    expect(await market.feed()).toMatchObject({ lackingSince: market.now() })
    await market.after(5 * MINUTE_MS)
    expect((await market.bitcoin()).candles[0]?.close.at(-1)).toBe(market.today() / DAY_MS)
    expect((await market.current())?.day).toBe(market.today())
  })

  test.each([
    ['jumped', 'wick'],
    ['wick', 'jumped'],
  ])(
    'a bar with a price that jumped (%s) is plausible when that very bar is told again',
    async (way, other) => {
      const market = await filled(`${forAll(other)},${way}`)
      const before = market.today() - 4 * DAY_MS
      await market.after(0)
      expect(await market.stored()).toMatchObject({ last: before })
      expect((await market.feed())?.finding).toContain('bitcoin: held back')
      await market.after(5 * MINUTE_MS)
      expect(await market.stored()).toMatchObject({ last: before })
      await market.after(10 * MINUTE_MS)
      expect((await market.stored())?.last).toBeGreaterThan(before)
    },
  )

  test('a jump in the day’s open is not plausible until it arrives again', async () => {
    const market = await filled(`${forAll('opened')},good`)
    await market.after(0)
    expect(await market.stored()).toMatchObject({ days: 10 })
    expect(await market.current()).toBeUndefined()
    expect((await market.feed())?.finding).toContain('bitcoin: no price of now')
    await market.after(5 * MINUTE_MS)
    expect((await market.current())?.open).toBe(market.today() / DAY_MS)
    const insisting = exchange(kind, 'opened')
    await insisting.after(DAY_MS)
    expect((await insisting.current())?.day).toBe(insisting.today() - DAY_MS)
    await insisting.after(5 * MINUTE_MS)
    expect(await insisting.current()).toMatchObject({ day: insisting.today() })
  })

  test('a changed history is reported, and stored bars stay', async () => {
    const market = await filled('good')
    await market.after(0)
    const before = await market.bitcoin()
    const other = exchange(kind, 'changed')
    await other.after(HOUR_MS)
    expect(await other.bitcoin()).toEqual(before)
    expect((await other.feed())?.finding).toContain('bitcoin: told another bar for 2026-03-07')
  })

  test.each(kind === 'kraken' ? [...NO_ANSWERS, 'unknown'] : ['down', 'nothing', 'many', 'trickle', 'other'])(
    'an answer that is none (%s) changes nothing, and is tried again',
    async (way) => {
      const market = await filled(`${forAll(way)},good`)
      await market.after(0, way === 'trickle' ? IMPATIENT_MS : undefined)
      expect(await market.stored()).toMatchObject({ days: 5 })
      expect(await market.current()).toBeUndefined()
      expect(await market.feed()).toMatchObject({ failures: 1, lackingSince: market.now() })
      await market.after(5 * MINUTE_MS)
      await market.after(5 * MINUTE_MS)
      expect((await market.bitcoin()).time).toHaveLength(10)
    },
  )

  test('a requested pause is kept, and no further asset is requested', async () => {
    const market = await filled('limited,good')
    await market.after(0)
    expect(await market.asked()).toHaveLength(1)
    expect(await market.feed()).toMatchObject({ dueAt: market.now() + 30 * MINUTE_MS })
    await market.after(30 * MINUTE_MS)
    expect((await market.bitcoin()).time).toHaveLength(10)
  })

  test('an asset for which a pause is requested each time stops no other for longer than a turn', async () => {
    const market = await filled(
      `limited,${ASSETS.slice(1)
        .map(() => 'good')
        .join()},limited`,
    )
    await market.after(0)
    await market.after(30 * MINUTE_MS)
    const { results } = await env.DB.prepare(
      'SELECT asset FROM candles WHERE market = ?1 GROUP BY asset HAVING max(day) = ?2',
    )
      .bind(kind, market.today() - DAY_MS)
      .all<{ asset: string }>()
    expect(results.map(({ asset }) => asset).toSorted()).toEqual(ASSETS.slice(1).toSorted())
    expect(await market.feed()).toMatchObject({ failures: 2, lackingSince: expect.any(Number) })
  })
})

test('Kraken starts with its last 720 days', async () => {
  const market = exchange('kraken', 'good')
  await market.after(0)
  expect((await market.asked())[0]).toBe(
    `/public/OHLC?pair=XBTUSD&interval=1440&since=${(market.today() - 719 * DAY_MS) / 1000 - 1}`,
  )
  expect((await market.bitcoin()).time).toHaveLength(719)
})

test.each([0, 1, 2, 3, 4, 5, 6])(
  'a run that dies after %i writes is made good by the next one',
  async (writes) => {
    const market = exchange('kraken', 'good')
    let left = writes
    const dying = new Proxy(env.DB, {
      get(binding, name) {
        if (name === 'batch' && left-- <= 0) throw new Error('died')
        const value = Reflect.get(binding, name)
        return typeof value === 'function' ? value.bind(binding) : value
      },
    })
    await market.after(0, undefined, openDatabase(dying)).catch(() => {})
    await market.after(5 * MINUTE_MS)
    const { time } = await readCandles(db, 'kraken', ASSETS, null, market.now())
    expect(time).toHaveLength(719)
    expect((await readCurrent(db, 'kraken', ASSETS)).size).toBe(ASSETS.length)
    expect(await market.feed()).toMatchObject({ failures: 0, lackingSince: null })
  },
)

test('Kraken says that it is asked too often in an answer that went well', async () => {
  const market = exchange('kraken', 'busy,good')
  await market.after(0)
  expect(await market.feed()).toMatchObject({ dueAt: market.now() + 15 * MINUTE_MS })
  expect((await market.feed())?.finding).toContain('asks to be left alone')
})

test('Coinbase is asked for 300 days at a time, one piece each minute, until all are there', async () => {
  const market = exchange('coinbase', 'good')
  const first = market.today() - 900 * DAY_MS
  for (const asset of ASSETS)
    await env.DB.prepare("INSERT INTO candles VALUES ('coinbase', ?, ?, ?, 1e6, 1, ?, 1)")
      .bind(asset, first, first / DAY_MS, first / DAY_MS + 1)
      .run()
  await market.after(0)
  expect(await market.stored()).toEqual({ days: 299, last: first + 298 * DAY_MS })
  expect(await market.feed()).toMatchObject({ dueAt: market.now() + MINUTE_MS })
  for (let piece = 0; piece < 3; piece++) await market.after(MINUTE_MS)
  expect((await market.bitcoin()).time).toHaveLength(900)
  expect((await market.asked())[0]).toBe(
    `/products/BTC-USD/candles?granularity=86400&start=${new Date(first).toISOString()}&end=${new Date(first + 299 * DAY_MS).toISOString()}`,
  )
})

test('Coinbase is asked for no days before an asset was listed', async () => {
  const market = exchange('coinbase', 'good')
  await market.after(0)
  const asked = await market.asked()
  const starts = new Map(asked.map((path) => [path.split('/')[2], /start=([^T]*)/.exec(path)?.[1]]))
  expect(starts.get('BTC-USD')).toBe('2020-01-01')
  expect(starts.get('XRP-USD')).toBe('2023-07-13')
  expect(starts.get('ADA-USD')).toBe('2021-03-18')
  expect(starts.get('SOL-USD')).toBe('2021-07-01')
})

describe('the simulated market', () => {
  const nowMs = Date.UTC(2026, 2, 10, 7, 30)

  test('is stored as the engine makes it, to the last digit, with the price of now', async () => {
    await env.DB.prepare('DELETE FROM candle_feeds').run()
    await updateCandles(env, db, nowMs)
    const { assets } = simulated
    const stored = await readCandles(db, 'simulated', assets, SIMULATED_START, nowMs)
    const today = Date.UTC(2026, 2, 10)
    expect(stored).toEqual(buildSimulatedMarket(assets, SIMULATED_START, today))
    expect((await readCurrent(db, 'simulated', ['sim-index'])).get('sim-index')).toEqual({
      day: today,
      open: computeSimulatedPrice('sim-index', today),
      last: computeSimulatedPrice('sim-index', nowMs),
      atMs: nowMs,
    })
    // The next day adds a bar to each, and its open stays as first received.
    await updateCandles(env, db, nowMs + DAY_MS)
    expect((await readCandles(db, 'simulated', assets, null, nowMs + DAY_MS)).time).toHaveLength(
      stored.time.length + 1,
    )
  })

  test('the simulated market is stored although an exchange fails', async () => {
    await env.DB.prepare('DELETE FROM candle_feeds').run()
    const market = exchange('kraken', 'down')
    await market.after(0)
    expect(
      (await readCandles(db, 'simulated', ['sim-flint'], null, market.now())).time.length,
    ).toBeGreaterThan(2000)
  })
})
