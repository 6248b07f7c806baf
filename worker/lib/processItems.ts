import type { Database } from './database.ts'
import { hasBudget } from './workBudget.ts'

/**
 * Works on the items one after the other. It ends early when the job has no budget for `statements` more. A failed item does not
 * stop the others: the first failure is thrown after the last item. Failures that are `isPassing` are ignored. Returns the number
 * of items without a failure.
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
