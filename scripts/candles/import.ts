import { PRICE_VENUES, type PriceVenue, type VenuePair } from '../../engine/market/realPairs.ts'
import { measureSeam } from '../../engine/market/segments.ts'
import { toCandles } from '../../worker/investing/candles/columns.ts'
import type { Bar } from '../../worker/investing/candles/parse.ts'
import { apply } from './apply.ts'
import type { Context } from './context.ts'
import { type Download, openDownload, parseDownload, readDownload } from './download.ts'
import { hashSha256 } from './list.ts'
import type { Decisions } from './merge.ts'
import { describeMerge } from './report.ts'
import { readRows, toIsoDay } from './rows.ts'
import { readPrices } from './store.ts'

/**
 * Imports a venue's downloads one after the other. All names and sizes are checked before anything changes. A file with
 * revisions that are not accepted is skipped, and the others go on. Returns whether all were imported.
 */
export async function importDownloads(
  context: Context,
  venue: PriceVenue,
  paths: readonly string[],
  decisions: Decisions,
): Promise<boolean> {
  const downloads = paths.map((path) => openDownload(path, venue))
  let isComplete = true
  for (const download of downloads) {
    try {
      isComplete = (await importOne(context, venue, download, decisions)) && isComplete
    } catch (error) {
      context.print(error instanceof Error ? error.message : String(error))
      isComplete = false
    }
  }
  return isComplete
}

async function importOne(
  context: Context,
  venue: PriceVenue,
  download: Download,
  decisions: Decisions,
): Promise<boolean> {
  const { name, path, pair } = download
  const { now, print, progress } = context
  const [first] = PRICE_VENUES
  const directory = venue === first ? context.directory : context.continuation
  progress(`Reading ${name}`)
  const nowMs = now()
  const bytes = await readDownload(download, (share) => progress(`Reading ${name}`, share))
  const received = readRows(parseDownload(bytes), nowMs)
  const [firstBar, last] = [received.bars[0], received.bars.at(-1)]
  if (
    firstBar === undefined ||
    last === undefined ||
    isOtherKind(received.bars.length, received.doubtful.length)
  )
    throw new Error(
      `${path} is not a file of daily bars: most of its lines are none. Nothing of it was imported.`,
    )
  const sha256 = hashSha256(bytes)
  const { merged, isChanged } = apply(directory, pair, received, decisions, nowMs, (sources) =>
    sources.some((source) => source.sha256 === sha256)
      ? sources
      : [
          ...sources,
          {
            name,
            sha256,
            bars: received.bars.length,
            firstDay: toIsoDay(firstBar.day),
            lastDay: toIsoDay(last.day),
          },
        ],
  )
  print(describeMerge(name, pair.pair, received, merged, isChanged, decisions))
  if (venue !== first && !('refused' in merged)) print(describeSeam(context, pair, merged.prices.bars))
  return !('refused' in merged)
}

/** How far the closes are from those of the venue that the bars continue. */
function describeSeam({ directory }: Context, { asset }: VenuePair, bars: readonly Bar[]): string {
  const [{ name, pairs }] = PRICE_VENUES
  const former = readPrices(directory, requirePair(pairs, asset)).bars
  const seam = former.length === 0 ? null : measureSeam(toCandles(former), toCandles(bars))
  if (seam === null) return `  It has no bar on the last day of ${name}.`
  const { day, difference, days, within, median } = seam
  const percent = (share: number) => `${(share * 100).toFixed(3)} %`
  return `  Close on ${day}, the last day of ${name}: ${difference < 0 ? '' : '+'}${percent(difference)}. On ${days} common days ${percent(within)} of closes are within 0.5 %, the median distance is ${percent(median)}.`
}

function requirePair(pairs: PriceVenue['pairs'], asset: string): string {
  const pair = pairs.find((candidate) => candidate.asset === asset)?.pair
  if (pair === undefined) throw new Error(`${asset} has no pair.`)
  return pair
}

/** A few odd lines are kept apart. A file with more of them than bars is something else. */
function isOtherKind(bars: number, doubtful: number): boolean {
  return doubtful > FEW && doubtful > bars
}

const FEW = 100
