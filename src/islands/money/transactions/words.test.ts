import { describe, expect, it, test } from 'vitest'
import type { Transaction } from '../../../contract/money/transactions.ts'
import { coinLabel, feeWords, networkLabel, routeWords } from './words.ts'

const base: Transaction = {
  _id: '1',
  ref: 'DEP-1',
  amount: 100,
  createdAt: '2026-01-31T09:30:00.000Z',
  trxType: 'deposit',
  status: 'pending',
  fee: 0,
}

test('a fee of nothing is 0 USD', () => {
  expect(feeWords(0)).toBe('0 USD')
  expect(feeWords(1.5)).toBe('1.50 USD')
})

describe('the route of a transaction', () => {
  it('names the coin and the network it travels on', () => {
    expect(routeWords({ ...base, type: 'usdt', network: 'usdt-trc20' })).toBe('USDT, TRON (TRC-20)')
  })

  it('names Bitcoin once, though its network is called the same', () => {
    expect(routeWords({ ...base, type: 'bitcoin', network: 'btc' })).toBe('Bitcoin')
  })

  it('names the bank and the masked account of an online service withdrawal', () => {
    const row: Transaction = {
      ...base,
      trxType: 'online-service-withdrawal',
      bankName: 'First Bank',
      accountNumber: '••••1234',
    }
    expect(routeWords(row)).toBe('First Bank ••••1234')
  })

  it('keeps words it does not know', () => {
    expect(coinLabel('toString')).toBe('toString')
    expect(networkLabel('lightning')).toBe('lightning')
    expect(routeWords(base)).toBe('')
  })
})
