import type { Backtest, Band } from '../../../../engine/backtest/backtestResult.ts'
import { computeBandLines } from '../../../../engine/backtest/band.ts'
import { toDayName, toDayNumber } from '../../../../engine/metrics/dailyEquity.ts'
import type { RecordEntry } from '../../../contract/investing/strategies.ts'
import {
  type ChartMark,
  computeFalls,
  type FallsCourse,
} from '../../../islands/investing/chart/chartCourse.ts'

/** The chart of a backtest, compared with buying the same assets once and keeping them. */
export function buildCourse(label: string, backtest: Backtest): FallsCourse {
  const { definition, firstDay, equity, benchmark, startingCash, holdOutFrom } = backtest
  const first = toDayNumber(firstDay)
  // Otherwise both lines would be the same.
  const held = definition.kind === 'buy-and-hold' ? [] : [{ label: 'Bought and held', worth: benchmark }]
  return {
    label,
    days: equity.map((_, day) => toDayName(first + day)),
    worth: equity,
    falls: computeFalls(equity, startingCash),
    scale: 'ratio',
    heldOutFrom: holdOutFrom,
    marks: listMarks(backtest),
    beside: held,
  }
}

/** What changed on a day: pauses after the drawdown limit, and the borders of the periods. */
function listMarks({ pauses, inSample, holdOut, holdOutFrom, forward }: Backtest): ChartMark[] {
  return [
    ...pauses.flatMap(({ from, until }) => [
      { day: from, words: 'paused' },
      ...(until === null ? [] : [{ day: until, words: 'back' }]),
    ]),
    ...(inSample && holdOut ? [{ day: holdOutFrom, words: 'out of sample' }] : []),
    ...(forward ? [{ day: forward.firstDay, words: 'forward' }] : []),
  ].sort((first, second) => (first.day < second.day ? -1 : 1))
}

/**
 * The unit price at each close of a record, with the limits that the frozen band expects 98 of 100 times, as in the answer of
 * GET /strategies/:slug. Null if no day has closed.
 */
export function recordCourse(
  label: string,
  record: readonly RecordEntry[],
  band: Band | null,
): FallsCourse | null {
  const closes = record.filter(({ kind }) => kind === 'close')
  const [start, first] = [record[0], closes[0]]
  if (start === undefined || first === undefined) return null
  const worth = closes.map(({ unitPrice }) => unitPrice / 1e6)
  const paidIn = start.unitPrice / 1e6
  const lines =
    band === null ? [] : closes.map(({ day }) => computeBandLines(band, countDays(first.day, day)))
  return {
    label,
    days: closes.map(({ day }) => day),
    worth,
    falls: computeFalls(worth, paidIn),
    scale: 'ratio',
    ...(band !== null && {
      beside: (['lower99', 'upper99'] as const).map((limit) => ({
        label: limit === 'lower99' ? 'expected at least' : 'expected at most',
        worth: lines.map((line) => roundToCents(line[limit] * paidIn)),
        isDashed: true,
      })),
    }),
  }
}

function countDays(first: string, day: string): number {
  return toDayNumber(day) - toDayNumber(first) + 1
}

function roundToCents(usd: number): number {
  return Math.round(usd * 100) / 100
}
