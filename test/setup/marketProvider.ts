import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import type { TestProject } from 'vitest/node'
import { PNG } from '../../src/pictures/samples.ts'
import { SAMPLE_COINS, SAMPLE_TRENDING } from '../../worker/lib/market/sample.ts'

/**
 * A fake price provider for tests inside workerd. It answers like CoinGecko's API v3. The base address chooses how: under
 * `http://127.0.0.1:PORT/<mode>[,<mode>…]/<run>` the first call of a path gets the first mode, the next one the second, and all
 * further ones the last. `run` keeps tests apart. `GET /asked/<run>` returns the calls of a run.
 */
export default async function serveMarket(project: TestProject): Promise<() => void> {
  const asked = new Map<string, Call[]>()
  const server = createServer((request, response) => answer(request, response, asked))
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const { port } = server.address() as AddressInfo
  project.provide('market', `http://127.0.0.1:${port}`)
  return () => {
    server.closeAllConnections()
    server.close()
  }
}

declare module 'vitest' {
  interface ProvidedContext {
    /** The address of the fake price provider. */
    market: string
  }
}

interface Call {
  path: string
  key: string | undefined
  atMs: number
}

type Mode = (response: ServerResponse, good: unknown) => void

function answer(request: IncomingMessage, response: ServerResponse, asked: Map<string, Call[]>): void {
  const url = new URL(request.url ?? '/', `http://${request.headers.host}`)
  const [, modes = '', run = '', ...rest] = url.pathname.split('/')
  if (modes === 'asked') {
    json(response, asked.get(run) ?? [])
    return
  }
  const path = `/${rest.join('/')}`
  const calls = asked.get(run) ?? []
  const before = calls.filter((call) => call.path.split('?')[0] === path).length
  const key = request.headers['x-cg-demo-api-key']
  calls.push({ path: path + url.search, key: key === undefined ? undefined : String(key), atMs: Date.now() })
  asked.set(run, calls)
  if (path.startsWith('/pictures/')) {
    picture(response, path.slice('/pictures/'.length))
    return
  }
  const order = modes.split(',')
  const name = order[Math.min(before, order.length - 1)] ?? 'good'
  const mode = MODES[name] ?? priced(name)
  mode(response, good(path, url))
}

function good(path: string, url: URL): unknown {
  if (path === '/search/trending') return trending(url)
  const ids = url.searchParams.get('ids')?.split(',')
  return url.searchParams.get('sparkline') === 'true' ? (ids ?? []).map(week) : markets(url)
}

/** The documented answer of `/coins/markets`, with fields that the Worker ignores. */
function markets(url: URL) {
  return SAMPLE_COINS.map((coin) => ({
    ...coin,
    image: pictureAddress(url, coin.id),
    market_cap: coin.current_price * 1e6,
    fully_diluted_valuation: null,
    total_volume: 1_000_000,
    ath_change_percentage: -30.1,
    roi: null,
    last_updated: new Date().toISOString(),
    // Two coins for which the site has no picture.
    ...(coin.id === 'iota' && { id: 'new-coin', image: pictureAddress(url, 'new-coin.png') }),
    ...(coin.id === 'eos' && { id: 'odd-coin', image: 'https://elsewhere.example/large/odd.png' }),
  }))
}

/** The documented answer of `/search/trending`. */
function trending(url: URL) {
  return {
    coins: SAMPLE_TRENDING.map(({ id, name, symbol, data }, score) => ({
      item: {
        id,
        coin_id: 1000 + score,
        name,
        symbol,
        market_cap_rank: 90 + score,
        thumb: 'https://elsewhere.example/thumb.png',
        small: 'https://elsewhere.example/small.png',
        large: pictureAddress(url, `${id}.png`),
        slug: id,
        price_btc: 0.00001,
        score,
        data: {
          price: data.price,
          price_btc: '0.00001',
          price_change_percentage_24h: { aed: 1, usd: data.price_change_percentage_24h.usd, eur: 2 },
          market_cap: '$1,000,000',
          sparkline: `https://elsewhere.example/coins/${id}/sparkline.svg`,
          content: null,
        },
      },
    })),
    nfts: [{ id: 'an-nft' }],
    categories: [],
  }
}

function week(id: string) {
  return {
    id,
    current_price: 2,
    sparkline_in_7d: { price: Array.from({ length: 168 }, (_, i) => 1 + i / 168) },
  }
}

