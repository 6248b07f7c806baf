import type { Database } from './database.ts'
import { hasBudget } from './workBudget.ts'

/**
 * Works on each item by itself, while the job has budget for `statements` more: an item that fails stops no other. Throws the first
 * failure at the end, but none that `isPassing`. Returns how many items were done.
 */
export async function processItems<Item>(
  db: Database,
  statements: number,
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
  isPassing: (error: unknown) => boolean = () => false,
): Promise<number> {
  const failures: unknown[] = []
  let done = 0
  for (const item of items) {
    if (!hasBudget(db, statements)) break
    try {
      await work(item)
      done++
    } catch (error) {
      if (!isPassing(error)) failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
  return done
}
