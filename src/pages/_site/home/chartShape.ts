import { reduceSeries } from '../../../contract/series.ts'
import { drawArea, drawLine } from '../../_investing/strategies/courseShape.ts'
import type { Holding } from './heldBitcoin.ts'

/** The picture's height in units: fine enough for any screen, coarse enough for short paths. */
const HEIGHT = 500
/** Vertical positions: the highest and the lowest worth, the waterline and the deepest fall. */
const TOP = 25
const FLOOR = 295
const WATER = 340
const DEPTH = 425
/** Each keeps its lowest and its highest value. */
const STEPS = 150
/** The axis shows this amount, doubled and halved repeatedly. */
const DOUBLED_USD = 1000

/**
 * A chart as SVG paths, one unit per day, with text positions in per cent. Above the waterline: the worth; below it: the
 * drawdown. The scale is logarithmic, so that equal falls look equally deep at any time.
 */
export function computeChartShape({ values, falls, worst }: Pick<Holding, 'values' | 'falls' | 'worst'>) {
  const least = Math.min(...values)
  const most = Math.max(...values)
  const width = values.length - 1
  const placeWorth = (usd: number) =>
    Math.round(FLOOR - (Math.log(usd / least) / Math.log(most / least)) * (FLOOR - TOP))
  const placeFall = (share: number) =>
    Math.round(WATER + (worst.share === 0 ? 0 : share / worst.share) * (DEPTH - WATER))
  const first = Math.ceil(Math.log2(least / DOUBLED_USD))
  const sums = Array.from(
    { length: Math.floor(Math.log2(most / DOUBLED_USD)) - first + 1 },
    (_, step) => DOUBLED_USD * 2 ** (first + step),
  )
  const lastValues = values.slice(Math.floor(width * 0.85)).map(placeWorth)
  const end = placeWorth(values.at(-1) ?? 0)
  const [above, below] = [Math.min(...lastValues), Math.max(...lastValues)]
  const isBelow = below - end <= end - above
  return {
    width,
    height: HEIGHT,
    worth: drawLine(reduceSeries(values, STEPS, [worst.peakAt, worst.at]), placeWorth),
    falls: drawArea(reduceSeries(falls, STEPS, [worst.at]), placeFall, WATER),
    water: WATER,
    /** Amounts on the axis, with their vertical position in units (`at`) and in per cent (`y`). */
    ticks: sums.map((usd) => ({ usd, at: placeWorth(usd), y: toPercentOfHeight(placeWorth(usd)) })),
    last: { x: 100, y: toPercentOfHeight(end) },
    /** The vertical position of the last text, which must not touch the line. */
    lastWords: { y: toPercentOfHeight(isBelow ? below : above), isBelow },
    low: { x: Math.round((worst.at / width) * 1000) / 10, y: toPercentOfHeight(DEPTH) },
    lowWorth: toPercentOfHeight(placeWorth(worst.to)),
  }
}

function toPercentOfHeight(units: number): number {
  return (units / HEIGHT) * 100
}
