import type { OperatorHealth } from '../../src/contract/console/health.ts'
import type { OperatorOverview } from '../../src/contract/console/overview.ts'
import { WORK_KIND_NAMES } from '../../src/contract/console/work.ts'
import type { WorkItem } from '../../src/contract/console/workItems.ts'
import { DAY_MS } from '../../src/time.ts'
import { expectAccessible } from './support/accessibility.ts'
import { operatorSession } from './support/people.ts'
import { expect, test } from './support/test.ts'

const OVERVIEW = '**/api/v1/operator/overview'
const HEALTH = '**/api/v1/operator/health'
const WORK = '**/api/v1/operator/work'
const NOW = new Date().toISOString()
const YESTERDAY = new Date(Date.parse(NOW) - DAY_MS - 60_000).toISOString()
const NOTHING = { count: 0, oldest: null, overdue: 0, targetHours: 24 }
const NO_WORK = Object.fromEntries(
  WORK_KIND_NAMES.map((kind) => [kind, NOTHING]),
) as OperatorOverview['waiting']

const OVERVIEW_ANSWER: OperatorOverview = {
  at: NOW,
  booksAt: NOW,
  waiting: { ...NO_WORK, message: { ...NOTHING, count: 3, oldest: YESTERDAY, overdue: 1 } },
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
  places: [],
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
  payoutsPausedSince: null,
  chains: { servers: [], queued: 0, undone: 0, unsearched: [] },
  lostKeys: [],
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
  await expect(needs.getByText('One case is overdue: a message that waits for 24 h')).toBeVisible()
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

test('the queues come first, and the rest of the health page is folded where it is in order', async ({
  open,
}) => {
  const page = await open(operatorSession('first'), { viewport: { width: 390, height: 844 } })
  const trialBalance = { debits: 90, credits: 80, balanced: false }
  const checks = [
    { name: 'ledger', ok: false, finding: 'Two transfers differ', at: NOW },
    ...HEALTH_ANSWER.checks,
  ]
  let [overview, health] = [OVERVIEW_ANSWER, HEALTH_ANSWER]
  await page.route(HEALTH, (route) => route.fulfill({ json: health }))
  await page.route(OVERVIEW, (route) => route.fulfill({ json: overview }))
  await page.goto('/operator/health')
  const queues = page.getByRole('region', { name: 'Waiting for operators' })
  await expect(queues.getByRole('row').nth(1)).toHaveText(/Messages.*3.*1/)
  await expect(queues.getByRole('row')).toHaveCount(2)
  const balance = page.getByRole('region', { name: 'Trial balance of the ledger' })
  await expect(balance.getByText('The books balance.').first()).toBeVisible()
  await expect(balance.getByText('Debits')).toBeHidden()
  const selfChecks = page.getByRole('region', { name: 'Self-checks' })
  await expect(selfChecks.getByText('1 of 1 without a problem.')).toBeVisible()
  await expect(selfChecks.getByRole('row')).toHaveCount(0)
  await expectAccessible(page)

  overview = { ...OVERVIEW_ANSWER, trialBalance }
  health = { ...HEALTH_ANSWER, checks }
  await page.reload()
  await expect(balance.getByText('Debits')).toBeVisible()
  await expect(selfChecks.getByRole('row').nth(1)).toHaveText(/Two transfers differ/)
  await expect(page.getByRole('region', { name: 'Cron and prices' }).getByRole('row')).toHaveCount(0)
})

test('once something was moved to an exchange, the health page shows where custody is', async ({ open }) => {
  const page = await open(operatorSession('first'))
  const treasury = { place: 'treasury', name: 'Treasury', isSimulated: false }
  const exchange = { place: 'kraken', name: 'Kraken', isSimulated: true }
  let { places } = OVERVIEW_ANSWER
  await page.route(HEALTH, (route) => route.fulfill({ json: HEALTH_ANSWER }))
  await page.route(OVERVIEW, (route) => route.fulfill({ json: { ...OVERVIEW_ANSWER, places } }))
  await page.goto('/operator/health')
  const panel = page.getByRole('region', { name: 'Where custody is' })
  await expect(page.getByRole('region', { name: 'Custody and liabilities' })).toBeVisible()
  await expect(panel).toBeHidden()

  places = [
    { ...treasury, asset: 'bitcoin', quantity: '1.5', held: '1.5' },
    { ...exchange, asset: 'bitcoin', quantity: '0.5', held: '0.61' },
  ]
  await page.reload()
  await panel.getByText('Treasury and Kraken').click()
  const rows = panel.getByRole('row')
  await expect(rows.nth(1)).toHaveText(/Treasury.*1\.5 BTC.*1\.5 BTC/)
  await expect(rows.nth(2)).toHaveText(/Kraken \(simulated\).*0\.5 BTC.*0\.61 BTC/)
  await expectAccessible(page)
})

const ITEM: WorkItem = {
  _id: 'deposit',
  kind: 'deposit',
  createdAt: YESTERDAY,
  dueAt: YESTERDAY,
  ref: 'DEP-1',
  person: 'Ana Torres',
  amount: 30,
  about: null,
  first: null,
  aboveLimit: false,
  assigned: null,
  waitsFor: 'you',
}

test('my work is in the order that it is due, with second approvals and payouts on top and the health in one line', async ({
  open,
}) => {
  const page = await open(operatorSession('first'))
  const items: WorkItem[] = [
    ITEM,
    { ...ITEM, _id: 'payout', kind: 'payout', ref: 'WDR-1', amount: 500 },
    { ...ITEM, _id: 'theirs', ref: 'DEP-2', waitsFor: 'others' },
    {
      ...ITEM,
      _id: 'second',
      kind: 'second_credit',
      ref: 'DEP-3',
      amount: 7200,
      aboveLimit: true,
      first: { _id: 'o', name: 'Otto' },
    },
    { ...ITEM, _id: 'message', kind: 'message', ref: null, amount: null, about: 'Hello', createdAt: NOW },
  ]
  await page.route(WORK, (route) => route.fulfill({ json: { at: NOW, items } }))
  await page.route(HEALTH, (route) =>
    route.fulfill({ json: { ...HEALTH_ANSWER, mail: { ...HEALTH_ANSWER.mail, failing: [], oldest: null } } }),
  )
  await page.route(OVERVIEW, (route) =>
    route.fulfill({
      json: { ...OVERVIEW_ANSWER, waiting: NO_WORK },
    }),
  )
  await page.goto('/operator')
  const panel = (name: string) => page.getByRole('region', { name })
  await expect(panel('First: second approvals and payouts due').getByRole('listitem')).toContainText([
    /^Pay \$500\.00/,
    /^Approve and credit \$7,200\.00.*approved by Otto/,
  ])
  await expect(panel('To do, most urgent first').getByRole('listitem')).toContainText([
    /^Credit \$30\.00.*overdue by \d+ \w+waits \d+ \w+/,
    /^Answer: Hello/,
  ])
  await expect(panel('To do, most urgent first').getByRole('heading', { level: 3 })).toHaveText([
    'Overdue (2)',
  ])
  // Only the count of other operators' work shows until it is opened.
  await expect(page.getByText('DEP-2')).toBeHidden()
  await expect(page.getByText('Waiting for other operators (1)')).toBeVisible()
  await expect(page.getByText('All systems normal.')).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/operator\/withdrawals\?status=approved&open=payout/)
})

