import { expect, test } from 'vitest'
import type { Limits } from '../../../src/contract/money/limits.ts'
import { letChangePass, turnOnApp } from '../../../test/support/factors.ts'
import { fileDeposit, withdraw } from '../../../test/support/filing.ts'
import { call } from '../../../test/support/http.ts'
import { approveWithdrawal } from '../../../test/support/operating.ts'
import { newInvestor, newOperator } from '../../../test/support/people.ts'
import { setSetting } from '../../../test/support/settings.ts'

const limitsOf = async (person: { token: string }) =>
  (await call<Limits>('GET', '/limits', { token: person.token })).body

test('a new investor has nothing open, nothing available and the minimums of the networks', async () => {
  expect(await limitsOf(await newInvestor({ kyc: 'none' }))).toEqual({
    frozen: false,
    identity: 'none',
    identityRequired: true,
    maxOpen: 20,
    available: 0,
    deposits: { minimum: 0, open: 0, pending: 0 },
    withdrawals: {
      minimum: 0,
      minimumByNetwork: {
        btc: 2,
        eth: 2,
        'usdt-trc20': 2,
        'usdt-bsc': 1,
        'usdt-erc20': 2,
        'usdc-erc20': 2,
      },
      withoutAddressProof: null,
      open: 0,
      pending: 0,
    },
    newDestinationHours: 24,
    destinationLock: null,
    payoutsPausedSince: null,
    // What one operator may credit alone: the practice reviewer credits no more.
    practiceDeposit: 5000,
    decisionTimes: {
      until: null,
      deposits: null,
      withdrawals: null,
      payouts: null,
      identity: null,
      messages: null,
    },
  })
  expect(await call('GET', '/limits')).toMatchObject({ status: 401, body: { code: 'unauthorized' } })
})

test.each(['pending', 'rejected', 'approved'] as const)('an identity that is %s is said', async (kyc) => {
  expect(await limitsOf(await newInvestor({ kyc }))).toMatchObject({ identity: kyc })
})

test('open requests count until they are credited, paid or cancelled, and held money is not available', async () => {
  const ana = await newInvestor({ availableCents: 1000_00 })
  await fileDeposit(ana, { amount: '70.25' })
  const { body: taken } = await fileDeposit(ana, { amount: '5' })
  await call('POST', `/deposits/${taken._id}/cancel`, { token: ana.token })
  const { body: first } = await withdraw(ana, { amount: '100.50' })
  await approveWithdrawal(await newOperator(), first._id)
  await withdraw(ana, { amount: '20' }, '/withdrawals/online-service')
  expect(await limitsOf(ana)).toMatchObject({
    available: 879.5,
    deposits: { open: 1, pending: 70.25 },
    withdrawals: { open: 2, pending: 120.5 },
  })
})

test('a second factor without a recent change lifts the delay of a new destination', async () => {
  const ana = await newInvestor()
  await turnOnApp(ana)
  expect(await limitsOf(ana)).toMatchObject({ newDestinationHours: 24 })
  await letChangePass(ana)
  expect(await limitsOf(ana)).toMatchObject({ newDestinationHours: 0 })
})

test('a frozen account reads that it is frozen', async () => {
  expect(await limitsOf(await newInvestor({ frozen: true }))).toMatchObject({ frozen: true })
})

test('the answer has the minimums, and whether an identity is required', async () => {
  const ana = await newInvestor()
  await setSetting('minimums', { deposit: 50_00, withdrawal: 20_05, btc: 25_00 })
  await setSetting('kycRequired', false)
  expect(await limitsOf(ana)).toMatchObject({
    identityRequired: false,
    deposits: { minimum: 50 },
    withdrawals: { minimum: 20.05, minimumByNetwork: { btc: 25, eth: 20.05 } },
  })
})
