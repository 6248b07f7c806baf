import { at } from '../at.ts'

/**
 * An indicator pushed over a whole column, NaN where it has no value yet: `overColumn(close, (price) => sma.push(price))`. What
 * it gives for a bar is what it gives bar by bar, as it is the same push.
 */
export function overColumn(
  column: Float64Array,
  push: (value: number, index: number) => number,
): Float64Array {
  const values = new Float64Array(column.length)
  for (let index = 0; index < column.length; index++) values[index] = push(at(column, index), index)
  return values
}
