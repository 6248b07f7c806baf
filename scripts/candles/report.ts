import { DAY_MS } from '../../src/time.ts'
import type { Bar } from '../../worker/investing/candles/parse.ts'
import { getDoubtfulFileName } from './doubtfulFile.ts'
import { getFileName, listMissingDays } from './list.ts'
import type { Decisions, Merge, Revision } from './merge.ts'
import { type DoubtfulLine, type ReceivedRows, toIsoDay } from './rows.ts'

/** The report to the operator on one download or answer. */
export function describeMerge(
  name: string,
  pair: string,
  received: ReceivedRows,
  merged: Merge,
  isChanged: boolean,
  { acceptedRevisions, confirmedJumps }: Decisions,
): string {
  if ('refused' in merged) return describeRefusal(name, pair, merged.refused)
  const { added, known, keptApart, prices, revised, otherVolumes, confirmed, takenOut } = merged
  const bars = takeAroundReceived(prices.bars, received.bars)
  const [first, last] = [prices.bars[0], prices.bars.at(-1)]
  const revisedDays = new Set(revised.map(({ stored }) => toIsoDay(stored.day)))
  return [
    `${name}: ${count(added.length, 'new bar')}, ${known} known.`,
    ...describeItems('Missing days', describeRanges(listMissingDays(bars))),
    ...describeItems('Jumps over 35 %', describeJumps(bars)),
    ...describeItems('Extreme highs and lows', describeWicks(bars)),
    ...(received.duplicates > 0 ? [`  Identical duplicates dropped: ${received.duplicates}`] : []),
    ...(received.hasToday ? ['  Today’s bar is not finished and was left out.'] : []),
    ...describeItems(
      'Other volumes (the stored ones stay)',
      otherVolumes.map(
        (revision) =>
          `${toIsoDay(revision.stored.day)} ${revision.stored.volume} → ${revision.received.volume}`,
      ),
    ),
    ...(revised.length > 0 ? ['  Revisions accepted:', ...revised.map(describeRevision)] : []),
    ...describeItems(
      'Not revised, so there was nothing to accept',
      [...acceptedRevisions].filter((day) => !revisedDays.has(day)),
    ),
    ...describeItems(
      'Jumps confirmed by a second source',
      [...confirmedJumps].map(([day, secondSource]) => `${day} (${secondSource})`),
    ),
    ...describeItems('Confirmed and no longer kept apart', confirmed.map(formatBarDay)),
    ...describeItems('Taken out, since other days now show a jump', takenOut.map(formatBarDay)),
    ...(keptApart.length > 0
      ? [
          `  Kept apart in ${getDoubtfulFileName(pair)}: ${keptApart.length}`,
          ...describeDoubtfulLines(keptApart),
        ]
      : []),
    first === undefined || last === undefined || !isChanged
      ? '  Nothing changed.'
      : `  ${getFileName(pair)} now has ${count(prices.bars.length, 'bar')}, ${toIsoDay(first.day)} to ${toIsoDay(last.day)}.`,
  ].join('\n')
}

/** Days as people read them: three or more in a row as one range. */
export function describeRanges(days: readonly string[]): string[] {
  const runs: string[][] = []
  for (const day of days) {
    const run = runs.at(-1)
    if (Date.parse(run?.at(-1) ?? '') + DAY_MS === Date.parse(day)) run?.push(day)
    else runs.push([day])
  }
  return runs.flatMap((run) =>
    run.length < 3 ? run : [`${run[0]} to ${run.at(-1)} (${count(run.length, 'day')})`],
  )
}

/** The stored bars from the one before the first received bar to the one after the last: holes at the seams count, too. */
function takeAroundReceived(stored: readonly Bar[], received: readonly Bar[]): readonly Bar[] {
  const [first, last] = [received[0], received.at(-1)]
  if (first === undefined || last === undefined) return []
  const from = stored.findLastIndex(({ day }) => day < first.day)
  const after = stored.findIndex(({ day }) => day > last.day)
  return stored.slice(Math.max(0, from), after < 0 ? undefined : after + 1)
}

function describeRefusal(name: string, pair: string, refused: readonly Revision[]): string {
  const days = refused.map(({ stored }) => toIsoDay(stored.day)).join(',')
  return [
    `${name}: ${count(refused.length, 'stored day')} would change. Nothing of ${getFileName(pair)} was changed.`,
    ...refused.map(describeRevision),
    `  Find out why. If the new prices are right: --accept-revisions ${days}`,
  ].join('\n')
}

function describeRevision({ stored, received }: Revision): string {
  return `    ${toIsoDay(stored.day)}  stored ${formatPrices(stored)}  received ${formatPrices(received)}`
}

const formatPrices = ({ open, high, low, close }: Bar) => `O ${open} H ${high} L ${low} C ${close}`

function describeJumps(bars: readonly Bar[]): string[] {
  return bars.flatMap((bar, index) => {
    const change = bar.close / (bars[index - 1] ?? bar).close - 1
    const percent = `${change > 0 ? '+' : '−'}${Math.round(Math.abs(change) * 100)} %`
    return Math.abs(change) > JUMP ? [`${toIsoDay(bar.day)} ${percent}`] : []
  })
}

const JUMP = 0.35

function describeWicks(bars: readonly Bar[]): string[] {
  return bars.flatMap(({ day, open, high, low, close }) => [
    ...(high > 2 * Math.max(open, close) ? [`${toIsoDay(day)} high ${high} (close ${close})`] : []),
    ...(low < Math.min(open, close) / 2 ? [`${toIsoDay(day)} low ${low} (close ${close})`] : []),
  ])
}

function describeDoubtfulLines(lines: readonly DoubtfulLine[]): string[] {
  const shown = lines.slice(0, MOST_LINES).map(({ cells, reason }) => `    ${cells.join(',')}  ${reason}`)
  return lines.length > MOST_LINES ? [...shown, `    and ${lines.length - MOST_LINES} more`] : shown
}

const MOST_LINES = 20

function describeItems(what: string, items: readonly string[]): string[] {
  return items.length > 0 ? [`  ${what}: ${items.join(', ')}`] : []
}

const formatBarDay = ({ day }: Bar) => toIsoDay(day)

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`
}
