import { describe, expect, it } from 'vitest'
import { redeemForm, redemptionOf } from './redeemForm.ts'

const problems = (values: Parameters<typeof redemptionOf>[0]) =>
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
    expect(redemptionOf({ all: true, withdraws: true, ...to, code: '123456' })).toEqual({
      amount: 'all',
      thenWithdraw: { ...to, address: to.address.trim() },
      code: '123456',
    })
    expect(redemptionOf({ amount: '5', withdraws: false, ...to })).toEqual({ amount: '5' })
  })
})
