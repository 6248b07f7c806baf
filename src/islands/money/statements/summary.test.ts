import { expect, test } from 'vitest'
import type { EntryCode } from '../../../contract/money/statements.ts'
import { buildSummary, listCashEntries } from './summary.ts'

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
  const period = { from: null, to: '', name: 'Ana', positions: [] }
  expect(
    buildSummary({ ...period, opening: balances(10, 0), entries, closing: balances(138.02, 1.67) }),
  ).toEqual({ opening: 10, cameIn: 150.1, wentOut: -30.05, made: 7.97, closing: 138.02 })
})

test('an entry says what it changed in the available money, which leads from the opening to the closing one', () => {
  const balances = {
    held: 0,
    allocating: 0,
    invested: 0,
    owed: 0,
    balance: 0,
    unrealised: 0,
    totalBalance: 0,
  }
  const entries = (
    [
      ['credit', 110.1],
      ['hold', 60.05],
      ['complete', 60.05],
    ] as [EntryCode, number][]
  ).map(([code, available], index) => ({
    ...{ _id: String(index), at: '', ref: null, code, amount: 50.05, change: 0, available },
    ...{ held: 0, balance: 0 },
  }))
  const cash = listCashEntries({ opening: { ...balances, available: 10 }, entries }).map(
    (entry) => entry.cash,
  )
  expect(cash).toEqual([100.1, -50.05, 0])
})