const MODES: Record<string, Mode> = {
  good: (response, body) => json(response, body),
  down: (response) => end(response, 500, 'text/plain', 'boom'),
  limited: (response) => {
    response.setHeader('Retry-After', '1800')
    end(response, 429, 'application/json', '{"status":{"error_code":429}}')
  },
  html: (response) => end(response, 200, 'text/html', '<!doctype html><script>alert(1)</script>'),
  broken: (response) => end(response, 200, 'application/json', '[{"id": "bitcoin", '),
  shape: (response) => json(response, { status: { error_message: 'no list' } }),
  empty: (response) => json(response, []),
  silent: () => {},
  trickle: (response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' })
    response.write('[')
    const timer = setInterval(() => response.write(' '), 50)
    response.on('close', () => clearInterval(timer))
  },
  cut: (response) => {
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '1000' })
    response.write('[')
    setTimeout(() => response.destroy(), 20)
  },
  huge: (response) => json(response, [{ id: 'x'.repeat(4_000_000) }]),
  // Small when compressed, large when decompressed.
  bomb: (response) => {
    response.setHeader('Content-Encoding', 'gzip')
    response.writeHead(200, { 'Content-Type': 'application/json' })
    response.end(gzipSync(`["${'x'.repeat(8_000_000)}"]`))
  },
  many: list((rows) => Array.from({ length: 10_000 }, (_, i) => ({ id: `c${i}`, symbol: rows[0]?.symbol }))),
  elsewhere: (response) => {
    response.setHeader('Location', `http://${response.req.headers.host}/good/followed/coins/markets`)
    end(response, 302, 'application/json', '[]')
  },
  // Seven rows are wrong, each in its own way. Two are duplicates and two are not rows.
  lies: list((rows) => [
    ...rows.map((row) => ({ ...row, ...LIES[String(row.id)] })),
    { ...rows[0], current_price: 1 },
    rows[2],
    null,
    'row',
  ]),
  // Without the price of eleven rows too few remain.
  few: list((rows) => rows.map((row, i) => (i < 11 ? { ...row, current_price: null } : row))),
  // All prices and all-time highs are a thousand times too high.
  inflated: list((rows) =>
    rows.map((row) => ({
      ...row,
      current_price: Number(row.current_price) * 1000,
      ath: Number(row.ath) * 1000,
    })),
  ),
  // Two coins lack the all-time high or its date.
  unknown: list((rows) =>
    rows.map((row) =>
      row.id === 'solana'
        ? { ...row, ath: null, ath_date: null, price_change_percentage_24h: null }
        : row.id === 'dai'
          ? { ...row, ath_date: null }
          : row,
    ),
  ),
  'no-number': (response) =>
    end(response, 200, 'application/json', '[{"id": "bitcoin", "current_price": NaN}]'),
  stale: list((rows) => rows.map((row) => ({ ...row, last_updated: '2026-01-31T08:00:00.000Z' }))),
}

const LIES: Record<string, Record<string, unknown>> = {
  dogecoin: { current_price: 0 },
  cardano: { current_price: -3 },
  tron: { current_price: '0.13' },
  'avalanche-2': { ath_date: 'long ago' },
  // A thousand times the price, above the all-time high.
  solana: { current_price: 148_200 },
  near: { current_price: 5e9 },
  chainlink: { name: 'Chain\u202elink' },
}

/** The mode `bitcoin=70000`: good, with that price. */
function priced(name: string): Mode {
  const [id, price] = name.split('=')
  return list((rows) => rows.map((row) => (row.id === id ? { ...row, current_price: Number(price) } : row)))
}

/** A mode that changes the list of coins and answers the rest as `good`. */
function list(change: (rows: readonly Record<string, unknown>[]) => unknown): Mode {
  return (response, good) => json(response, Array.isArray(good) ? change(good) : good)
}

function picture(response: ServerResponse, name: string): void {
  if (name.startsWith('small/new-coin')) end(response, 200, 'image/png', PNG)
  else if (name.startsWith('small/')) end(response, 200, 'image/png', '<svg onload="alert(1)"></svg>')
  else end(response, 404, 'text/plain', 'none')
}

function pictureAddress(url: URL, name: string): string {
  const [, modes, run] = url.pathname.split('/')
  return `${url.origin}/${modes}/${run}/pictures/large/${name}`
}

function json(response: ServerResponse, body: unknown): void {
  end(response, 200, 'application/json; charset=utf-8', JSON.stringify(body))
}

function end(response: ServerResponse, status: number, type: string, body: string | Uint8Array): void {
  response.writeHead(status, { 'Content-Type': type })
  response.end(body)
}
