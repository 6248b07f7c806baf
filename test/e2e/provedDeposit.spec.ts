import type { OperatorDeposit } from '../../src/contract/console/deposits.ts'
import type { OperatorPayment } from '../../src/contract/console/watchWallets.ts'
import { QUEUE_REASONS } from '../../src/contract/money/payments.ts'
import { bitcoinPayment } from '../support/provedPayments.ts'
import { expectAccessible } from './support/accessibility.ts'
import { UNAVAILABLE } from './support/http.ts'
import { operatorSession } from './support/people.ts'
import { valueFor } from './support/screens.ts'
import { expect, test } from './support/test.ts'

const AT = '2026-01-31T10:00:00.000Z'
const investor = { _id: 'investor', name: 'Ana Torres', email: 'ana@example.com' }
const payment = { ...bitcoinPayment(), state: 'final', amount: 6_420, words: 'Confirmed.' } as const

const listed: OperatorDeposit = {
  _id: 'deposit',
  ref: 'DEP-7K2M',
  investor,
  status: 'pending',
  createdAt: AT,
  amount: 6_400,
  asked: 6_400,
  type: 'bitcoin',
  network: 'btc',
  paymentTo: payment.address,
  txid: null,
  quantity: null,
  rate: null,
  reference: null,
  reason: null,
  steps: [],
  isProved: true,
  hasReceipt: false,
}

test('a proved deposit shows its payment in place of a receipt, and its credit takes only a confirmation', async ({
  open,
  allowFault,
}) => {
  allowFault(/status of 503/)
  const page = await open(operatorSession('first'))
  let deposit: OperatorDeposit = { ...listed, payment: null }
  await page.route('**/api/v1/operator/deposits?*', (route) => route.fulfill({ json: [listed] }))
  await page.route('**/api/v1/operator/deposits/deposit', (route) => route.fulfill({ json: deposit }))
  await page.route('**/api/v1/operator/investors/investor*', (route) => route.fulfill(UNAVAILABLE))
  await page.goto('/operator/deposits?open=deposit')
  const dialog = page.getByRole('dialog', { name: 'Deposit DEP-7K2M' })
  await expect(dialog.getByText('No payment seen')).toBeVisible()
  await expect(dialog.getByText('Nobody credits it by hand.')).toBeVisible()
  await expect(dialog.getByRole('textbox')).toHaveCount(0)

  deposit = {
    ...deposit,
    payment,
    alone: {
      limit: 5_000,
      used: 0,
      day: { limit: 50_000, used: 0 },
      needsTwo: true,
      reasons: ['proved'],
    },
  }
  await page.reload()
  await expect(valueFor(dialog, 'Arrived')).toHaveText('0.01 BTC')
  await dialog.getByRole('button', { name: 'Check the proof in this browser' }).click()
  await expect(dialog.getByText('The proof holds')).toBeVisible()
  await expect(dialog.getByRole('img', { name: /Receipt/ })).toHaveCount(0)
  await expect(dialog.getByRole('textbox', { name: 'Transaction id on the network' })).toHaveCount(0)
  await expectAccessible(page)
  const sent: unknown[] = []
  await page.route('**/api/v1/operator/deposits/deposit/approve', (route) => {
    sent.push(route.request().postDataJSON())
    const firstApproval = {
      by: 'Sample Operator',
      byId: 'first',
      at: AT,
      amount: 6_420,
      reference: payment.reference,
      hasQuantity: true,
    }
    return route.fulfill({ status: 202, json: { ...deposit, awaiting: 'second_operator', firstApproval } })
  })
  await dialog.getByRole('button', { name: 'Propose credit of $6,420.00' }).click()
  await expect(dialog.getByText('Approved once. A second operator must approve it too')).toBeVisible()
  expect(sent).toEqual([{ note: '', internalNote: '' }])
})

