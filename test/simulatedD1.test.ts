import { describe, expect, it } from 'vitest'
import { expectedResults, playCases } from './d1Cases.ts'
import { chanceOf } from './simulator/lane/chance.ts'
import { openSqlite } from './simulator/lane/sqlite.ts'

function simulatedD1(): D1Database {
  const chance = chanceOf('D1')
  return openSqlite({ now: () => 0, chance: () => chance }).bind((_queries, execute) => execute())
}

// `d1.worker.test.ts` plays the same cases against D1 in workerd.
describe('the simulated D1', () => {
  it('does what D1 in workerd does', async () => {
    expect(await playCases(simulatedD1())).toEqual(expectedResults())
  })

  it.each([
    ['a value that is larger than D1 allows', 'SELECT zeroblob(2000001)', /too big/],
    ['a number that JavaScript rounds', 'SELECT 9007199254740993', /too large/],
    ['a name that exists nowhere, which D1 would read as text', 'SELECT "missing"', /no such column/],
    ['several statements in one', 'SELECT 1; SELECT 2', /More than one statement/],
  ])('refuses %s', async (_what, sql, reason) => {
    await expect(simulatedD1().prepare(sql).raw()).rejects.toThrow(reason)
  })
})
