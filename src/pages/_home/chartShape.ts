import type { Holding } from './heldIndex.ts'

/** The picture is so many units high: fine enough for any screen, and coarse enough to be written in few bytes. */
const HEIGHT = 500
/** Where the highest and the lowest worth are drawn, the waterline, and the deepest fall. */
const TOP = 25
const FLOOR = 295
const WATER = 340
const DEPTH = 425

/** A chart's lines in units, a week being one wide, and the places of its words in per cent of the picture. */
export interface ChartShape {
  width: number
  height: number
  worth: string
  falls: string
  water: number
  /** Round sums on the axis, how far down they stand in units and in per cent. */
  ticks: { usd: number; at: number; y: number }[]
  last: Place
  /** How far down words may stand that end with the picture, so that the line stays clear of them. */
  lastWords: number
  /** The lowest point of the worst fall, and how far down the worth was there. */
  low: Place
  lowWorth: number
}

interface Place {
  x: number
  y: number
}

/** The lines of a chart: worth above the waterline, and below it how far that worth lies under its highest so far. */
export function chartShape({ values, falls, worst }: Holding, tickUsd = 200): ChartShape {
  const least = Math.min(...values)
  const most = Math.max(...values)
  const width = values.length - 1
  const worthAt = (usd: number) => Math.round(FLOOR - ((usd - least) / (most - least)) * (FLOOR - TOP))
  const fallAt = (share: number) =>
    Math.round(WATER + (worst.share === 0 ? 0 : share / worst.share) * (DEPTH - WATER))
  const first = Math.ceil(least / tickUsd) * tickUsd
  const sums = Array.from(
    { length: Math.floor((most - first) / tickUsd) + 1 },
    (_, step) => first + step * tickUsd,
  )
  const lately = values.slice(Math.floor(width * 0.8))
  return {
    width,
    height: HEIGHT,
    worth: line(values.map(worthAt)),
    falls: `${line([WATER, ...falls.map(fallAt)], 0)}V${WATER}z`,
    water: WATER,
    ticks: sums.map((usd) => ({ usd, at: worthAt(usd), y: down(worthAt(usd)) })),
    last: { x: 100, y: down(worthAt(values.at(-1) ?? 0)) },
    lastWords: down(worthAt(Math.max(...lately))),
    low: { x: Math.round((worst.at / width) * 1000) / 10, y: down(DEPTH) },
    lowWorth: down(worthAt(worst.to)),
  }
}

/** Units as per cent of the height. */
function down(units: number): number {
  return (units / HEIGHT) * 100
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
