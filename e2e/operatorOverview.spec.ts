import type { OperatorHealth } from '../src/contract/console/health.ts'
import type { OperatorOverview } from '../src/contract/console/overview.ts'
import { expectAccessible } from './support/accessibility.ts'
import { operatorSession } from './support/people.ts'
import { expect, test } from './support/test.ts'

const OVERVIEW = '**/api/v1/operator/overview'
const HEALTH = '**/api/v1/operator/health'
const NOW = new Date().toISOString()
const YESTERDAY = new Date(Date.now() - 86_400_000).toISOString()
const NOTHING = { count: 0, oldest: null }

const OVERVIEW_ANSWER: OperatorOverview = {
  at: NOW,
  booksAt: NOW,
  waiting: {
    deposits: NOTHING,
    withdrawals: NOTHING,
    payouts: NOTHING,
    kyc: NOTHING,
    proposals: NOTHING,
    messages: { count: 3, oldest: YESTERDAY },
  },
  ceilings: {
    creditsAlone: { limit: 25_000, used: 400 },
    payoutsAlone: { limit: 25_000, used: 0 },
    credits: { limit: 10_000_000, used: 400 },
    payouts: { limit: 10_000_000, used: 0 },
  },
  decisionTimes: {
    until: NOW,
    deposits: null,
    withdrawals: null,
    payouts: null,
    identity: null,
    messages: { decisions: 120, days: 90, medianMinutes: 180, p95Minutes: 600 },
  },
  custody: [{ asset: 'usdt', unit: 'micro-USDT', quantity: '100', valueUsd: 100 }],
  strategies: { paidIn: 0, value: 0 },
  liabilities: 90,
  debts: { amount: 40, investors: 1 },
  trialBalance: { debits: 90, credits: 90, balanced: true },
}

const HEALTH_ANSWER: OperatorHealth = {
  at: NOW,
  mail: {
    carried: true,
    waiting: 2,
    oldest: YESTERDAY,
    failing: [{ error: 'Resend answered 422', count: 2 }],
    failingSince: YESTERDAY,
  },
  cron: { at: NOW, work: [{ name: 'outbox', at: NOW, longestMs: 90, failedSince: null, error: null }] },
  checks: [{ name: 'schema', ok: true, finding: null, at: NOW }],
  market: [{ name: 'coins', source: 'sample', at: NOW }],
  strategies: [],
  signIns: {
    hours: [{ at: `${NOW.slice(0, 13)}:00:00.000Z`, cause: 'password', count: 3 }],
    locked: { accounts: 1, addresses: 0 },
  },
  operators: [],
}

test('the health page lists what needs attention, and one part that fails leaves the other', async ({
  open,
  allowFault,
}) => {
  allowFault(/500 \(Internal Server Error\)/)
  const page = await open(operatorSession('first'))
  const broken = { status: 500, json: { msg: 'Something went wrong.', code: 'internal' } }
  let isHealthBroken = true
  await page.route(HEALTH, (route) => route.fulfill(isHealthBroken ? broken : { json: HEALTH_ANSWER }))
  await page.route(OVERVIEW, (route) => route.fulfill({ json: OVERVIEW_ANSWER }))
  await page.clock.install()
  await page.goto('/operator/health')
  const needs = page.getByRole('region', { name: 'State of the platform' })
  await expect(needs.getByText('Longer than usual: messages')).toBeVisible()
  await expect(page.getByText('Something went wrong.')).toBeVisible()
  await expect(needs.getByText('All systems normal')).toBeHidden()

  isHealthBroken = false
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(needs.getByText('2 mails could not be delivered')).toBeVisible()
  await expect(needs.getByText(/Figures from .*, updated every minute/)).toBeVisible()
  await expectAccessible(page)
  const sent = page.waitForRequest('**/api/v1/operator/outbox/retry')
  await needs.getByRole('button', { name: 'Retry now' }).click()
  expect((await sent).method()).toBe('POST')
  await expect(page.getByRole('region', { name: 'Messages' }).getByText('tried')).toBeVisible()

  // A minute later the reload fails: the old figures stay and say so.
  isHealthBroken = true
  await page.clock.fastForward('01:10')
  await expect(needs.getByText('Newer ones could not be loaded')).toBeVisible()
  await expect(needs.getByText('2 mails could not be delivered')).toBeVisible()
})
