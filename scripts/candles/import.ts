import { apply } from './apply.ts'
import type { Context } from './context.ts'
import { type Download, openDownload, parseDownload, readDownload } from './download.ts'
import { hashSha256 } from './list.ts'
import type { Decisions } from './merge.ts'
import { describeMerge } from './report.ts'
import { readRows, toIsoDay } from './rows.ts'

/**
 * Imports Kraken's downloads one after the other. All names and sizes are checked before anything changes. A file with
 * revisions that are not accepted is skipped, and the others go on. Returns whether all were imported.
 */
export async function importDownloads(
  context: Context,
  paths: readonly string[],
  decisions: Decisions,
): Promise<boolean> {
  const downloads = paths.map(openDownload)
  let isComplete = true
  for (const download of downloads) {
    try {
      isComplete = (await importOne(context, download, decisions)) && isComplete
    } catch (error) {
      context.print(error instanceof Error ? error.message : String(error))
      isComplete = false
    }
  }
  return isComplete
}

async function importOne(
  { directory, now, print, progress }: Context,
  download: Download,
  decisions: Decisions,
): Promise<boolean> {
  const { name, path, pair } = download
  progress(`Reading ${name}`)
  const nowMs = now()
  const bytes = await readDownload(download, (share) => progress(`Reading ${name}`, share))
  const received = readRows(parseDownload(bytes), nowMs)
  const [first, last] = [received.bars[0], received.bars.at(-1)]
  if (
    first === undefined ||
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
            firstDay: toIsoDay(first.day),
            lastDay: toIsoDay(last.day),
          },
        ],
  )
  print(describeMerge(name, pair.pair, received, merged, isChanged, decisions))
  return !('refused' in merged)
}

/** A few odd lines are kept apart. A file with more of them than bars is something else. */
function isOtherKind(bars: number, doubtful: number): boolean {
  return doubtful > FEW && doubtful > bars
}

const FEW = 100
