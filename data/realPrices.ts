import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { NamedCandles } from '../engine/market/align.ts'
import { parseCandles } from '../engine/market/candlesCsv.ts'
import type { Candles, Market } from '../engine/market/market.ts'
import { buildRealMarket } from '../engine/market/realMarket.ts'
import { PRICE_VENUES, type PriceVenue, REAL_PAIRS } from '../engine/market/realPairs.ts'
import { joinSegments, measureSeam, type Seam } from '../engine/market/segments.ts'
import { toDayName, toDayNumber } from '../engine/metrics/dailyEquity.ts'

/** What `files.json` says of one pair's file, and which of its days are used. */
export interface RealFile {
  readonly asset: string
  readonly venue: PriceVenue
  readonly pair: string
  /** The pair as people write it. */
  readonly label: string
  readonly file: string
  readonly sha256: string
  readonly bars: number
  readonly firstDay: string
  readonly lastDay: string
  readonly missingDays: readonly string[]
  readonly marketBegins: string
  /** The first day that a test may use: the day after the last one of the venue before. */
  readonly usedFrom: string
}

// Builds, scripts and tests run in the project's root. A bundled module does not know its own path.
const folder = join(process.cwd(), 'data')

/** The files of real prices, in the order of `REAL_PAIRS`, and of one coin in the order of time. Throws if one is missing. */
export function readRealFiles(): readonly RealFile[] {
  const venues = PRICE_VENUES.map((venue) => ({ venue, files: readList(venue) }))
  return REAL_PAIRS.flatMap(({ asset }, place) => {
    let usedFrom: string | null = null
    return venues.map(({ venue, files }): RealFile => {
      const file = files.find((candidate) => candidate.asset === asset)
      const label = venue.pairs[place]?.label
      if (file === undefined || label === undefined)
        throw new Error(`data/${venue.id} has no file of ${asset}.`)
      const segment = { ...file, venue, label, usedFrom: usedFrom ?? file.firstDay }
      usedFrom = toDayName(toDayNumber(file.lastDay) + 1)
      return segment
    })
  })
}

function readList({ id }: PriceVenue): readonly Omit<RealFile, 'venue' | 'label' | 'usedFrom'>[] {
  return (JSON.parse(readFileSync(join(folder, id, 'files.json'), 'utf8')) as { files: RealFile[] }).files
}

/** A file's CSV. Throws if it does not match its hash. */
export function readRealText({ venue, file, sha256 }: RealFile): string {
  const text = readFileSync(join(folder, venue.id, file), 'utf8')
  if (createHash('sha256').update(text).digest('hex') !== sha256) {
    throw new Error(`data/${venue.id}/${file} does not match its hash in files.json.`)
  }
  return text
}

/** The last day that all coins have. Every real test ends there. */
export function readRealLastDay(): string {
  const last = new Map(readRealFiles().map(({ asset, lastDay }) => [asset, lastDay]))
  return [...last.values()].reduce((first, day) => (day < first ? day : first))
}

/** The bars of these assets, or of all five, joined from their venues. */
export function readRealCandles(assets?: readonly string[]): NamedCandles[] {
  return REAL_PAIRS.filter(({ asset }) => assets?.includes(asset) ?? true).map(({ asset }) => ({
    asset,
    candles: joinSegments(readSegments(asset)),
  }))
}

/** How far the closes of an asset's two venues are apart. Throws if they have no common last day. */
export function measureRealSeam(asset: string): Seam {
  const [former, later] = readSegments(asset)
  const seam = former && later ? measureSeam(former, later) : null
  if (seam === null) throw new Error(`The venues of ${asset} have no day in common.`)
  return seam
}

function readSegments(asset: string): Candles[] {
  return readRealFiles()
    .filter((file) => file.asset === asset)
    .map((file) => parseCandles(readRealText(file)))
}

/** The market of these assets, or of all five, until the last day that all of them have. */
export function loadRealMarket(assets?: readonly string[]): Market {
  return buildRealMarket(readRealCandles(assets), readRealLastDay())
}
