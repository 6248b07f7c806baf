import type { VenuePair } from '../../engine/market/realPairs.ts'
import { site } from '../../src/site.ts'
import { DAY_MS } from '../../src/time.ts'
import { parseKrakenRows } from '../../worker/investing/candles/krakenRows.ts'
import { fetchJson, ProviderFailure } from '../../worker/investing/market/provider.ts'
import { apply } from './apply.ts'
import type { Context } from './context.ts'
import { getFileName, listMissingDays, type Source } from './list.ts'
import type { Decisions } from './merge.ts'
import { describeMerge, describeRanges } from './report.ts'
import { type ReceivedRows, readRows, toIsoDay } from './rows.ts'
import { readPrices } from './store.ts'

/** Between two pairs: Kraken allows about one public call a second. */
const PAUSE_MS = 2000
const TRIES = 5
const FIRST_RETRY_MS = 5000
const LONGEST_RETRY_MS = 60_000
const TIMEOUT_MS = 20_000
/** Kraken's 720 days are 60 KB. */
const MAX_BYTES = 512 * 1024
const MOST_ROWS = 1000
/** The stored days that are asked for again, to compare them. */
const OVERLAP_DAYS = 7
const SOURCE = 'GET /0/public/OHLC'

/** Continues the files of these pairs from Kraken's API, one after the other. Returns whether all were continued. */
export async function fetchPairs(
  context: Context,
  pairs: readonly VenuePair[],
  decisions: Decisions,
): Promise<boolean> {
  let isComplete = true
  for (const [index, pair] of pairs.entries()) {
    if (index > 0) await context.sleep(PAUSE_MS)
    try {
      isComplete = (await fetchPair(context, pair, decisions)) && isComplete
    } catch (error) {
      const message = error instanceof ProviderFailure ? `Kraken ${error.message}.` : (error as Error).message
      context.print(`${pair.pair}: ${message} Nothing of ${getFileName(pair.pair)} was changed.`)
      isComplete = false
    }
  }
  return isComplete
}

async function fetchPair(context: Context, pair: VenuePair, decisions: Decisions): Promise<boolean> {
  const { directory, now, print, progress } = context
  const last = readPrices(directory, pair.pair).bars.at(-1)
  if (last === undefined) throw new Error('There are no prices yet: import a download first.')
  progress(`Asking Kraken for ${pair.pair}`)
  const rows = await requestBars(context, pair.pair, last.day - OVERLAP_DAYS * DAY_MS)
  const nowMs = now()
  const received = readRows(rows, nowMs)
  const today = Math.floor(nowMs / DAY_MS) * DAY_MS
  const oldestDay = received.bars[0]?.day ?? (received.hasToday ? today : null)
  if (oldestDay === null) throw new ProviderFailure('returned no bars')
  const hole = listMissingDays([last, { ...last, day: oldestDay }])
  if (hole.length > 0)
    throw new Error(
      `Kraken’s API begins with ${toIsoDay(oldestDay)}, and ${getFileName(pair.pair)} ends with ${toIsoDay(last.day)}. Missing: ${describeRanges(hole).join(', ')}. Import a newer download first.`,
    )
  const closed = takeClosedBars(received)
  const { merged, isChanged } = apply(directory, pair, closed, decisions, nowMs, withFetched)
  print(describeMerge(pair.pair, pair.pair, closed, merged, isChanged, decisions))
  return !('refused' in merged)
}

/** The cells of the rows since a day, in the order of a download's. Tries again after a pause if Kraken does not answer. */
async function requestBars(
  { baseUrl, fetch, sleep, progress }: Context,
  pair: string,
  fromDay: number,
): Promise<string[][]> {
  // Kraken sends the bars after a moment: a second before midnight includes that day.
  const url = `${baseUrl}/public/OHLC?pair=${pair}&interval=1440&since=${fromDay / 1000 - 1}`
  const headers = { Accept: 'application/json', 'User-Agent': site.slug }
  for (let attempt = 1; ; attempt++) {
    try {
      return toCells(
        parseKrakenRows(await fetchJson(url, { headers, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES, fetch })),
      )
    } catch (error) {
      if (!(error instanceof ProviderFailure) || attempt === TRIES) throw error
      const pauseMs = Math.min(
        LONGEST_RETRY_MS,
        Math.max(error.retryAfterMs, FIRST_RETRY_MS * 2 ** (attempt - 1)),
      )
      progress(`Kraken ${error.message}. Trying ${pair} again in ${Math.ceil(pauseMs / 1000)} s`)
      await sleep(pauseMs)
    }
  }
}

function toCells(rows: unknown): string[][] {
  if (!Array.isArray(rows)) throw new ProviderFailure('returned no bars')
  if (rows.length > MOST_ROWS) throw new ProviderFailure('returned more bars than requested')
  return rows.map((row: unknown) => {
    if (!Array.isArray(row) || row.length !== 8) return [JSON.stringify(row)]
    const [time, open, high, low, close, , volume, trades] = row.map(String)
    return [time, open, high, low, close, volume, trades].map((cell) => cell ?? '')
  })
}

/** A day has closed once a later one was received: an answer cached before midnight still has yesterday's unfinished bar. */
function takeClosedBars(received: ReceivedRows): ReceivedRows {
  return received.hasToday ? received : { ...received, bars: received.bars.slice(0, -1) }
}

/** One source for all fetches in a row, since there may be one each day. */
function withFetched(before: readonly Source[], addedDays: readonly number[]): readonly Source[] {
  const [first, last] = [addedDays[0], addedDays.at(-1)]
  if (first === undefined || last === undefined) return before
  const latest = before.at(-1)
  const fetched = { name: SOURCE, bars: addedDays.length, firstDay: toIsoDay(first), lastDay: toIsoDay(last) }
  if (latest?.name !== SOURCE) return [...before, fetched]
  const days = [latest.firstDay, latest.lastDay, fetched.firstDay, fetched.lastDay].sort()
  return [
    ...before.slice(0, -1),
    {
      name: SOURCE,
      bars: latest.bars + fetched.bars,
      firstDay: days[0] ?? fetched.firstDay,
      lastDay: days.at(-1) ?? fetched.lastDay,
    },
  ]
}
