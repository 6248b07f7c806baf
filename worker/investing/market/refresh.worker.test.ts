import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, inject, test, vi } from 'vitest'
import type { MarketCoin, TrendingCoin } from '../../../src/contract/investing/market.ts'
import { call, send } from '../../../test/support/http.ts'
import { newInvestor } from '../../../test/support/people.ts'
import { runDueWork } from '../../cron.ts'
import { openDatabase } from '../../lib/database.ts'
import type { Env } from '../../lib/env.ts'
import { SAMPLE_COINS } from '../../lib/market/sample.ts'
import { refreshMarket } from './refresh.ts'

// Uses a fake market service: test/setup/marketProvider.ts.

const db = openDatabase(env.DB)
const MINUTE_MS = 60_000
/** A short timeout for endless answers, so that the tests do not wait. */
const IMPATIENT_MS = 400
let run = 0

beforeEach(async () => {
  await env.DB.batch(
    ['market_feeds', 'market_snapshots', 'market_series', 'market_pictures'].map((table) =>
      env.DB.prepare(`DELETE FROM ${table}`),
    ),
  )
  vi.spyOn(console, 'error').mockReturnValue()
  vi.spyOn(console, 'warn').mockReturnValue()
})

/** A deployment with its own clock, whose provider answers in these ways, one after the other. */
function provider(ways: string, settings: Partial<Env> = {}) {
  const name = `run-${run++}`
  const base = inject('market')
  const deployment: Env = {
    ...env,
    MARKET_BASE_URL: `${base}/${ways}/${name}`,
    MARKET_PICTURE_HOSTS: new URL(base).host,
    ...settings,
  }
  let nowMs = Date.now() - 48 * 60 * MINUTE_MS
  return {
    /** Lets this many minutes pass, then runs what is due. */
    after: async (minutes: number, timeoutMs?: number) => {
      nowMs += minutes * MINUTE_MS
      await refreshMarket(deployment, db, nowMs, timeoutMs)
    },
    asked: async (path = '') => {
      const calls = (await (await fetch(`${base}/asked/${name}`)).json()) as { path: string; key?: string }[]
      return calls.filter((each) => each.path.startsWith(path))
    },
    base,
    now: () => nowMs,
    deployment,
  }
}

async function coins() {
  const { headers, body } = await call<MarketCoin[]>('GET', '/market/coins')
  return { source: headers.get('X-Market-Source'), at: headers.get('X-Market-At'), rows: body }
}

async function feed(name: string) {
  return env.DB.prepare('SELECT failures, finding, due_at AS dueAt FROM market_feeds WHERE name = ?')
    .bind(name)
    .first<{ failures: number; finding: string | null; dueAt: number }>()
}

const priceOf = (rows: readonly MarketCoin[], id: string) => rows.find((row) => row.id === id)?.current_price

