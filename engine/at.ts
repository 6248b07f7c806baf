/** The value at an index that is known to be there: columns of one market are equally long. */
export function at(values: Float64Array, index: number): number {
  return values[index] as number
}
