import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod/mini'
import { writeCandles } from '../../engine/market/candlesCsv.ts'
import { findFirstLiquidBar } from '../../engine/market/liquidity.ts'
import { PRICE_VENUES, type PriceVenue } from '../../engine/market/realPairs.ts'
import { DAY_MS } from '../../src/time.ts'
import { toCandles } from '../../worker/investing/candles/columns.ts'
import type { Bar } from '../../worker/investing/candles/parse.ts'
import { toIsoDay } from './rows.ts'

export const LIST = 'files.json'

/** The name of a pair's file. */
export const getFileName = (pair: string) => `${pair}.csv`

const day = z.iso.date()

const source = z.strictObject({
  name: z.string(),
  /** Of a download. Fetched bars have none. */
  sha256: z.optional(z.string()),
  bars: z.number(),
  firstDay: day,
  lastDay: day,
})

const acceptedRevision = z.strictObject({
  day,
  oldClose: z.number(),
  newClose: z.number(),
  /** The UTC date of the import. */
  importedOn: day,
})

/** A jump that is a fact: an operator found it at a second source. */
const confirmedJump = z.strictObject({ day, secondSource: z.string() })

const priceFile = z.strictObject({
  asset: z.string(),
  pair: z.string(),
  file: z.string(),
  sha256: z.string(),
  bars: z.number(),
  firstDay: day,
  lastDay: day,
  missingDays: z.array(day),
  marketBegins: z.nullable(day),
  sources: z.array(source),
  revisions: z.optional(z.array(acceptedRevision)),
  confirmedJumps: z.optional(z.array(confirmedJump)),
})

const priceList = z.strictObject({
  venue: z.string(),
  /** The currency of its prices. */
  quote: z.string(),
  interval: z.string(),
  source: z.string(),
  files: z.array(priceFile),
})

/** An imported download, or the bars that were fetched. */
export type Source = z.infer<typeof source>
export type AcceptedRevision = z.infer<typeof acceptedRevision>
export type ConfirmedJump = z.infer<typeof confirmedJump>
/** What `files.json` says of one pair's file. */
export type PriceFile = z.infer<typeof priceFile>
/** `files.json`. */
export type PriceList = z.infer<typeof priceList>
/** What follows from a file's bars. */
export type Facts = Pick<
  PriceFile,
  'sha256' | 'bars' | 'firstDay' | 'lastDay' | 'missingDays' | 'marketBegins'
>

const SOURCES: Readonly<Record<PriceVenue['id'], string>> = {
  kraken: 'https://support.kraken.com/hc/en-us/articles/360047124832',
  binance: 'https://data.binance.vision',
}

/** Reads `files.json`. A folder without one has no prices yet. Throws if it has another shape. */
export function readList(directory: string, venue: PriceVenue = PRICE_VENUES[0]): PriceList {
  const path = join(directory, LIST)
  if (!existsSync(path))
    return {
      venue: venue.name,
      quote: venue.quote,
      interval: '1 day (UTC)',
      source: SOURCES[venue.id],
      files: [],
    }
  const list = parseList(readFileSync(path, 'utf8'))
  if (list === null) throw new Error(`${path} is damaged: restore it from the repository.`)
  return list
}

/** The list in a text, null if there is none. */
export function parseList(text: string): PriceList | null {
  try {
    return priceList.parse(JSON.parse(text))
  } catch {
    return null
  }
}

/** `files.json` as it is written. */
export function listText(list: PriceList): string {
  return `${JSON.stringify(list, null, 2)}\n`
}

/** What `files.json` has to say of a file with these bars. Throws if there are none. */
export function computeFacts(bars: readonly Bar[]): Facts {
  const columns = toCandles(bars)
  const [first, last] = [bars[0], bars.at(-1)]
  if (first === undefined || last === undefined) throw new Error('There are no bars.')
  const begins = bars[findFirstLiquidBar(columns) ?? -1]
  return {
    sha256: hashSha256(writeCandles(columns)),
    bars: bars.length,
    firstDay: toIsoDay(first.day),
    lastDay: toIsoDay(last.day),
    missingDays: listMissingDays(bars),
    marketBegins: begins === undefined ? null : toIsoDay(begins.day),
  }
}

/** The days between the first and the last bar that have none. */
export function listMissingDays(bars: readonly Bar[]): string[] {
  const missing: string[] = []
  for (const [index, bar] of bars.entries()) {
    const before = bars[index - 1] ?? bar
    for (let day = before.day + DAY_MS; day < bar.day; day += DAY_MS) missing.push(toIsoDay(day))
  }
  return missing
}

/** SHA-256 in hexadecimal digits. */
export function hashSha256(bytes: string | Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
