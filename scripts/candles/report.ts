import { DAY_MS } from '../../engine/metrics/dailyEquity.ts'
import type { Bar } from '../../worker/investing/candles/parse.ts'
import { doubtfulFileOf } from './doubtfulFile.ts'
import { fileOf, missingDays } from './list.ts'
import type { Merge, Revision } from './merge.ts'
import { type DoubtfulLine, isoDay, type ReceivedRows } from './rows.ts'

/** What the operator reads about one download or answer. */
export function reportOf(
  name: string,
  pair: string,
  received: ReceivedRows,
  merged: Merge,
  isChanged: boolean,
  accepted: ReadonlySet<string>,
): string {
  if ('refused' in merged) return refusalOf(name, pair, merged.refused)
  const { added, known, keptApart, prices, revised, otherVolumes, confirmed, takenOut } = merged
  const bars = aroundReceived(prices.bars, received.bars)
  const [first, last] = [prices.bars[0], prices.bars.at(-1)]
  const revisedDays = new Set(revised.map(({ stored }) => isoDay(stored.day)))
  return [
    `${name}: ${count(added.length, 'new bar')}, ${known} known.`,
    ...listed('Missing days', rangesOf(missingDays(bars))),
    ...listed('Jumps over 35 %', jumpsIn(bars)),
    ...listed('Extreme highs and lows', wicksIn(bars)),
    ...(received.duplicates > 0 ? [`  Identical duplicates dropped: ${received.duplicates}`] : []),
    ...(received.hasToday ? ['  Today’s bar is not finished and was left out.'] : []),
    ...listed(
      'Other volumes (the stored ones stay)',
      otherVolumes.map(
        (each) => `${isoDay(each.stored.day)} ${each.stored.volume} → ${each.received.volume}`,
      ),
    ),
    ...(revised.length > 0 ? ['  Revisions accepted:', ...revised.map(revisionLine)] : []),
    ...listed(
      'Not revised, so there was nothing to accept',
      [...accepted].filter((day) => !revisedDays.has(day)),
    ),
    ...listed('Confirmed and no longer kept apart', confirmed.map(dayOf)),
    ...listed('Taken out, since other days now show a jump', takenOut.map(dayOf)),
    ...(keptApart.length > 0
      ? [`  Kept apart in ${doubtfulFileOf(pair)}: ${keptApart.length}`, ...linesApart(keptApart)]
      : []),
    first === undefined || last === undefined || !isChanged
      ? '  Nothing changed.'
      : `  ${fileOf(pair)} now has ${count(prices.bars.length, 'bar')}, ${isoDay(first.day)} to ${isoDay(last.day)}.`,
  ].join('\n')
}

/** Days as people read them: three or more in a row as one range. */
export function rangesOf(days: readonly string[]): string[] {
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
function aroundReceived(stored: readonly Bar[], received: readonly Bar[]): readonly Bar[] {
  const [first, last] = [received[0], received.at(-1)]
  if (first === undefined || last === undefined) return []
  const from = stored.findLastIndex(({ day }) => day < first.day)
  const after = stored.findIndex(({ day }) => day > last.day)
  return stored.slice(Math.max(0, from), after < 0 ? undefined : after + 1)
}

function refusalOf(name: string, pair: string, refused: readonly Revision[]): string {
  const days = refused.map(({ stored }) => isoDay(stored.day)).join(',')
  return [
    `${name}: ${count(refused.length, 'stored day')} would change. Nothing of ${fileOf(pair)} was changed.`,
    ...refused.map(revisionLine),
    `  Find out why. If the new prices are right: --accept-revisions ${days}`,
  ].join('\n')
}

function revisionLine({ stored, received }: Revision): string {
  return `    ${isoDay(stored.day)}  stored ${pricesOf(stored)}  received ${pricesOf(received)}`
}

const pricesOf = ({ open, high, low, close }: Bar) => `O ${open} H ${high} L ${low} C ${close}`

function jumpsIn(bars: readonly Bar[]): string[] {
  return bars.flatMap((bar, index) => {
    const change = bar.close / (bars[index - 1] ?? bar).close - 1
    const percent = `${change > 0 ? '+' : '−'}${Math.round(Math.abs(change) * 100)} %`
    return Math.abs(change) > JUMP ? [`${isoDay(bar.day)} ${percent}`] : []
  })
}

const JUMP = 0.35

function wicksIn(bars: readonly Bar[]): string[] {
  return bars.flatMap(({ day, open, high, low, close }) => [
    ...(high > 2 * Math.max(open, close) ? [`${isoDay(day)} high ${high} (close ${close})`] : []),
    ...(low < Math.min(open, close) / 2 ? [`${isoDay(day)} low ${low} (close ${close})`] : []),
  ])
}

function linesApart(lines: readonly DoubtfulLine[]): string[] {
  const shown = lines.slice(0, MOST_LINES).map(({ cells, reason }) => `    ${cells.join(',')}  ${reason}`)
  return lines.length > MOST_LINES ? [...shown, `    and ${lines.length - MOST_LINES} more`] : shown
}

const MOST_LINES = 20

function listed(what: string, items: readonly string[]): string[] {
  return items.length > 0 ? [`  ${what}: ${items.join(', ')}`] : []
}

const dayOf = ({ day }: Bar) => isoDay(day)

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`
}
