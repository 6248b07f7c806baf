import type { Receipt } from '../../src/contract/money/ownPayments.ts'
import { type Payment, type ProvedPayment, QUEUE_REASONS } from '../../src/contract/money/payments.ts'
import type { TransactionDetail } from '../../src/contract/money/transactions.ts'
import type { Wallet } from '../../src/contract/money/wallets.ts'
import { bitcoinPayment } from '../support/provedPayments.ts'
import { expectAccessible } from './support/accessibility.ts'
import { callApi, UNAVAILABLE } from './support/http.ts'
import { newInvestor } from './support/people.ts'
import { fillDepositForm } from './support/screens.ts'
import { expect, test } from './support/test.ts'

const REF = 'DEP-7K2M'
const PHONE = { width: 390, height: 844 }
const TOKEN = QUEUE_REASONS.token.investor
const RECEIPT: Receipt = {
  _id: 'receipt',
  network: 'eth',
  reference: `0x${'ab'.repeat(20)}@7`,
  address: `0x${'ab'.repeat(20)}`,
  quantity: '0.5',
  words: QUEUE_REASONS.internal.investor,
  seenAt: '2026-01-31T10:00:00.000Z',
  closedAt: null,
}

// No chain has servers in these tests, so the API's answers about own addresses are made up. The proof is a real one.
test('an investor pays to an own address without a receipt, follows the payment and checks its proof', async ({
  open,
  allowFault,
}) => {
  allowFault(/status of 503/)
  const { session } = await newInvestor()
  const payment = bitcoinPayment()
  const page = await open(session, { viewport: PHONE })
  const [sample] = await callApi<Wallet[]>('GET', '/admin-wallets', { token: session.token })
  const wallet: Wallet = {
    _id: 'own-btc',
    walletName: 'bitcoin',
    type: 'bitcoin',
    network: 'btc',
    address: payment.address,
    image: sample?.image ?? '',
    simulated: false,
    own: true,
  }
  await page.route('**/api/v1/admin-wallets*', (route) => route.fulfill({ json: [wallet] }))
  let payments: Payment[] = []
  let fails = true
  await page.route(/\/api\/v1\/payments(?:\?|$)/, (route) =>
    fails ? route.fulfill(UNAVAILABLE) : route.fulfill({ json: payments }),
  )
  let receipts: Receipt[] = []
  await page.route(/\/api\/v1\/payments\/receipts/, (route) => route.fulfill({ json: receipts }))
  await page.route('**/api/v1/payments/check', (route) => {
    payments = [confirming(payment)]
    receipts = [RECEIPT, { ...RECEIPT, _id: 'token', network: null, quantity: null, words: TOKEN }]
    return route.fulfill({ json: { msg: 'We looked, and found a payment.' } })
  })
  await page.route('**/api/v1/deposits', (route) =>
    route.fulfill({
      status: 201,
      json: {
        msg: 'Announced.',
        ref: REF,
        _id: 'deposit',
        quote: { quantity: '0.01', rate: '64200', until: '2026-01-31T10:30:00.000Z' },
      },
    }),
  )
  await page.goto('/dashboard/deposit')
  const own = page.getByRole('region', { name: 'Your payments' })
  await expect(own.getByRole('alert')).toContainText('We cannot answer right now.')
  fails = false
  await own.getByRole('button', { name: 'Try again' }).click()
  await expect(own.getByText('No payment seen yet.')).toBeVisible()

  await fillDepositForm(page, 'Bitcoin', '642')
  await expect(page.getByText('Your own address, Bitcoin')).toBeVisible()
  await expect(page.getByText(/it keeps this price for 30 minutes/)).toBeVisible()
  await expect(page.getByText('≈')).toHaveCount(0)
  await expect(page.getByLabel('Receipt', { exact: true }).or(page.getByLabel('Transaction ID'))).toHaveCount(
    0,
  )
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Send Deposit Request' }).click()
  const announced = page.getByRole('dialog', { name: 'Deposit Request Completed' })
  await expect(announced.getByText('It awaits your payment to your own address.')).toBeVisible()
  await expect(announced).not.toContainText('awaiting approval')
  await expect(announced.getByRole('button', { name: 'Copy quantity to pay' })).toBeVisible()
  await expect(announced.locator('code', { hasText: payment.address })).toBeVisible()
  await expect(announced.getByText('the price when your payment is confirmed counts')).toBeVisible()
  await expectAccessible(page)
  await announced.getByRole('button', { name: 'Close' }).click()

  await own.getByRole('button', { name: 'I have paid' }).click()
  await expect(page.getByText('We looked, and found a payment.')).toBeVisible()
  await expect(own.getByText('0.01 BTC')).toBeVisible()
  await expect(own.getByRole('progressbar', { name: 'Confirmations' })).toHaveAttribute('value', /^0\.3/)
  await expect(own.getByText('Confirming: 1 of 3 blocks.')).toBeVisible()
  await expect(own.getByText('0.5 ETH')).toBeVisible()
  await expect(own.getByText(RECEIPT.words)).toBeVisible()
  await expect(own.getByText('Unknown token')).toBeVisible()
  await expectAccessible(page)

  let shown = payment
  await page.route(`**/api/v1/transaction-history/${REF}`, (route) =>
    route.fulfill({ json: creditedDeposit(shown) }),
  )
  await own.getByRole('link', { name: REF }).click()
  const dialog = page.getByRole('dialog', { name: 'Deposit' })
  await expect(
    dialog.getByText('The price of the request, because it was paid within 30 minutes'),
  ).toBeVisible()
  await dialog.getByRole('button', { name: 'Check the proof in this browser' }).click()
  await expect(dialog.getByText('The proof holds')).toBeVisible()
  await expect(dialog.getByText('The transaction pays this quantity to this address.')).toBeVisible()
  await expect(dialog.getByText('3 blocks in a row have the work that they claim.')).toBeVisible()
  await expectAccessible(page)

  // A server that shows another quantity than the proof is caught.
  shown = { ...payment, quantity: '0.02' }
  await page.reload()
  await dialog.getByRole('button', { name: 'Check the proof in this browser' }).click()
  await expect(dialog.getByRole('alert')).toContainText('The proof shows another quantity than this page.')
})

