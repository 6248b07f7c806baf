import { describe, expect, it } from 'vitest'
import { redeem } from '../../../contract/investing/allocations.ts'
import { bankWithdrawal } from '../../../contract/money/withdrawals.ts'
import { buildRedemption, computeRedeemableCents, redeemForm } from './redeemForm.ts'

const BANK = {
  withdrawalMethod: 'bank',
  title: 'Ms',
  surname: 'Torres',
  firstName: 'Ana',
  occupation: 'Engineer',
  clientNumber: 'C-1001',
  investmentNumber: 'I-2002',
  productName: 'Savings',
  bankName: 'First Harbour Bank',
  accountNumber: '00112233445566',
  branchName: 'Quayside',
  accountType: 'savings',
  accountHolderName: 'Ana Torres',
  branchCode: '250655',
  withdrawalType: 'partial',
  withdrawalReason: 'Rent',
}
const TYPED = { ...BANK, country: 'ZA' }

const problems = (values: Parameters<typeof buildRedemption>[0]) =>
  (redeemForm.safeParse(values).error?.issues ?? []).map(({ path }) => String(path[0]))

describe('the form of a redemption', () => {
  it('asks for an amount, or for all', () => {
    expect(problems({})).toEqual(['amount'])
    expect(problems({ amount: '10.001' })).toEqual(['amount'])
    expect(problems({ amount: '10.50' })).toEqual([])
    expect(problems({ all: true })).toEqual([])
  })

  it('asks where to only where it is to be withdrawn', () => {
    expect(problems({ all: true, withdraws: true })).toEqual(['type', 'network', 'address'])
    const to = { type: 'bitcoin', network: 'btc', address: ' bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4 ' }
    expect(problems({ all: true, withdraws: true, ...to })).toEqual([])
    expect(buildRedemption({ all: true, withdraws: true, ...to, code: '123456' })).toEqual({
      amount: 'all',
      thenWithdraw: { ...to, address: to.address.trim() },
      code: '123456',
    })
    expect(buildRedemption({ amount: '5', withdraws: false, ...to })).toEqual({ amount: '5' })
  })

  it('asks for a bank account as a withdrawal does, and sends nothing of a wallet then', () => {
    const way = { all: true, withdraws: true, withdrawalMethod: 'bank', isFull: true }
    const others = ['amount', 'withdrawalType', 'withdrawalMethod', 'code', 'passkey']
    expect(problems(way).toSorted()).toEqual(
      Object.keys(bankWithdrawal.shape)
        .filter((name) => !others.includes(name))
        .toSorted(),
    )
    const typed = { ...way, ...TYPED, address: 'left from before', network: 'btc', code: '123456' }
    expect(problems(typed)).toEqual([])
    expect(buildRedemption(typed)).toEqual({ amount: 'all', thenWithdraw: TYPED, code: '123456' })
    expect(redeem.body?.safeParse(buildRedemption(typed)).success).toBe(true)
  })

  it('knows what is left to be asked for', () => {
    expect(computeRedeemableCents({ value: 100.1, pendingOut: 40.05 })).toBe(6005)
    expect(computeRedeemableCents({ value: 100, pendingOut: 100 })).toBe(0)
  })
})
