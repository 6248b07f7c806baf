import { expect, test } from 'vitest'
import type { EntryCode } from '../../../contract/money/statements.ts'
import { buildSummary } from './summary.ts'

test('a statement adds up: what came in, what went out, and the rest is what strategies made', () => {
  const entries = (
    [
      ['credit', 100.1],
      ['hold', 0],
      ['bonus', 50],
      ['complete', -30.05],
      ['gain', 7],
      ['fee', -0.7],
    ] as [EntryCode, number][]
  ).map(([code, change], index) => {
    return {
      _id: String(index),
      at: '',
      ref: null,
      code,
      amount: 1,
      change,
      available: 0,
      held: 0,
      balance: 0,
    }
  })
  const balances = (totalBalance: number, unrealised: number) => ({
    ...{ available: 0, held: 0, allocating: 0, invested: 0, owed: 0 },
    ...{ balance: totalBalance - unrealised, unrealised, totalBalance },
  })
  const period = { from: null, to: '', name: 'Ana' }
  expect(
    buildSummary({ ...period, opening: balances(10, 0), entries, closing: balances(138.02, 1.67) }),
  ).toEqual({ opening: 10, cameIn: 150.1, wentOut: -30.05, made: 7.97, closing: 138.02 })
})
