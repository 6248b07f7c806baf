import { sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import type { MarketCoin, TrendingCoin } from '../../../src/contract/investing/market.ts'
import { DAY_MS } from '../../../src/time.ts'
import {
  type Database,
  parseStored,
  readTogether,
  runBatch,
  type Statement,
  selectRows,
} from '../../lib/database.ts'
import type { Env } from '../../lib/env.ts'
import { type PendingPrices, readMarket, toMarket } from '../../lib/market/snapshot.ts'
import { marketSeries } from '../../lib/tables/market.ts'
import { fetchPictures, getImagePath, loadFetchedPictures, type PicturedCoin } from './pictures.ts'
import { canConfirmJumps, filterJumps } from './plausibility.ts'
import { findProvider, type Provider, ProviderFailure, requestList } from './provider.ts'
import { claimFeed, computeNextTry, type FeedName, recordFailure, recordSuccess } from './schedule.ts'
import { parseCoins, parseSeries, parseTrending, type ReceivedCoin, type ReceivedTrend } from './shapes.ts'
import { getSparklinePath } from './sparkline.ts'

interface Run {
  readonly env: Env
  readonly db: Database
  readonly provider: Provider
  readonly nowMs: number
}

/** The result of a request: what to store, remarks, and whose pictures are wanted. */
interface FeedUpdate {
  readonly statements: readonly Statement[]
  readonly remarks: readonly string[]
  readonly pictures: readonly PicturedCoin[]
}

const WEEK_MS = 7 * DAY_MS

/**
 * Asks the provider for the due lists and stores the plausible values. A list that fails keeps its last snapshot and is tried
 * again later. Returns at once without a provider.
 */
export async function refreshMarket(
  env: Env,
  db: Database,
  nowMs: number,
  timeoutMs?: number,
): Promise<void> {
  const provider = findProvider(env, timeoutMs)
  if (provider === null) return
  const run: Run = { env, db, provider, nowMs }
  const taken = await Promise.all([
    updateFeed(run, 'coins', takeCoins),
    // The list says which series are wanted.
    updateFeed(run, 'trending', takeTrending).then(async (trends) => {
      if (trends !== null) await updateFeed(run, 'series', takeSeries)
      return trends
    }),
  ])
  await fetchPictures(
    env,
    db,
    provider,
    taken.flatMap((update) => update?.pictures ?? []),
    nowMs,
  )
}

async function updateFeed(
  run: Run,
  name: FeedName,
  take: (run: Run) => Promise<FeedUpdate>,
): Promise<FeedUpdate | null> {
  const { db, nowMs } = run
  const claim = await claimFeed(db, name, nowMs)
  if (claim === null) return null
  try {
    const taken = await take(run)
    const finding = taken.remarks.length === 0 ? null : taken.remarks.join('; ')
    if (finding !== null) report('warning', name, finding)
    await runBatch(db, [...taken.statements, recordSuccess(name, finding)])
    return taken
  } catch (error) {
    const isKnown = error instanceof ProviderFailure
    const next = computeNextTry(name, claim, isKnown ? error.retryAfterMs : 0, nowMs)
    const finding = isKnown ? error.message : 'failed on our side'
    report('error', name, finding)
    await runBatch(db, [recordFailure(name, next, finding, nowMs)])
    if (!isKnown) throw error
    return null
  }
}

async function takeCoins({ db, provider, nowMs }: Run): Promise<FeedUpdate> {
  const answer = await requestList(
    provider,
    '/coins/markets?vs_currency=usd&order=market_cap_desc&per_page=50&page=1',
  )
  const received = parseCoins(answer, nowMs)
  const [stored, pictures] = await Promise.all([
    readMarket(db),
    loadFetchedPictures(
      db,
      received.rows.map(({ id }) => id),
    ),
  ])
  const { coins } = toMarket(stored, nowMs)
  // Prices of another source cannot be compared, nor can first prices that no list confirmed.
  const isSame = coins.source === provider.name
  const believed = coins.rows.filter((row) => isSame && coins.held[row.id] !== row.current_price)
  const before = new Map(believed.map((row) => [row.id, row.current_price] as const))
  const seenMs = computeSeenAtMs(received.rows, nowMs)
  const isConfirming = isSame && canConfirmJumps({ heldAtMs: coins.atMs, seenAtMs: seenMs, nowMs })
  const { rows, held } = filterJumps(received.rows, before, isConfirming ? coins.held : {})
  const withheld = Object.keys(held)
  return {
    statements: [
      store(
        'coins',
        rows.map((row) => toMarketCoin(row, pictures)),
        provider.name,
        seenMs,
        held,
      ),
    ],
    remarks: [
      ...(received.dropped > 0 ? [`${received.dropped} rows dropped`] : []),
      ...(withheld.length > 0 ? [`held back: ${withheld.join(', ')}`] : []),
    ],
    pictures: received.rows,
  }
}

async function takeTrending({ db, provider, nowMs }: Run): Promise<FeedUpdate> {
  const received = parseTrending(await requestList(provider, '/search/trending'))
  const ids = received.rows.map(({ id }) => id)
  const [pictures, [series]] = await Promise.all([
    loadFetchedPictures(db, ids),
    readTogether(
      db,
      selectRows({ coin: marketSeries.coin, prices: marketSeries.prices })
        .from(marketSeries)
        .where(sql`coin IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`),
    ),
  ])
  const known = new Map(series.map(({ coin, prices }) => [coin, parseStored(z.array(z.number()), prices)]))
  const rows = received.rows.map((row) => toTrendingCoin(row, known.get(row.id), pictures))
  return {
    statements: [store('trending', rows, provider.name, nowMs, {})],
    remarks: received.dropped > 0 ? [`${received.dropped} rows dropped`] : [],
    pictures: received.rows,
  }
}

/** A week of prices of the trending coins. Requested seldom, because it is an extra call. */
async function takeSeries({ db, provider, nowMs }: Run): Promise<FeedUpdate> {
  const stored = await readMarket(db)
  const { trending } = toMarket(stored, nowMs)
  const ids = trending.rows.map(({ id }) => id)
  const answer = await requestList(
    provider,
    `/coins/markets?vs_currency=usd&ids=${encodeURIComponent(ids.join(','))}&per_page=50&page=1&sparkline=true`,
  )
  const { rows, dropped } = parseSeries(answer)
  return {
    statements: [
      ...rows.map(
        ({ id, prices }) => sql`
          INSERT INTO market_series (coin, prices, at) VALUES (${id}, ${JSON.stringify(prices)}, ${nowMs})
          ON CONFLICT (coin) DO UPDATE SET prices = excluded.prices, at = excluded.at`,
      ),
      sql`DELETE FROM market_series WHERE at < ${nowMs - WEEK_MS}`,
    ],
    remarks: dropped > 0 ? [`${dropped} rows dropped`] : [],
    pictures: [],
  }
}

/** Stores a list unless a later one is stored. */
function store(
  name: 'coins' | 'trending',
  rows: readonly (MarketCoin | TrendingCoin)[],
  source: string,
  atMs: number,
  held: PendingPrices,
): Statement {
  return sql`
    INSERT INTO market_snapshots (name, body, source, at, held)
    VALUES (${name}, ${JSON.stringify(rows)}, ${source}, ${atMs}, ${JSON.stringify(held)})
    ON CONFLICT (name) DO UPDATE
    SET body = excluded.body, source = excluded.source, at = excluded.at, held = excluded.held
    WHERE excluded.at >= market_snapshots.at OR excluded.source <> market_snapshots.source`
}

/**
 * The time of the newest price, or now if the provider does not say. A provider that repeats an hour-old list is an hour
 * old.
 */
function computeSeenAtMs(rows: readonly ReceivedCoin[], nowMs: number): number {
  const seen = rows.flatMap((row) => (row.seenAtMs === null ? [] : [row.seenAtMs]))
  return seen.length === 0 ? nowMs : Math.min(nowMs, Math.max(...seen))
}

function toMarketCoin(
  { picture: _picture, seenAtMs: _seenAtMs, ...row }: ReceivedCoin,
  pictures: ReadonlySet<string>,
): MarketCoin {
  return { ...row, image: getImagePath(row.id, pictures) }
}

function toTrendingCoin(
  { id, name, symbol, price, change }: ReceivedTrend,
  week: readonly number[] | undefined,
  pictures: ReadonlySet<string>,
): TrendingCoin {
  // Without a week of prices, the line goes from yesterday's price to today's.
  const before = week ?? [change > -100 ? price / (1 + change / 100) : price]
  return {
    id,
    name,
    symbol,
    large: getImagePath(id, pictures),
    data: {
      price,
      price_change_percentage_24h: { usd: change },
      sparkline: getSparklinePath(id),
      series: [...before, price],
    },
  }
}

function report(level: 'warning' | 'error', feed: FeedName, finding: string): void {
  console[level === 'error' ? 'error' : 'warn'](JSON.stringify({ level, market: feed, finding }))
}
