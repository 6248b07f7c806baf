import { expect, test } from 'vitest'
import type { Database } from './database.ts'
import { processItems } from './processItems.ts'
import { limitDatabase, WorkBudget } from './workBudget.ts'

const openWith = (budget: WorkBudget) => ({ $client: limitDatabase({} as D1Database, budget) }) as Database

test('one failure stops no other item and is thrown at the end, but not one that passes', async () => {
  const db = openWith(new WorkBudget({ statements: 9, ms: 60_000 }))
  const seen: number[] = []
  const work = async (item: number) => {
    seen.push(item)
    if (item % 2 === 0) throw new Error(`number ${item}`)
  }
  await expect(processItems(db, 1, [1, 2, 3, 4], work)).rejects.toThrow('number 2')
  expect(seen).toEqual([1, 2, 3, 4])
  expect(await processItems(db, 1, [1, 2, 3, 4], work, () => true)).toBe(2)
})

test('items beyond the budget of the minute are left', async () => {
  const budget = new WorkBudget({ statements: 5, ms: 60_000 })
  const db = openWith(budget)
  expect(await processItems(db, 2, [1, 2, 3], async () => budget.take(2))).toBe(2)
})
