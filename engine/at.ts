/** The value at an index known to exist: columns of one market have equal lengths. */
export function at(values: Float64Array, index: number): number {
  return values[index] as number
}
