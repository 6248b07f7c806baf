import type { Backtest, Band } from '../../../../engine/backtest/backtestResult.ts'
import { computeBandLines } from '../../../../engine/backtest/band.ts'
import { toDayName, toDayNumber } from '../../../../engine/metrics/dailyEquity.ts'
import type { RecordEntry } from '../../../contract/investing/strategies.ts'
import { computeFalls, type FallsCourse } from '../../../islands/investing/chart/chartCourse.ts'

/** The chart of a backtest, compared with buying the same assets once and keeping them. */
export function buildCourse(label: string, backtest: Backtest): FallsCourse {
  const { definition, firstDay, equity, benchmark, startingCash, holdOutFrom } = backtest
  const first = toDayNumber(firstDay)
  const restarted = computeRestartedWorth(backtest)
  // Otherwise both lines would be the same.
  const held = definition.kind === 'buy-and-hold' ? [] : [{ label: 'Bought and held', worth: benchmark }]
  return {
    label,
    days: equity.map((_, day) => toDayName(first + day)),
    worth: equity,
    falls: computeFalls(equity, startingCash),
    scale: 'ratio',
    heldOutFrom: holdOutFrom,
    beside: [
      ...held,
      ...(restarted === null
        ? []
        : [{ label: `Begun anew on ${holdOutFrom}`, worth: restarted, isDashed: true }]),
    ],
  }
}

/**
 * The run that begins anew with the out-of-sample period, from the strategy's worth at that time; null before. Null as a whole if
 * the strategy had not ended before.
 */