test('the history shows the transaction that pays a withdrawal and its confirmations', async ({ open }) => {
  const page = await open((await newInvestor()).session)
  const txid = 'ab'.repeat(32)
  const detail: TransactionDetail = {
    ...creditedDeposit(bitcoinPayment()),
    payment: undefined,
    trxType: 'withdrawal',
    status: 'approved',
    payout: { quantity: '0.01', rate: '64200', txid, confirmations: 1, needed: 3 },
  }
  await page.route(`**/api/v1/transaction-history/${REF}`, (route) => route.fulfill({ json: detail }))
  await page.goto(`/dashboard/transaction-history?open=${REF}`)
  const payout = page.getByRole('dialog').getByRole('region', { name: 'Payout' })
  await expect(payout.getByText('Confirming: 1 of 3 blocks.')).toBeVisible()
  await expect(payout.locator('code', { hasText: txid })).toBeVisible()
  await expectAccessible(page)
})

function confirming({ proof: _proof, ...payment }: ProvedPayment): Payment {
  return {
    ...payment,
    state: 'confirming',
    confirmations: 1,
    words: 'Confirming: 1 of 3 blocks.',
    amount: null,
    rate: null,
    rule: null,
    finalAt: null,
    creditedAt: null,
    deposit: { _id: 'deposit', ref: REF },
  }
}

function creditedDeposit(payment: ProvedPayment): TransactionDetail {
  const at = payment.seenAt
  return {
    _id: 'deposit',
    ref: REF,
    amount: 642,
    createdAt: at,
    trxType: 'deposit',
    status: 'approved',
    fee: 0,
    type: 'bitcoin',
    network: 'btc',
    paymentTo: payment.address,
    timeline: [{ at, status: 'pending' }],
    entries: [],
    payment,
  }
}
