/** A value of a series and its place among the values. */
export interface SeriesPoint {
  readonly index: number
  readonly value: number
}

/**
 * Reduces a series for drawing. It keeps the lowest and the highest value of each of `steps` equal steps, the first and the last
 * value, and the values at the places in `kept`, in their order. A line through the points therefore reaches as high and as low as one
 * through all values. A series of at most `2 * steps` values stays whole. (Jugel et al., "M4: A Visualization-Oriented Time Series Data
 * Aggregation", VLDB 2014.)
 */
export function reduceSeries(
  values: readonly number[],
  steps: number,
  kept: readonly number[] = [],
): SeriesPoint[] {
  const { length } = values
  if (length <= 2 * steps) return values.map((value, index) => ({ index, value }))
  const places = new Set([0, length - 1, ...kept])
  for (let step = 0; step < steps; step++) {
    const end = Math.floor(((step + 1) * length) / steps)
    let lowest = Math.floor((step * length) / steps)
    let highest = lowest
    for (let place = lowest + 1; place < end; place++) {
      const value = values[place] ?? 0
      if (value < (values[lowest] ?? 0)) lowest = place
      if (value > (values[highest] ?? 0)) highest = place
    }
    places.add(lowest).add(highest)
  }
  return Array.from(places)
    .filter((place) => place >= 0 && place < length)
    .sort((first, second) => first - second)
    .map((index) => ({ index, value: values[index] ?? 0 }))
}