function computeRestartedWorth({ equity, holdOutEquity, startingCash }: Backtest): (number | null)[] | null {
  if (holdOutEquity === null) return null
  const split = equity.length - holdOutEquity.length
  const scale = (equity[split - 1] ?? startingCash) / startingCash
  return equity.map((_, day) =>
    day < split ? null : roundToCents((holdOutEquity[day - split] ?? 0) * scale),
  )
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

/** The picture's height in units: fine enough for any screen, coarse enough for short paths. */
const HEIGHT = 400
/** Vertical positions: the highest and the lowest worth, the waterline and the deepest fall. */
const TOP = 16
const FLOOR = 262
const WATER = 280
const DEPTH = 380
/** Days that one unit of width stands for, in a wide chart and in a narrow one. */
const STEP = 34
export const NARROW_STEP = 60

/**
 * A course as SVG paths, with text positions in per cent. Above the waterline: the worth on a logarithmic scale. Below it: the
 * deepest drawdown of each step of days.
 */
export function computeCourseShape({ days, worth, falls, beside, heldOutFrom }: FallsCourse, step = STEP) {
  const solid = beside?.find(({ isDashed }) => isDashed !== true)?.worth.map((usd) => usd ?? 0)
  const dashed = beside?.find(({ isDashed }) => isDashed === true)?.worth ?? []
  const begins = dashed.findIndex((usd) => usd !== null)
  const [lines, others] = [takeStepEnds(worth, step), solid && takeStepEnds(solid, step)]
  const again =
    begins < 0
      ? []
      : takeStepEnds(
          dashed.slice(begins).map((usd) => usd ?? 0),
          step,
        )
  const shown = [...lines, ...(others ?? []), ...again]
  const [least, most] = [Math.min(...shown), Math.max(...shown)]
  const deepest = Math.max(...falls)
  const width = Math.max(1, lines.length - 1)
  const height = Math.log(most / least) || 1
  const placeWorth = (usd: number) => Math.round(FLOOR - (Math.log(usd / least) / height) * (FLOOR - TOP))
  const placeFall = (share: number) => Math.round(WATER + (share / (deepest || 1)) * (DEPTH - WATER))
  const placeDay = (index: number) => Math.round((Math.max(0, index) / step / width) * 1000) / 10
  const heldOut = heldOutFrom === undefined ? -1 : days.findIndex((day) => day >= heldOutFrom)
  const low = falls.indexOf(deepest)
  return {
    width,
    height: HEIGHT,
    worth: drawPath(lines.map(placeWorth)),
    beside: others === undefined ? null : drawPath(others.map(placeWorth)),
    /** Begins where the run anew does. */
    again:
      again.length === 0
        ? null
        : drawPath(again.map(placeWorth)).replace('M0', `M${(begins / step).toFixed(1)}`),
    falls: `${drawPath([WATER, ...takeDeepestFalls(falls, step).map(placeFall)], 0)}V${WATER}z`,
    water: WATER,
    heldOutAt: heldOut < 0 ? null : heldOut / step,
    ticks: roundSums(least, most).map((usd) => ({
      usd,
      at: placeWorth(usd),
      y: Math.round((placeWorth(usd) / HEIGHT) * 1000) / 10,
    })),
    /** The first day of each year. */
    years: days.flatMap((day, index) =>
      day.endsWith('-01-01') ? [{ year: day.slice(0, 4), x: placeDay(index) }] : [],
    ),
    low: { x: placeDay(low), y: Math.round((DEPTH / HEIGHT) * 1000) / 10, share: deepest },
  }
}

/** A small chart for a list, 40 units high: worth on a logarithmic scale in the upper part, falls in the lower part. */
export function computeSparkShape({ equity, startingCash }: Pick<Backtest, 'equity' | 'startingCash'>) {
  const step = Math.ceil(equity.length / SPARK_POINTS)
  const worth = takeStepEnds(equity, step)
  const [least, most] = [Math.min(...worth), Math.max(...worth)]
  const height = Math.log(most / least) || 1
  const falls = takeDeepestFalls(computeFalls(equity, startingCash), step)
  return {
    width: worth.length - 1,
    worth: drawPath(
      worth.map((usd) => Math.round(SPARK_WATER - (Math.log(usd / least) / height) * SPARK_WATER)),
    ),
    falls: `${drawPath([SPARK_WATER, ...falls.map((share) => Math.round(SPARK_WATER + share * SPARK_DEPTH))], 0)}V${SPARK_WATER}z`,
  }
}

const SPARK_POINTS = 36
const SPARK_WATER = 26
const SPARK_DEPTH = 14

/** The first value, and the last of each step. */
function takeStepEnds(values: readonly number[], step = STEP): number[] {
  return values.filter((_, index) => index % step === 0 || index === values.length - 1)
}

function takeDeepestFalls(falls: readonly number[], step = STEP): number[] {
  return takeStepEnds(falls, step).map((_, place) =>
    Math.max(...falls.slice(Math.max(0, (place - 1) * step + 1), place * step + 1)),
  )
}

/**
 * Amounts of 1, 2 or 5 times a power of ten within the limits; only powers of ten if there are more than eight; the limits
 * themselves if there are fewer than two.
 */
function roundSums(least: number, most: number): number[] {
  const power = 10 ** Math.floor(Math.log10(least))
  const powers = Array.from(
    { length: Math.ceil(Math.log10(most / power)) + 1 },
    (_, times) => power * 10 ** times,
  )
  const filterInRange = (sums: readonly number[]) => sums.filter((sum) => sum >= least && sum <= most)
  const fine = filterInRange(powers.flatMap((ten) => [ten, 2 * ten, 5 * ten]))
  const between = fine.length > 8 ? filterInRange(powers) : fine
  return between.length > 1 ? between : [least, most].map((sum) => Math.round(sum))
}

/** A path that moves one unit to the right at each step. Relative steps take a quarter of the bytes of absolute ones. */
export function drawPath([start = 0, ...rest]: readonly number[], firstStep = 1): string {
  let y = start
  const steps = rest.map((next, index) => {
    const step = `${index === 0 ? firstStep : 1} ${next - y}`
    y = next
    return step
  })
  return `M0 ${start}l${steps.join(' ')}`.replaceAll(' -', '-')
}
