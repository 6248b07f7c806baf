import { expect, it } from 'vitest'
import type { Limits } from '../../../contract/money/limits.ts'
import { findObstacle } from './limits.ts'

const FREE: Limits = {
  payoutsPausedSince: null,
  destinationLock: null,
  decisionTimes: {
    until: null,
    deposits: null,
    withdrawals: null,
    payouts: null,
    identity: null,
    messages: null,
  },
  frozen: false,
  newDestinationHours: 24,
  identity: 'approved',
  identityRequired: true,
  maxOpen: 20,
  available: 10,
  deposits: { minimum: 0, open: 19, pending: 0 },
  withdrawals: {
    minimum: 0,
    minimumByNetwork: { btc: 0, eth: 0, 'usdt-trc20': 0, 'usdt-bsc': 0, 'usdt-erc20': 0, 'usdc-erc20': 0 },
    withoutAddressProof: null,
    open: 0,
    pending: 0,
  },
}

it('nothing stands in the way of somebody known, and nothing is said where it cannot be told', () => {
  expect(findObstacle(FREE, 'deposits')).toBeNull()
  expect(findObstacle(FREE, 'withdrawals')).toBeNull()
  expect(findObstacle(null, 'deposits')).toBeNull()
})

it('what stands in the way is said in the server’s order', () => {
  const bounds = { ...FREE.withdrawals, open: 20, pending: 5 }
  const all: Limits = { ...FREE, frozen: true, identity: 'pending', available: 0, withdrawals: bounds }
  expect(findObstacle(all, 'withdrawals')).toBe('frozen')
  expect(findObstacle({ ...all, frozen: false }, 'withdrawals')).toBe('pending')
  expect(findObstacle({ ...all, frozen: false, identityRequired: false }, 'withdrawals')).toBe('full')
  expect(findObstacle({ ...FREE, available: 0 }, 'withdrawals')).toBe('empty')
  expect(findObstacle({ ...FREE, available: 0 }, 'deposits')).toBeNull()
  expect(findObstacle({ ...FREE, identity: 'rejected' }, 'deposits')).toBe('rejected')
})
