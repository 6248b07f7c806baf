import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import type { OperatorOverview, TrialBalance } from '../../../src/contract/console/overview.ts'
import { fileDeposit } from '../../../test/support/filing.ts'
import { call } from '../../../test/support/http.ts'
import {
  approveDeposit,
  approveWithdrawal,
  as,
  completeWithdrawal,
  deposit,
  propose,
  withdrawal,
} from '../../../test/support/operating.ts'
import { newInvestor, newOperator } from '../../../test/support/people.ts'
import { moveToVenue } from '../../../test/support/venueTransfers.ts'
import { openDatabase } from '../../lib/database.ts'

test('an empty platform has empty queues and no holds', async () => {
  const { status, body } = await as<OperatorOverview>(await newOperator(), 'GET', '/operator/overview')
  expect(status).toBe(200)
  expect(body).toEqual({
    at: expect.stringMatching(/Z$/),
    booksAt: body.at,
    ceilings: {
      creditsAlone: { limit: 25_000, used: 0 },
      payoutsAlone: { limit: 25_000, used: 0 },
      credits: { limit: 10_000_000, used: 0 },
      payouts: { limit: 10_000_000, used: 0 },
    },
    decisionTimes: (await call('GET', '/decision-times')).body,
    waiting: expect.any(Object),
    custody: [
      { asset: 'bitcoin', unit: 'satoshi', quantity: '0', valueUsd: 0 },
      { asset: 'ethereum', unit: 'gwei', quantity: '0', valueUsd: 0 },
      { asset: 'usdt', unit: 'micro-USDT', quantity: '0', valueUsd: 0 },
      { asset: 'usdc', unit: 'micro-USDC', quantity: '0', valueUsd: 0 },
      { asset: 'usd', unit: 'cent', quantity: '0', valueUsd: 0 },
    ],
    places: ['bitcoin', 'ethereum', 'usd', 'usdc', 'usdt'].map((asset) => ({
      ...{ place: 'treasury', name: 'Treasury', asset },
      ...{ quantity: '0', held: '0', isSimulated: true },
    })),
    strategies: { paidIn: 0, value: 0 },
    liabilities: 0,
    debts: { amount: 0, investors: 0 },
    trialBalance: { debits: 0, credits: 0, balanced: true },
  })
  for (const waits of Object.values(body.waiting))
    expect(waits).toMatchObject({ count: 0, oldest: null, overdue: 0 })
})

test('the overview counts waiting cases with their age, and compares custody with liabilities', async () => {
  const operator = await newOperator()
  const ana = await newInvestor({ availableCents: 1000_00 })
  await newInvestor({ kyc: 'pending' })
  await approveDeposit(operator, await deposit(ana, '642'))
  await deposit(ana, '10')
  await deposit(ana, '20')
  const paid = await withdrawal(ana, '100', '/withdrawals/online-service')
  await approveWithdrawal(operator, paid)
  await completeWithdrawal(await newOperator(), paid)
  await approveWithdrawal(operator, await withdrawal(ana, '50'))
  await withdrawal(ana, '30')
  await propose(operator, { kind: 'bonus', investor: ana.id, amount: 5, reason: 'Thanks' })
  await call('POST', '/contact-us', { json: { name: 'Ana', email: 'ana@example.com', message: 'Hello' } })

  const { body } = await as<OperatorOverview>(operator, 'GET', '/operator/overview')
  const waits = (count: number) => ({ count, oldest: expect.stringMatching(/Z$/) })
  expect(body.ceilings).toEqual({
    creditsAlone: { limit: 25_000, used: 642 },
    // Two people decided the payout.
    payoutsAlone: { limit: 25_000, used: 0 },
    credits: { limit: 10_000_000, used: 1642 },
    payouts: { limit: 10_000_000, used: 100 },
  })
  expect(body.waiting).toMatchObject({
    deposit: waits(2),
    withdrawal: waits(1),
    payout: waits(1),
    kyc: waits(1),
    message: waits(1),
    proposal: waits(1),
    payment: { count: 0, oldest: null },
    // More dollars went out than came in.
    difference: waits(1),
  })
  expect(body.custody).toEqual([
    { asset: 'bitcoin', unit: 'satoshi', quantity: '0.01', valueUsd: 642 },
    { asset: 'ethereum', unit: 'gwei', quantity: '0', valueUsd: 0 },
    { asset: 'usdt', unit: 'micro-USDT', quantity: '1000', valueUsd: 1000 },
    { asset: 'usdc', unit: 'micro-USDC', quantity: '0', valueUsd: 0 },
    { asset: 'usd', unit: 'cent', quantity: '-100', valueUsd: -100 },
  ])
  expect(body.liabilities).toBe(1542)
  expect(body.trialBalance).toEqual({ debits: 1642, credits: 1642, balanced: true })
})

test('the trial balance has both sides and every kind of account', async () => {
  const operator = await newOperator()
  const { body } = await as<TrialBalance>(operator, 'GET', '/operator/ledger/trial-balance')
  expect(body).toEqual({
    debits: 1642,
    credits: 1642,
    balanced: true,
    accounts: [
      { kind: 'available', balance: 1462 },
      { kind: 'fees', balance: 0 },
      { kind: 'granted', balance: 0 },
      { kind: 'held', balance: 80 },
      { kind: 'owed', balance: 0 },
      { kind: 'paid_in', balance: -1642 },
      { kind: 'paid_out', balance: 100 },
    ],
  })
  expect((await fileDeposit(await newInvestor())).status).toBe(201)
  expect((await as(operator, 'GET', '/operator/ledger/trial-balance')).body).toEqual(body)
})

test('what was moved to an exchange leaves the treasury, and the places of each asset add up to custody', async () => {
  const db = openDatabase(env.DB)
  const moves = { bitcoin: 300_000, usdt: 400_50000000, solana: 7_00000000 }
  for (const [asset, quantity] of Object.entries(moves))
    await moveToVenue(db, { venue: 'kraken', asset, quantity, at: Date.now() })
  const { body } = await as<OperatorOverview>(await newOperator(), 'GET', '/operator/overview')
  const at = (place: string) =>
    Object.fromEntries(
      body.places.filter((each) => each.place === place).map(({ asset, quantity }) => [asset, quantity]),
    )
  expect(at('kraken')).toEqual({ bitcoin: '0.003', usdt: '400.5', solana: '7' })
  expect(at('treasury')).toEqual({
    ...{ bitcoin: '0.007', ethereum: '0', usdt: '599.5', usdc: '0', usd: '-100', solana: '-7' },
  })
  for (const { asset, quantity } of body.custody) {
    const sum = Number(at('treasury')[asset]) + Number(at('kraken')[asset] ?? 0)
    expect(sum).toBeCloseTo(Number(quantity), 9)
  }
  expect(body.places.filter(({ place }) => place === 'kraken').map(({ held }) => held)).toEqual([
    '0.003',
    '7',
    '400.5',
  ])
})
