import { line } from '../../_investing/strategies/course.ts'
import type { Holding } from './heldIndex.ts'

/** The picture's height in units: fine enough for any screen, coarse enough for short paths. */
const HEIGHT = 500
/** How far down the highest and the lowest worth, the waterline and the deepest fall are drawn. */
const TOP = 25
const FLOOR = 295
const WATER = 340
const DEPTH = 425
/** The axis has this sum and its doubles and halves. */
const DOUBLED_USD = 1000

/**
 * A chart as paths in units, a week being one wide, and the places of its words in per cent: worth above the waterline, and
 * below it the drawdown. The scale is logarithmic, so that an early fall looks as deep as a late one.
 */
export function chartShape({ values, falls, worst }: Pick<Holding, 'values' | 'falls' | 'worst'>) {
  const least = Math.min(...values)
  const most = Math.max(...values)
  const width = values.length - 1
  const worthAt = (usd: number) =>
    Math.round(FLOOR - (Math.log(usd / least) / Math.log(most / least)) * (FLOOR - TOP))
  const fallAt = (share: number) =>
    Math.round(WATER + (worst.share === 0 ? 0 : share / worst.share) * (DEPTH - WATER))
  const first = Math.ceil(Math.log2(least / DOUBLED_USD))
  const sums = Array.from(
    { length: Math.floor(Math.log2(most / DOUBLED_USD)) - first + 1 },
    (_, step) => DOUBLED_USD * 2 ** (first + step),
  )
  const lately = values.slice(Math.floor(width * 0.85)).map(worthAt)
  const end = worthAt(values.at(-1) ?? 0)
  const [above, below] = [Math.min(...lately), Math.max(...lately)]
  const isBelow = below - end <= end - above
  return {
    width,
    height: HEIGHT,
    worth: line(values.map(worthAt)),
    falls: `${line([WATER, ...falls.map(fallAt)], 0)}V${WATER}z`,
    water: WATER,
    /** Sums on the axis, and how far down they are in units and in per cent. */
    ticks: sums.map((usd) => ({ usd, at: worthAt(usd), y: down(worthAt(usd)) })),
    last: { x: 100, y: down(end) },
    /** How far down the last words begin or end, so that the line stays clear of them. */
    lastWords: { y: down(isBelow ? below : above), isBelow },
    /** The lowest point of the worst fall, and how far down the worth was there. */
    low: { x: Math.round((worst.at / width) * 1000) / 10, y: down(DEPTH) },
    lowWorth: down(worthAt(worst.to)),
  }
}

/** Units as per cent of the height. */
function down(units: number): number {
  return (units / HEIGHT) * 100
}