test('filters narrow my work, the address keeps them, and a high risk comes first if asked for', async ({
  open,
}) => {
  const page = await open(operatorSession('first'))
  const risk = (level: 'high' | 'low', score: number) => ({ level, score, signals: [] })
  const items: WorkItem[] = [
    { ...ITEM, _id: 'low', ref: 'DEP-1', risk: risk('low', 5) },
    { ...ITEM, _id: 'high', ref: 'DEP-2', risk: risk('high', 90), createdAt: NOW },
    { ...ITEM, _id: 'message', kind: 'message', ref: 'MSG-1', about: 'Hello', createdAt: NOW },
  ]
  await page.route(WORK, (route) => route.fulfill({ json: { at: NOW, items } }))
  await page.goto('/operator')
  const list = page.getByRole('region', { name: /^To do/ }).getByRole('listitem')
  await expect(list).toContainText([/DEP-1/, /DEP-2.*High 90/, /MSG-1/])
  await page.getByRole('combobox', { name: 'Order' }).selectOption('Highest risk first')
  await expect(list).toContainText([/DEP-2/, /DEP-1/, /MSG-1/])
  await page.getByRole('combobox', { name: 'Kind of work' }).selectOption('Messages')
  await expect(list).toContainText([/MSG-1/])
  await expect(page).toHaveURL(/kind=message/)
  await page.getByRole('combobox', { name: 'Risk' }).selectOption('High risk')
  await expect(page.getByText('Nothing else matches these filters.')).toBeVisible()
  await page.goto('/operator?risk=high')
  await expect(list).toContainText([/DEP-2/])
  await expect(list).toHaveCount(1)

  await page.setViewportSize({ width: 390, height: 844 })
  await expect(page.getByRole('combobox', { name: 'Risk' })).toBeHidden()
  await page.getByRole('button', { name: 'Filters (1)' }).click()
  await page.getByRole('combobox', { name: 'Risk' }).selectOption('Any risk')
  await expect(list).toHaveCount(3)
})

test('a note for the next shift is written, and marked as read by a colleague', async ({ open }) => {
  const text = `The bank answers on Monday. ${Date.now()}`
  const first = await open(operatorSession('first'))
  await first.goto('/operator')
  await first.getByRole('button', { name: 'Write a note' }).click()
  await first.getByRole('button', { name: 'Hand over' }).click()
  await expect(first.getByText('Please write the note')).toBeVisible()
  await first.getByRole('textbox', { name: 'Note for the next shift' }).fill(text)
  await first.getByRole('button', { name: 'Hand over' }).click()
  await expect(first.getByRole('textbox')).toHaveCount(0)

  const second = await open(operatorSession('second'))
  await second.goto('/operator')
  const note = second.getByRole('article').filter({ hasText: text })
  await expect(note).toBeVisible()
  await expectAccessible(second)
  await second.getByRole('button', { name: /^Mark .*as read$/ }).click()
  await expect(second.getByText('You have read all notes.')).toBeVisible()
  await second.getByText('You have read all notes.').click()
  await expect(note).toContainText('Read by')
})
