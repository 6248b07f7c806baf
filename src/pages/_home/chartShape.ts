import type { Holding } from './heldIndex.ts'

/** Of the picture's height, in thousandths from its top: where the worth is drawn, the waterline, and the deepest fall. */
const TOP = 50
const FLOOR = 590
const WATER = 680
const DEPTH = 850

/** The picture's coordinates: a week is one wide, and it is 1,000 high. */
export interface ChartShape {
  width: number
  worth: string
  falls: string
  water: number
  /** Round sums on the axis, with how far down they stand in per cent. */
  ticks: { usd: number; y: number }[]
  /** The last worth and the lowest point of the worst fall, across and down in per cent. */
  last: Point
  low: Point
  /** How far down the worth was at that lowest point. */
  lowWorth: number
}

interface Point {
  x: number
  y: number
}

/** The lines of a chart: worth above the waterline, and below it how far that worth lies under its highest so far. */
export function chartShape({ values, falls, worst }: Holding, tickUsd = 200): ChartShape {
  const least = Math.min(...values)
  const most = Math.max(...values)
  const worthY = (usd: number) => Math.round(FLOOR - ((usd - least) / (most - least)) * (FLOOR - TOP))
  const fallY = (share: number) =>
    Math.round(WATER + (worst.share === 0 ? 0 : share / worst.share) * (DEPTH - WATER))
  const width = values.length - 1
  const first = Math.ceil(least / tickUsd) * tickUsd
  const ticks = Array.from(
    { length: Math.floor((most - first) / tickUsd) + 1 },
    (_, index) => first + index * tickUsd,
  )
  return {
    width,
    worth: line(values.map(worthY)),
    falls: `${line([WATER, ...falls.map(fallY)], 0)}V${WATER}z`,
    water: WATER / 10,
    ticks: ticks.map((usd) => ({ usd, y: worthY(usd) / 10 })),
    last: { x: 100, y: worthY(values.at(-1) ?? 0) / 10 },
    low: { x: Math.round((worst.at / width) * 1000) / 10, y: DEPTH / 10 },
    lowWorth: worthY(worst.to) / 10,
  }
}

/** Steps of one from the left, each said by how much it goes down: a quarter of the bytes that absolute places take. */
function line([start = 0, ...rest]: readonly number[], firstStep = 1): string {
  let y = start
  const steps = rest.map((next, index) => {
    const step = `${index === 0 ? firstStep : 1} ${next - y}`
    y = next
    return step
  })
  return `M0 ${start}l${steps.join(' ')}`.replaceAll(' -', '-')
}