test('payments that need a person are listed with what can be done', async ({ open, allowFault }) => {
  allowFault(/status of 503/)
  const page = await open(operatorSession('first'), { viewport: { width: 390, height: 844 } })
  const sent: unknown[] = []
  let dust: OperatorPayment = {
    _id: 'dust',
    network: 'btc',
    chain: 'bitcoin',
    reference: payment.reference,
    address: payment.address,
    investor,
    quantity: '0.00000546',
    contract: null,
    state: 'queued',
    reason: 'dust',
    words: QUEUE_REASONS.dust.operator,
    amount: 0.35,
    confirmations: 3,
    needed: 3,
    block: payment.block,
    createdAt: AT,
    deposit: { _id: 'deposit', ref: 'DEP-7K2M' },
    custody: '0.00000546 BTC',
    steps: [],
  }
  const token: OperatorPayment = {
    ...dust,
    _id: 'token',
    network: null,
    chain: 'ethereum',
    quantity: '25000000',
    contract: `0x${'fa'.repeat(20)}`,
    reason: 'token',
    words: QUEUE_REASONS.token.operator,
    amount: null,
    confirmations: null,
    needed: null,
    deposit: null,
  }
  let fails = true
  await page.route(/\/api\/v1\/operator\/payments/, (route) => {
    if (fails) return route.fulfill(UNAVAILABLE)
    const state = new URL(route.request().url()).searchParams.get('state')
    return route.fulfill({ json: state === null ? [dust] : state === 'unknown' ? [token] : [] })
  })
  await page.goto('/operator/payments')
  const list = page.getByRole('main')
  await expect(list.getByRole('alert')).toContainText('We cannot answer right now.')
  fails = false
  await list.getByRole('button', { name: 'Try again' }).click()
  await expect(list.getByText(QUEUE_REASONS.dust.operator)).toBeVisible()
  await expectAccessible(page)
  await list.getByRole('button', { name: /Ana Torres/ }).click()
  const opened = page.getByRole('dialog', { name: 'Payment on Bitcoin' })
  await expect(opened.getByText('What can be done')).toBeVisible()
  await expect(valueFor(opened, 'Worth')).toHaveText('$0.35')
  await expect(opened.getByRole('link', { name: 'DEP-7K2M' })).toHaveAttribute(
    'href',
    '/operator/deposits?status=&open=deposit',
  )
  await expectAccessible(page)
  await page.route('**/api/v1/operator/payments/dust/close', (route) => {
    sent.push(route.request().postDataJSON())
    const by = { _id: 'first', name: 'Sample Operator' }
    dust = {
      ...dust,
      steps: [{ step: 'handled', at: AT, by, note: 'It stays' }],
    }
    return route.fulfill({ json: dust })
  })
  await opened.getByRole('button', { name: 'Mark as handled' }).click()
  await opened.getByRole('textbox', { name: 'What was done' }).fill('It stays')
  await opened.getByRole('checkbox', { name: /add 0.00000546 BTC to custody/ }).check()
  await expect(opened.getByText('0.00000546 BTC is added to custody.')).toBeVisible()
  await opened.getByRole('button', { name: 'Save' }).click()
  // On a phone, the history of a case is folded.
  await opened.locator('summary').filter({ hasText: 'History' }).click()
  await expect(opened.getByText('It stays', { exact: true })).toBeVisible()
  expect(sent).toEqual([{ note: 'It stays', keep: true }])
  await opened.getByRole('button', { name: 'Close' }).last().click()

  await page.getByRole('radio', { name: 'Unknown tokens' }).check()
  await expect(list.getByText('25000000 units of an unknown token')).toBeVisible()
  await list.getByRole('button', { name: /Ana Torres/ }).click()
  const unknown = page.getByRole('dialog', { name: 'Payment on Ethereum' })
  await expect(unknown.getByText('Its name may be faked.')).toBeVisible()
  await expect(valueFor(unknown, 'Contract of the token')).toContainText(token.contract ?? '')
  await unknown.getByRole('button', { name: 'Close' }).first().click()
  await page.getByRole('radio', { name: 'Gone' }).check()
  await expect(list.getByText('No payments under “Gone”.')).toBeVisible()
})
