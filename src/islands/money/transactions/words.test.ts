import { describe, expect, it, test } from 'vitest'
import type { Transaction } from '../../../contract/money/transactions.ts'
import { describeRoute, formatFee, getCoinLabel, getNetworkLabel } from './words.ts'

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
  expect(formatFee(0)).toBe('0 USD')
  expect(formatFee(1.5)).toBe('1.50 USD')
})

describe('the route of a transaction', () => {
  it('names the coin and the network it travels on', () => {
    expect(describeRoute({ ...base, type: 'usdt', network: 'usdt-trc20' })).toBe('USDT, TRON (TRC-20)')
  })

  it('names Bitcoin once, though its network is called the same', () => {
    expect(describeRoute({ ...base, type: 'bitcoin', network: 'btc' })).toBe('Bitcoin')
  })

  it('names the bank and the masked account of an online service withdrawal', () => {
    const row: Transaction = {
      ...base,
      trxType: 'online-service-withdrawal',
      bankName: 'First Bank',
      accountNumber: '••••1234',
    }
    expect(describeRoute(row)).toBe('First Bank ••••1234')
  })

  it('keeps words it does not know', () => {
    expect(getCoinLabel('toString')).toBe('toString')
    expect(getNetworkLabel('lightning')).toBe('lightning')
    expect(describeRoute(base)).toBe('')
  })
})
