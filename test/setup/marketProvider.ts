import type { ServerResponse } from 'node:http'
import type { TestProject } from 'vitest/node'
import { copyPng } from '../../src/pictures/samples.ts'
import { SAMPLE_COINS, SAMPLE_TRENDING } from '../../worker/lib/market/sample.ts'
import { end, FAULTS, json, serveProvider } from './provider.ts'

/** A fake price provider, which answers like CoinGecko's API v3. */
export default function serveMarket(project: TestProject): Promise<() => void> {
  return serveProvider(
    project,
    'market',
    (path) => path,
    (response, { url, path, mode }) => {
      if (path.startsWith('/pictures/')) picture(response, path.slice('/pictures/'.length))
      else (MODES[mode] ?? FAULTS[mode] ?? priced(mode))(response, good(path, url))
    },
  )
}

declare module 'vitest' {
  interface ProvidedContext {
    /** The address of the fake price provider. */
    market: string
  }
}

type Mode = (response: ServerResponse, good: unknown) => void

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
  shape: (response) => json(response, { status: { error_message: 'no list' } }),
  many: list((rows) => Array.from({ length: 10_000 }, (_, i) => ({ id: `c${i}`, symbol: rows[0]?.symbol }))),
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
  if (name.startsWith('small/new-coin')) end(response, 200, 'image/png', copyPng())
  else if (name.startsWith('small/')) end(response, 200, 'image/png', '<svg onload="alert(1)"></svg>')
  else end(response, 404, 'text/plain', 'none')
}

function pictureAddress(url: URL, name: string): string {
  const [, modes, run] = url.pathname.split('/')
  return `${url.origin}/${modes}/${run}/pictures/large/${name}`
}
