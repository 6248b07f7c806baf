import { describe, expect, it, test } from 'vitest'
import type { Transaction } from '../../../contract/money/transactions.ts'
import { describeNextStep, describeRoute, formatFee, getCoinLabel, getNetworkLabel } from './words.ts'

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

test('a request says what comes next until it has ended', () => {
  const now = Date.parse('2026-02-01T00:00:00.000Z')
  const withdrawal: Transaction = { ...base, trxType: 'withdrawal' }
  const held: Transaction = { ...withdrawal, heldUntil: '2026-02-03T00:00:00.000Z' }
  const describe = (transaction: Transaction, status: Transaction['status'], at = now) =>
    describeNextStep({ ...transaction, status }, at)
  expect(describe(base, 'pending')).toBe('Next: we check your payment and credit it.')
  expect(describe(withdrawal, 'pending')).toBe('Next: we review it. Once it is approved, we pay it.')
  expect(describe(held, 'pending')).toContain('its hold has ended')
  expect(describe(held, 'approved')).toBe('Next: we pay it once its hold has ended.')
  expect(describe(held, 'approved', Date.parse('2026-02-04T00:00:00.000Z'))).toBe('Next: we pay it.')
  expect(describe(base, 'approved')).toBeNull()
  for (const status of ['completed', 'rejected', 'cancelled', 'reversed'] as const)
    expect(describe(withdrawal, status)).toBeNull()
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