describe('a provider that answers as documented', () => {
  test('fills both lists, with its name, its time and pictures on our own host alone', async () => {
    const market = provider('good', { MARKET_API_KEY: 'a-key' })
    await market.after(0)
    const { source, at, rows } = await coins()
    expect(source).toBe(new URL(market.base).host)
    expect(Date.parse(at ?? '')).toBe(market.now())
    expect(rows.map((row) => row.market_cap_rank)).toEqual(SAMPLE_COINS.map((row) => row.market_cap_rank))
    expect(Object.keys(rows[0] ?? {}).sort()).toEqual(Object.keys(SAMPLE_COINS[0] ?? {}).sort())
    const { body: trends, headers } = await call<TrendingCoin[]>('GET', '/market/trending')
    expect(headers.get('X-Market-Source')).toBe(source)
    expect(trends.length).toBeGreaterThanOrEqual(3)
    for (const address of [
      ...rows.map((row) => row.image),
      ...trends.flatMap((coin) => [coin.large, coin.data.sparkline]),
    ]) {
      expect(address).toMatch(/^\/(?:coins|api\/v1\/market)\//)
    }
    expect((await market.asked()).map(({ path, key }) => [path.split('?')[0], key])).toContainEqual([
      '/search/trending',
      'a-key',
    ])
    expect((await market.asked('/coins/markets'))[0]?.path).toBe(
      '/coins/markets?vs_currency=usd&order=market_cap_desc&per_page=50&page=1',
    )
  })

  test('is asked every ten minutes and never sooner, and for a week of prices every four hours', async () => {
    const market = provider('good')
    for (let minute = 0; minute < 300; minute++) await market.after(1)
    const asked = await market.asked()
    const ofWeek = asked.filter(({ path }) => path.includes('sparkline=true'))
    const ofCoins = asked.filter(
      ({ path }) => path.startsWith('/coins/markets') && !ofWeek.some((each) => each.path === path),
    )
    expect(ofCoins).toHaveLength(30)
    expect(await market.asked('/search/trending')).toHaveLength(30)
    expect(ofWeek).toHaveLength(2)
  }, 60_000)

  test('is asked once by two runs at the same time', async () => {
    const market = provider('good')
    await Promise.all([market.after(0), market.after(0), market.after(0)])
    expect(await market.asked('/search/trending')).toHaveLength(1)
  })

  test('gives trending coins a line of a week that ends with the price of now', async () => {
    const market = provider('good')
    await market.after(0)
    const first = (await call<TrendingCoin[]>('GET', '/market/trending')).body[0]
    // Not known yet: from yesterday's price to today's.
    expect(first?.data.series).toHaveLength(2)
    await market.after(10)
    const [coin] = (await call<TrendingCoin[]>('GET', '/market/trending')).body
    expect(coin?.data.series.length).toBe(33)
    expect(coin?.data.series.at(-1)).toBe(coin?.data.price)
    const drawing = await send('GET', coin?.data.sparkline.replace('/api/v1', '') ?? '')
    expect(drawing.headers.get('Content-Type')).toBe('image/svg+xml')
    expect(drawing.headers.get('Content-Security-Policy')).toContain('sandbox')
    expect(await drawing.text()).toMatch(
      /^<svg [^>]+><polyline points="[\d., ]+" fill="none" stroke="#\w{6}"/,
    )
    expect((await send('GET', '/market/sparklines/no-such-coin')).status).toBe(404)
  })

  test('that does not know a highest price or a change leaves them open, and no coin out', async () => {
    const market = provider('unknown')
    await market.after(0)
    const { rows } = await coins()
    expect(rows).toHaveLength(50)
    expect(rows.find(({ id }) => id === 'solana')).toMatchObject({
      ath: null,
      ath_date: null,
      price_change_percentage_24h: null,
    })
    expect(rows.find(({ id }) => id === 'dai')).toMatchObject({ ath: null, ath_date: null })
  })

  test('a list whose newest price is old is shown as old', async () => {
    const market = provider('stale')
    await market.after(0)
    expect((await coins()).at).toBe('2026-01-31T08:00:00.000Z')
  })
})

describe('pictures of coins', () => {
  test('pictures are fetched once, checked, stored, and served from our own host', async () => {
    const market = provider('good')
    await market.after(0)
    await market.after(10)
    const { rows } = await coins()
    expect(rows.find((row) => row.id === 'new-coin')?.image).toBe('/api/v1/market/pictures/new-coin')
    expect(await market.asked('/pictures/')).toMatchObject([{ path: '/pictures/small/new-coin.png' }])
    const picture = await send('GET', '/market/pictures/new-coin')
    expect(picture.status).toBe(200)
    expect(picture.headers.get('Content-Type')).toBe('image/png')
    expect(picture.headers.get('X-Content-Type-Options')).toBe('nosniff')
    expect(picture.headers.get('Content-Security-Policy')).toContain('sandbox')
    expect(picture.headers.get('Cache-Control')).toContain('max-age=604800')
    const tag = picture.headers.get('ETag') ?? ''
    expect((await picture.bytes()).slice(1, 4)).toEqual(new TextEncoder().encode('PNG'))
    const again = await send('GET', '/market/pictures/new-coin', { headers: { 'If-None-Match': tag } })
    expect([again.status, await again.text()]).toEqual([304, ''])
    for (const header of ['', '*', '""', '"other", "another"', 'x'.repeat(2000)]) {
      const other = await send('GET', '/market/pictures/new-coin', { headers: { 'If-None-Match': header } })
      expect([header, other.status]).toEqual([header, 200])
    }
  })

  test('pictures from other hosts or with other content are replaced by a placeholder', async () => {
    const market = provider('good', { MARKET_PICTURE_HOSTS: 'assets.example' })
    await market.after(0)
    await market.after(10)
    expect(await market.asked('/pictures/')).toEqual([])
    const { rows } = await coins()
    for (const id of ['new-coin', 'odd-coin'])
      expect(rows.find((row) => row.id === id)?.image).toBe('/coins/unknown.svg')
    for (const id of ['odd-coin', 'bitcoin', '..%2fkyc', 'x'.repeat(200)])
      expect((await send('GET', `/market/pictures/${id}`)).status, id).toBe(404)
  })
})

describe('a provider that lies', () => {
  test('implausible rows are dropped and counted', async () => {
    const market = provider('lies')
    await market.after(0)
    const { rows } = await coins()
    const ids = rows.map((row) => row.id)
    expect(rows).toHaveLength(43)
    for (const id of ['dogecoin', 'cardano', 'tron', 'avalanche-2', 'chainlink', 'solana', 'near'])
      expect(ids).not.toContain(id)
    expect(priceOf(rows, 'bitcoin')).toBe(64_200)
    expect((await feed('coins'))?.finding).toMatch(/^11 rows dropped/)
  })

  test.each([
    'html',
    'broken',
    'no-number',
    'shape',
    'empty',
    'few',
    'many',
    'huge',
    'bomb',
    'elsewhere',
    'cut',
    'trickle',
    'silent',
    'down',
    'limited',
  ])('a failing provider (%s) leaves the last good list unchanged', async (way) => {
    // The list of coins and the week of what trends, then the list again.
    const market = provider(`good,good,${way}`)
    await market.after(0)
    const before = await coins()
    await market.after(10, IMPATIENT_MS)
    expect(await coins()).toEqual(before)
    expect(await feed('coins')).toMatchObject({ failures: 1, finding: expect.any(String) })
  })

  test('redirects to another address are never followed', async () => {
    const market = provider('elsewhere', { MARKET_API_KEY: 'a-key' })
    await market.after(0)
    expect(await (await fetch(`${market.base}/asked/followed`)).json()).toEqual([])
    expect((await coins()).source).toBe('sample')
  })

  test('a price jump counts once it came twice, and gives no quotes before', async () => {
    const market = provider('good,good,good,bitcoin=1,bitcoin=1')
    await market.after(0)
    await market.after(10)
    await market.after(10)
    expect(priceOf((await coins()).rows, 'bitcoin')).toBe(64_200)
    expect((await feed('coins'))?.finding).toBe('held back: bitcoin')
    await market.after(10)
    expect(priceOf((await coins()).rows, 'bitcoin')).toBe(1)
    expect((await feed('coins'))?.finding).toBeNull()
  })

  test('a price jump that comes again more than a day later must come once more', async () => {
    const market = provider('good,good,good,bitcoin=1,bitcoin=1,bitcoin=1')
    await market.after(0)
    await market.after(10)
    await market.after(10)
    await market.after(24 * 60 + 1)
    expect(priceOf((await coins()).rows, 'bitcoin')).toBe(64_200)
    await market.after(10)
    expect(priceOf((await coins()).rows, 'bitcoin')).toBe(1)
  })

  test('a jump of every price changes none of them, and gives no quotes', async () => {
    const market = provider('good,good,good,inflated')
    await market.after(0)
    await market.after(10)
    const { rows } = await coins()
    await market.after(10)
    expect((await coins()).rows.map((row) => row.current_price)).toEqual(rows.map((row) => row.current_price))
    const { token } = await newInvestor()
    expect((await call('GET', '/quotes?type=bitcoin&amount=100', { token })).status).toBe(503)
  })

  test('the first price of a coin of deposits is held back until the next list confirms it', async () => {
    // The second answer is the week of what trends.
    const market = provider('bitcoin=6420,good,good,good')
    for (const finding of [/bitcoin/, /^held back: bitcoin$/, null]) {
      await market.after(10)
      const found = (await feed('coins'))?.finding
      if (finding === null) expect(found).toBeNull()
      else expect(found).toMatch(finding)
    }
    expect(priceOf((await coins()).rows, 'bitcoin')).toBe(64_200)
  })

  test('a single misplaced decimal point changes nothing', async () => {
    const market = provider('good,good,good,bitcoin=6420,good')
    for (const minutes of [0, 10, 10, 10]) {
      await market.after(minutes)
      expect(priceOf((await coins()).rows, 'bitcoin')).toBe(64_200)
    }
  })
})

describe('a provider that fails', () => {
  test('is tried again five minutes later, then ever less often', async () => {
    const market = provider('down')
    for (let minute = 0; minute < 200; minute++) await market.after(1)
    // Minutes 1, 6, 16, 36, 76, 136, 196.
    expect(await market.asked('/search/trending')).toHaveLength(7)
  })

  test('a requested pause is kept', async () => {
    const market = provider('limited,good')
    await market.after(0)
    await market.after(29)
    expect(await market.asked('/search/trending')).toHaveLength(1)
    await market.after(1)
    expect(await market.asked('/search/trending')).toHaveLength(2)
    expect(await feed('coins')).toMatchObject({ failures: 0 })
  })

  test('for one list leaves the other fresh', async () => {
    const market = provider('good')
    await env.DB.prepare("INSERT INTO market_feeds (name, due_at) VALUES ('trending', ?)")
      .bind(market.now() + 3_600_000)
      .run()
    await market.after(0)
    expect((await coins()).source).not.toBe('sample')
    const { headers } = await call('GET', '/market/trending')
    expect(headers.get('X-Market-Source')).toBe('sample')
  })
})

test('cron requests the due lists', async () => {
  const market = provider('good')
  await runDueWork(market.deployment, Date.now())
  expect(await market.asked('/search/trending')).toHaveLength(1)
  expect((await coins()).source).toBe(new URL(market.base).host)
})

test('without a provider, or with an invalid address, nothing is requested', async () => {
  for (const MARKET_BASE_URL of [undefined, '', 'no address', 'ftp://market.example'])
    await refreshMarket({ ...env, MARKET_BASE_URL }, db, Date.now())
  expect(await feed('coins')).toBeNull()
  expect((await coins()).source).toBe('sample')
})

test('outside development only HTTPS addresses are called', async () => {
  const market = provider('good', { APP_ENV: 'production' })
  await market.after(0)
  expect(await market.asked()).toEqual([])
})
