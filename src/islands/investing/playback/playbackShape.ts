const WIDTH = 1000
const HEIGHT = 300

interface ValueRange {
  readonly least: number
  readonly most: number
}

/** The values of these lines up to a day, with the value that they start from. Nothing that comes later shows in the scale. */
export function findRange(lines: readonly (readonly number[])[], day: number, start: number): ValueRange {
  const seen = [start, ...lines.flatMap((line) => line.slice(0, day + 1))]
  const [least, most] = [Math.min(...seen), Math.max(...seen)]
  const margin = Math.max((most - least) * 0.05, most * 0.01)
  return { least: least - margin, most: most + margin }
}

/** An SVG path of values. The value with the index `end` is at the right edge. */
export function drawPath(values: readonly number[], end: number, { least, most }: ValueRange): string {
  const points = values.map((value, index) => {
    const x = (index / Math.max(1, end)) * WIDTH
    const y = HEIGHT - ((value - least) / (most - least)) * HEIGHT
    return `${x.toFixed(1)} ${y.toFixed(1)}`
  })
  return points.length === 0 ? '' : `M${points.join('L')}`
}
