import type { BookView } from '../strategy.ts'

/** What is not in cash, as a share of the equity. */
export function invested(book: BookView): number {
  let sum = 0
  for (const weight of book.weights) sum += weight
  return sum
}
