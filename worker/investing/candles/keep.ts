import { and, desc, eq, lt, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { toDayName } from '../../../engine/metrics/dailyEquity.ts'
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
import { getLogMessage } from '../../lib/errors.ts'
import { candleFeeds, candles } from '../../lib/tables/market.ts'
import { ProviderFailure } from '../market/provider.ts'
import { type Bar, isSameBar, type ReceivedBars } from './parse.ts'
import { isOtherMarket, takePlausibleBars, takePlausibleToday } from './plausibility.ts'
import { type CandleProvider, listCandleProviders } from './provider.ts'
import { BAR, MissingCandles } from './read.ts'
import { claimCandles, type Outcome, recordTurn } from './schedule.ts'

/** A market that lacks closed bars for longer is reported to operators. */
const PATIENCE_MS = 3 * 3_600_000
/** How many stored days are compared with the provider's current answer. */
const COMPARED = 3

/**
 * Asks each due market for the missing bars and stores the plausible ones: consecutive closed bars, and the current price.
 * Stored bars never change; a provider that changes its history is a finding. Throws if bars have been missing for hours. An asset or a
 * market that fails stops no other.
 */
export async function updateCandles(
  env: Env,
  db: Database,
  nowMs: number,
  timeoutMs?: number,
): Promise<void> {
  const failures: unknown[] = []
  for (const provider of listCandleProviders(env, timeoutMs))
    await updateMarket(db, provider, nowMs).catch((error: unknown) => failures.push(error))
  if (failures.length > 0) throw failures[0]
  const { market: feed, finding: found, lackingSince } = candleFeeds
  const lacking = await db
    .select({ market: feed, finding: found })
    .from(candleFeeds)
    .where(lt(lackingSince, nowMs - PATIENCE_MS))
  const names = listCandleProviders(env).map(({ market }) => market)
  const missed = lacking.filter(({ market }) => names.includes(market))
  if (missed.length > 0)
    throw new MissingCandles(missed.map(({ market, finding }) => `${market}: ${finding}`).join('; '))
}

async function updateMarket(db: Database, provider: CandleProvider, nowMs: number): Promise<void> {
  const { market, assets } = provider
  const claim = await claimCandles(db, market, nowMs)
  if (claim === null) return
  const newest = await readNewest(db, market, assets)
  const held = parseStored(heldBack, claim.held)
  const kept: AssetOutcome[] = []
  let isPaused = false
  // After a failure another asset comes first, so that one which makes the provider ask for a pause stops no other.
  const first = claim.failures % assets.length
  // One after the other: without a key, providers take one call a second.
  for (const asset of [...assets.slice(first), ...assets.slice(0, first)]) {
    const turn: Turn = { db, provider, asset, stored: newest[assets.indexOf(asset)] ?? [], held, nowMs }
    const outcome = isPaused
      ? leaveAsset(turn)
      : await updateAsset(turn).catch((error: unknown) => reportFailure(error, turn))
    kept.push(outcome)
    // A provider that asks for a pause gets it.
    if (outcome.retryAfterMs > 0) isPaused = true
  }
  const outcome = mergeOutcomes(kept)
  if (outcome.finding !== null)
    console.warn(JSON.stringify({ level: 'warning', candles: market, finding: outcome.finding }))
  await runBatch(db, [recordTurn(market, claim, outcome, nowMs)])
}

interface Turn {
  readonly db: Database
  readonly provider: CandleProvider
  readonly asset: string
  /** The newest stored bars, in order. */
  readonly stored: readonly Bar[]
  readonly held: HeldBack
  readonly nowMs: number
}

/** Jumps that were received only once, by asset: a closed bar, and today's bar. */
const heldBars = z.optional(
  z.record(
    z.string(),
    z.object({
      ...{ day: z.number(), open: z.number(), high: z.number(), low: z.number() },
      ...{ close: z.number(), volume: z.number() },
    }),
  ),
)
const heldBack = z.object({ closed: heldBars, now: heldBars })
type HeldBack = z.output<typeof heldBack>

interface AssetOutcome extends Omit<Outcome, 'held' | 'finding'> {
  readonly remarks: readonly string[]
  readonly held: HeldBack
}

async function updateAsset({ db, provider, asset, stored, held, nowMs }: Turn): Promise<AssetOutcome> {
  const { market } = provider
  const last = stored.at(-1)
  const received = await requestBars(
    provider,
    asset,
    stored[0]?.day ?? provider.firstDay(asset, nowMs),
    last?.day,
    nowMs,
  )
  if (isOtherMarket(stored, received.closed))
    throw new ProviderFailure('returned the prices of another market')
  const following = takeFollowingBars(received.closed, last?.day)
  const { plausible, pendingBar } = takePlausibleBars(asset, following, last?.close, held.closed?.[asset])
  const newest = plausible.at(-1) ?? last
  const now = takePlausibleToday(asset, received.current, newest?.close, held.now?.[asset])
  await runBatch(db, [
    ...(plausible.length > 0 ? [storeBars(market, asset, plausible)] : []),
    ...(now.bar === null ? [] : [storeCurrent(market, asset, now.bar, nowMs)]),
  ])
  const yesterday = (Math.floor(nowMs / DAY_MS) - 1) * DAY_MS
  const isBehind = (newest?.day ?? 0) < yesterday
  const isAll = following.length === received.closed.filter(({ day }) => day > (last?.day ?? -1)).length
  // A provider that sent bars without a gap has more.
  const hasMore = isBehind && isAll && pendingBar === undefined && plausible.length > 0
  const changed = listChangedDays(stored, received.closed)
  return {
    state: hasMore ? 'more' : isBehind || now.bar === null ? 'lacking' : 'whole',
    retryAfterMs: 0,
    isBehind,
    remarks: [
      ...(received.dropped > 0 ? [`${asset}: ${received.dropped} rows dropped`] : []),
      ...(changed.length > 0 ? [`${asset}: told another bar for ${changed.join(', ')}`] : []),
      ...(pendingBar !== undefined
        ? [`${asset}: held back ${formatPrices(pendingBar)} of ${formatDay(pendingBar.day)}`]
        : []),
      ...(isBehind && !hasMore
        ? [`${asset}: lacks ${formatDay((newest?.day ?? yesterday - DAY_MS) + DAY_MS)}`]
        : []),
      ...(!isBehind && now.bar === null ? [`${asset}: no price of now`] : []),
    ],
    held: {
      closed: toBarRecord(asset, pendingBar),
      now: toBarRecord(asset, now.pendingBar),
    },
  }
}

/** Bars from a day on. Missing days among them are requested once more. */
async function requestBars(
  provider: CandleProvider,
  asset: string,
  fromDay: number,
  lastDay: number | undefined,
  nowMs: number,
): Promise<ReceivedBars> {
  const received = await provider.daily(asset, fromDay, nowMs)
  const hole = findMissingDay(received.closed, lastDay)
  if (hole === null) return received
  const again = await provider.daily(asset, hole, nowMs)
  const known = new Set(received.closed.map(({ day }) => day))
  const found = again.closed.filter(({ day }) => !known.has(day))
  return {
    closed: [...received.closed, ...found].sort((a, b) => a.day - b.day),
    current: received.current ?? again.current,
    dropped: received.dropped,
  }
}

/** The first missing day between bars, or between the last stored one and them. */
function findMissingDay(bars: readonly Bar[], lastDay: number | undefined): number | null {
  let before = lastDay
  for (const { day } of bars) {
    if (before !== undefined && day > before + DAY_MS) return before + DAY_MS
    before = Math.max(day, before ?? day)
  }
  return null
}

/** The bars that follow a day without a gap. */
function takeFollowingBars(bars: readonly Bar[], lastDay: number | undefined): readonly Bar[] {
  const later = bars.filter(({ day }) => lastDay === undefined || day > lastDay)
  const first = lastDay === undefined ? later[0]?.day : lastDay + DAY_MS
  const end = later.findIndex(({ day }, index) => day !== (first ?? 0) + index * DAY_MS)
  return end === -1 ? later : later.slice(0, end)
}

/** Days whose stored bar differs from the received one. */
function listChangedDays(stored: readonly Bar[], received: readonly Bar[]): string[] {
  return stored
    .filter((bar) =>
      received.some((receivedBar) => receivedBar.day === bar.day && !isSameBar(bar, receivedBar)),
    )
    .map(({ day }) => formatDay(day))
}

function formatPrices({ open, high, low, close }: Bar): string {
  return [open, high, low, close].join(', ')
}

function formatDay(day: number): string {
  return toDayName(day / DAY_MS)
}

/** A failure of the provider, or one of ours, is a finding. The other assets are still requested. */
function reportFailure(error: unknown, turn: Turn): AssetOutcome {
  const { asset } = turn
  const isKnown = error instanceof ProviderFailure
  const words = isKnown ? error.message : 'failed on our side'
  if (!isKnown)
    console.error(
      JSON.stringify({
        level: 'error',
        candles: asset,
        error: getLogMessage(error),
      }),
    )
  return {
    ...leaveAsset(turn),
    retryAfterMs: isKnown ? error.retryAfterMs : 0,
    remarks: [`${asset}: ${words}`],
  }
}

/** An asset that was not asked about in this turn. */
function leaveAsset({ asset, stored, held, nowMs }: Turn): AssetOutcome {
  return {
    state: 'lacking',
    retryAfterMs: 0,
    isBehind: (stored.at(-1)?.day ?? 0) < (Math.floor(nowMs / DAY_MS) - 1) * DAY_MS,
    remarks: [],
    held: { closed: toBarRecord(asset, held.closed?.[asset]), now: toBarRecord(asset, held.now?.[asset]) },
  }
}

function toBarRecord(asset: string, bar: Bar | undefined): Readonly<Record<string, Bar>> {
  return bar === undefined ? {} : { [asset]: bar }
}

function mergeOutcomes(kept: readonly AssetOutcome[]): Outcome {
  const states = kept.map(({ state }) => state)
  const remarks = kept.flatMap((outcome) => outcome.remarks)
  const held: HeldBack = {
    closed: Object.assign({}, ...kept.map((outcome) => outcome.held.closed)),
    now: Object.assign({}, ...kept.map((outcome) => outcome.held.now)),
  }
  return {
    state: states.includes('lacking') ? 'lacking' : states.includes('more') ? 'more' : 'whole',
    retryAfterMs: Math.max(0, ...kept.map(({ retryAfterMs }) => retryAfterMs)),
    isBehind: kept.some(({ isBehind }) => isBehind),
    finding: remarks.length === 0 ? null : remarks.join('; '),
    held: JSON.stringify(held),
  }
}

/** The newest stored bars of each asset, in order: one round trip. */
async function readNewest(db: Database, market: string, assets: readonly string[]): Promise<Bar[][]> {
  const rows = await readTogether(
    db,
    ...assets.map((asset) =>
      selectRows(BAR)
        .from(candles)
        .where(and(eq(candles.market, market), eq(candles.asset, asset)))
        .orderBy(desc(candles.day))
        .limit(COMPARED),
    ),
  )
  return rows.map((bars) => bars.toReversed())
}

/** The bars are one JSON parameter. Stored days are skipped. */
function storeBars(market: string, asset: string, bars: readonly Bar[]): Statement {
  const rows = bars.map(({ day, open, high, low, close, volume }) => [day, open, high, low, close, volume])
  return sql`
    INSERT INTO candles (market, asset, day, open, high, low, close, volume)
    SELECT ${market}, ${asset}, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5
    FROM json_each(${JSON.stringify(rows)})
    WHERE value ->> 0 > COALESCE(
      (SELECT max(day) FROM candles WHERE market = ${market} AND asset = ${asset}), -1)
    ORDER BY key`
}

/** A day's open is stored once, because trades use it. */
function storeCurrent(market: string, asset: string, bar: Bar, nowMs: number): Statement {
  return sql`
    INSERT INTO current_candles (market, asset, day, open, last, at)
    VALUES (${market}, ${asset}, ${bar.day}, ${bar.open}, ${bar.close}, ${nowMs})
    ON CONFLICT (market, asset) DO UPDATE
    SET open = CASE WHEN excluded.day = current_candles.day THEN current_candles.open ELSE excluded.open END,
      day = excluded.day, last = excluded.last, at = excluded.at
    WHERE excluded.at >= current_candles.at`
}
