import { describe, expect, it } from 'vitest'
import type { Limits } from '../../../contract/money/limits.ts'
import { findAmountProblem, limitWords } from './limits.ts'

const NONE = { minimum: 0, open: 0, pending: 0 }
const ANY_NETWORK = { btc: 0, eth: 0, 'usdt-trc20': 0, 'usdt-bsc': 0, 'usdt-erc20': 0, 'usdc-erc20': 0 }
const limits = (more: Partial<Limits> = {}): Limits => ({
  decisionTimes: {
    until: null,
    deposits: null,
    withdrawals: null,
    payouts: null,
    identity: null,
    messages: null,
  },
  payoutsPausedSince: null,
  destinationLock: null,
  frozen: false,
  newDestinationHours: 24,
  identity: 'approved',
  identityRequired: true,
  maxOpen: 20,
  available: 100.5,
  deposits: NONE,
  withdrawals: { ...NONE, minimumByNetwork: ANY_NETWORK, withoutAddressProof: null },
  ...more,
})

describe('the limits of a request in words', () => {
  it('are silent where there is nothing to say', () => {
    expect(limitWords(limits(), 'deposits')).toEqual([])
    expect(limitWords(null, 'withdrawals')).toEqual([])
  })

  it('tell the smallest amount, and how many more there can be', () => {
    const deposits = { minimum: 50, open: 1, pending: 1500.5 }
    expect(limitWords(limits({ deposits }), 'deposits')).toEqual(['The smallest deposit is $50.00.'])
    const withdrawals = {
      ...{ minimum: 0, minimumByNetwork: ANY_NETWORK, open: 18, pending: 20 },
      withoutAddressProof: 50.5,
    }
    expect(limitWords(limits({ withdrawals }), 'withdrawals')).toEqual([
      'Above $50.50 we ask for a proof of address.',
      'You can open 2 more until one is decided.',
    ])
  })
})

describe('an amount as typed', () => {
  it('is measured by what is available, to the cent', () => {
    expect(findAmountProblem(limits(), 'withdrawals', '100.50')).toBeNull()
    expect(findAmountProblem(limits(), 'withdrawals', '100.51')).toBe('That is more than what is available.')
    expect(findAmountProblem(limits(), 'deposits', '9999999.99')).toBeNull()
  })

  it('is measured by the minimum, but for all that is there', () => {
    const bounds = { ...NONE, minimum: 200 }
    const strict = limits({
      deposits: bounds,
      withdrawals: {
        ...bounds,
        minimumByNetwork: { ...ANY_NETWORK, btc: 200, eth: 250 },
        withoutAddressProof: null,
      },
    })
    expect(findAmountProblem(strict, 'deposits', '199.99')).toBe('The smallest deposit is $200.00')
    expect(findAmountProblem(strict, 'withdrawals', '100')).toBe('The smallest withdrawal is $200.00')
    expect(findAmountProblem(strict, 'withdrawals', '100.5')).toBeNull()
    expect(findAmountProblem(strict, 'withdrawals', '100', 'btc')).toBe('The smallest withdrawal is $200.00')
    const words = 'The smallest withdrawal over Ethereum is $250.00, so that it covers the network’s fee'
    expect(findAmountProblem(strict, 'withdrawals', '100', 'eth')).toBe(words)
    expect(findAmountProblem(strict, 'withdrawals', '100.5', 'eth')).toBeNull()
    expect(limitWords(strict, 'withdrawals', 'eth')).toEqual([`${words}.`])
  })

  it('is not judged while it is no amount', () => {
    for (const typed of ['', '1,500', undefined])
      expect(findAmountProblem(limits(), 'deposits', typed)).toBeNull()
    expect(findAmountProblem(null, 'withdrawals', '1')).toBeNull()
  })
})
