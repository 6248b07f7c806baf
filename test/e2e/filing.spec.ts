import type { Page } from '@playwright/test'
import { picture } from '../support/picture.ts'
import { expectAccessible } from './support/accessibility.ts'
import { callApi } from './support/http.ts'
import { newInvestor } from './support/people.ts'
import { BITCOIN_ADDRESS, confirmByMail, fillDepositForm } from './support/screens.ts'
import { expect, test } from './support/test.ts'

/** A transaction id with the `0x` that wallets show. */
const TXID = `0x${'5f'.repeat(32)}`
const PHONE = { width: 390, height: 844 }
const TRON_ADDRESS = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'
const CLIPBOARD = { permissions: ['clipboard-read', 'clipboard-write'] }

test('the deposit address needs a coin and an amount, and no failure loses the input', async ({
  open,
  allowFault,
}) => {
  allowFault(/status of 503/)
  const { session } = await newInvestor()
  const page = await open(session, { viewport: PHONE, ...CLIPBOARD })
  await page.route(
    '**/quotes?*',
    (route) => refuse(route, 503, 'There is no market price of the last hour.'),
    {
      times: 1,
    },
  )
  await page.goto('/dashboard/deposit')
  const network = page.getByRole('group', { name: 'Network' })
  const address = page.getByText(/^Wallet address, /)
  const code = page.getByRole('img', { name: 'QR code that says: Simulated. Send nothing.' })
  const receipt = page.getByLabel('Receipt', { exact: true })
  const amount = page.getByLabel('Amount in USD')

  await page.getByRole('radio', { name: 'USDT' }).check()
  await expect(network.or(address).or(code).or(receipt)).toHaveCount(0)
  await amount.fill('0')
  await expect(network.or(address).or(code).or(receipt)).toHaveCount(0)
  await amount.fill('1500.50')
  await expect(page.getByText(/No amount in USDT right now: There is no market price/)).toBeVisible()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText(/^.*1,500\.5 USDT$/)).toBeVisible()
  await expect(page.getByText(/\$1\.00 for 1 USDT, .+ of .+ \(just now\)/)).toBeVisible()
  // Each of the three networks has its own address, so none is preselected.
  await expect(receipt).toBeVisible()
  await expect(address.or(code)).toHaveCount(0)
  await page.getByRole('radio', { name: 'TRON (TRC-20)' }).check()
  await expect(address).toHaveText('Wallet address, TRON (TRC-20)')
  await expect(page.getByText('Send only USDT on the TRON (TRC-20) network to this address.')).toBeVisible()
  await expect(code).not.toHaveJSProperty('naturalWidth', 0)

  await page.getByRole('button', { name: 'Copy amount in USDT' }).click()
  await expect(page.getByRole('button', { name: 'Copied amount in USDT' })).toBeVisible()
  expect(await clipboardOf(page)).toBe('1500.5')
  await page.getByRole('button', { name: 'Copy wallet address' }).click()
  await expect(page.getByRole('button', { name: 'Copied wallet address' })).toBeVisible()
  expect(await clipboardOf(page)).toBe(await page.locator('code').first().textContent())

  await page.getByLabel('Transaction ID').fill(TXID)
  await receipt.setInputFiles(picture('receipt.png'))
  await amount.fill('')
  await expect(network.or(address).or(code).or(receipt)).toHaveCount(0)
  await amount.fill('20')
  await expect(address).toHaveText('Wallet address, TRON (TRC-20)')
  await expect(page.getByRole('button', { name: 'Remove receipt.png' })).toBeVisible()
  await page.getByRole('radio', { name: 'Ethereum', exact: true }).check()
  await expect(address).toHaveText('Wallet address, Ethereum')
  await expect(network).toHaveCount(0)
  await page.getByRole('radio', { name: 'USDT' }).check()
  await expect(network.getByRole('radio', { checked: true })).toHaveCount(0)
  await expect(address.or(code)).toHaveCount(0)
  await page.getByRole('radio', { name: 'BNB Smart Chain (BEP-20)' }).check()

  const send = page.getByRole('button', { name: 'Send Deposit Request' })
  for (const [status, msg] of [
    [409, 'You have 20 open requests of this kind.'],
    [429, 'Too many tries. Please wait a little and try again.'],
    [503, 'We cannot answer right now. Please try again shortly.'],
  ] as const) {
    await page.route('**/api/v1/deposits', (route) => refuse(route, status, msg), { times: 1 })
    await send.click()
    await expect(page.getByRole('region', { name: 'Messages' }).getByText(msg)).toBeVisible()
    await expect(amount).toHaveValue('20')
    await expect(page.getByLabel('Transaction ID')).toHaveValue(TXID)
    await expect(page.getByRole('button', { name: 'Remove receipt.png' })).toBeVisible()
  }
  await send.click()
  const completed = page.getByRole('dialog', { name: 'Deposit Request Completed' })
  await expect(completed.getByText('is awaiting approval')).toBeVisible()
  await completed.getByRole('button', { name: 'Close' }).click()
  await expect(page.getByText('An open deposit of $20.00 is not credited yet.')).toBeVisible()
  await expect(amount).toHaveValue('')
  await expect(address.or(receipt)).toHaveCount(0)
  const [filed] = await callApi<object[]>('GET', '/transaction-history', { token: session.token })
  expect(filed).toMatchObject({ amount: 20, type: 'usdt', network: 'usdt-bsc', status: 'pending' })
})

test('a withdrawal form resets with another method, and checks the address as it is typed', async ({
  open,
}) => {
  const { email, session } = await newInvestor({ available: 150.75 })
  const page = await open(session, { viewport: PHONE, ...CLIPBOARD })
  await page.goto('/dashboard/withdrawal')
  const amount = page.getByLabel('Amount in USD')
  const address = page.getByLabel('Withdrawal address')
  await page.getByRole('button', { name: 'Withdraw all' }).click()
  await expect(amount).toHaveValue('150.75')
  await amount.fill('150.76')
  await expect(amount).toHaveAccessibleDescription(/That is more than what is available\./)
  await amount.fill('120.50')
  await expect(amount).not.toHaveAttribute('aria-invalid')

  await page.getByRole('radio', { name: 'USDT' }).check()
  const networks = page.getByRole('group', { name: 'Network' }).getByRole('radio')
  await expect(networks).toHaveCount(3)
  await page.getByRole('radio', { name: 'BNB Smart Chain (BEP-20)' }).check()
  await address.fill(TRON_ADDRESS)
  await expect(address).not.toHaveAttribute('aria-invalid')
  await address.blur()
  await expect(address).toHaveAccessibleDescription(
    /This is an address of TRON \(TRC-20\), not of BNB Smart Chain \(BEP-20\)/,
  )
  await page.getByRole('radio', { name: 'TRON (TRC-20)' }).check()
  await expect(address).not.toHaveAttribute('aria-invalid')
  await expect(address).toHaveAccessibleDescription(
    /Please compare it: TJRa bPrw bZy4 5sba vfcj inPJ C18k jpRT v8/,
  )
  await address.fill(TRON_ADDRESS.replace('8', '9'))
  await expect(address).toHaveAccessibleDescription(/mistyped: its checksum does not match/)
  await page.getByRole('radio', { name: 'Ethereum', exact: true }).check()
  await expect(networks).toHaveCount(0)
  await page.getByRole('radio', { name: 'USDT' }).check()
  await expect(
    page.getByRole('group', { name: 'Network' }).getByRole('radio', { checked: true }),
  ).toHaveCount(0)

  await page.getByRole('radio', { name: 'Online Service Withdrawal' }).check()
  await expect(page.getByLabel('Bank name')).toBeVisible()
  await expect(amount).toHaveValue('')
  await amount.fill('3')
  await page.getByRole('radio', { name: 'Crypto' }).check()
  await expect(amount).toHaveValue('')
  await expect(address).toHaveValue('')
  await expect(page.getByRole('group', { name: 'Coin' }).getByRole('radio', { checked: true })).toHaveCount(0)
  await expect(networks).toHaveCount(0)

  await amount.fill('120.50')
  await page.getByRole('radio', { name: 'Bitcoin' }).check()
  await address.fill(BITCOIN_ADDRESS)
  await page.route('**/api/v1/withdrawals', (route) => refuse(route, 429, 'Too many tries. Please wait.'), {
    times: 1,
  })
  await page.getByRole('button', { name: 'Send Withdrawal Request' }).click()
  await expect(page.getByText('Too many tries. Please wait.')).toBeVisible()
  await expect(amount).toHaveValue('120.50')
  await expect(address).toHaveValue(BITCOIN_ADDRESS)
  await page.getByRole('button', { name: 'Send Withdrawal Request' }).click()
  await confirmByMail(page, email)
  const completed = page.getByRole('dialog', { name: 'Withdrawal Request Completed' })
  await expect(completed.getByRole('link', { name: 'Transaction History' })).toBeVisible()
  await completed.getByRole('button', { name: 'Close' }).click()
  await expect(page.getByText('Available: $30.25')).toBeVisible()
  await expect(page.getByText('$120.50 is held for an open withdrawal.')).toBeVisible()
})

test('the bank form is filled in, corrected and sent by keyboard alone', async ({ open }) => {
  const { email, session } = await newInvestor({ available: 80 })
  const page = await open(session)
  await page.goto('/dashboard/withdrawal')
  await page.getByRole('radio', { name: 'Crypto' }).focus()
  await page.keyboard.press('ArrowDown')
  const amount = page.getByLabel('Amount in USD')
  await expect(page.getByLabel('Bank name')).toBeVisible()
  await expect(page.getByRole('radio', { name: 'Online Service Withdrawal' })).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(amount).toBeFocused()
  await page.keyboard.type('40')
  await page.keyboard.press('Enter')
  // Every missing field is reported, and the first has the focus.
  const iban = page.getByLabel('IBAN')
  await expect(iban).toBeFocused()
  await expect(page.locator('[aria-invalid="true"]')).toHaveCount(2)
  await page.keyboard.type('CH93 0076 2011 6238 5295 7')
  await page.keyboard.press('Tab')
  await expect(page.getByLabel('Bank name')).toBeFocused()
  await page.keyboard.type('First Harbour Bank')
  await expect(page.locator('[aria-invalid="true"]')).toHaveCount(0)
  const sent = page.waitForRequest('**/api/v1/withdrawals/online-service')
  await page.keyboard.press('Enter')
  // What nobody asked for is not sent.
  expect(Object.keys((await sent).postDataJSON()).toSorted()).toEqual([
    ...['accountHolderName', 'accountNumber', 'amount', 'bankName', 'country', 'withdrawalMethod'],
  ])
  await expect(page.getByRole('dialog', { name: 'Confirm this withdrawal' })).toContainText(
    '••••2957 at First Harbour Bank, held by Ana Torres',
  )
  await confirmByMail(page, email)
  await expect(page.getByRole('dialog', { name: 'Withdrawal Request Completed' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByText('Available: $40.00')).toBeVisible()
})

test('obstacles to a deposit or withdrawal are shown before anything is typed', async ({
  open,
  allowFault,
}) => {
  allowFault(/status of 503/)
  const { session } = await newInvestor({ kyc: 'rejected' })
  const page = await open(session, { viewport: PHONE })
  await page.goto('/dashboard/deposit')
  await expect(page.getByText('Please verify your identity again')).toBeVisible()
  await fillDepositForm(page, 'Bitcoin', '20')
  // No address before an approved identity, and one way on, which loses nothing.
  const main = page.getByRole('main')
  await expect(main.getByText(/^Wallet address/)).toHaveCount(0)
  await expect(main.getByRole('button', { name: 'Send Deposit Request' })).toHaveCount(0)
  await main.getByRole('link', { name: 'Verify your identity' }).click()
  await expect(page).toHaveURL('/dashboard/kyc')
  await page.goBack()
  await expect(page.getByRole('radio', { name: 'Bitcoin' })).toBeChecked()
  await expect(page.getByLabel('Amount in USD')).toHaveValue('20')
  await expectAccessible(page)

  const limits = await callApi<object>('GET', '/limits', { token: session.token })
  const bounds = { minimum: 50, open: 20, pending: 9_999_999.99 }
  const openWithLimits = async (changes: object, path: string) => {
    await page.unroute('**/limits')
    await page.route('**/limits', (route) => route.fulfill({ json: { ...limits, ...changes } }))
    await page.goto(path)
  }
  await openWithLimits({ frozen: true }, '/dashboard/withdrawal')
  await expect(page.getByText('Your account is frozen')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Write to support' })).toBeVisible()
  await openWithLimits({ identity: 'approved' }, '/dashboard/withdrawal')
  await expect(page.getByText('There is nothing to withdraw right now')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Withdraw all' })).toBeDisabled()
  await openWithLimits({ identity: 'approved', deposits: bounds }, '/dashboard/deposit')
  await expect(page.getByText('You have as many open deposits as there can be')).toBeVisible()
  await expect(page.getByText('20 open deposits, $9,999,999.99 in all, are not credited yet.')).toBeVisible()
  await fillDepositForm(page, 'Bitcoin', '49.99')
  const amount = page.getByLabel('Amount in USD')
  await amount.blur()
  await expect(amount).toHaveAccessibleDescription(/^The smallest deposit is \$50\.00 /)
  await expect(page.getByText(/^Wallet address/)).toHaveCount(0)

  // If the limits fail to load, the form stays usable: the server checks them.
  await page.unroute('**/limits')
  await page.route('**/limits', (route) => refuse(route, 503, 'We cannot answer right now.'))
  await page.route('**/admin-wallets', (route) => route.fulfill({ json: [] }))
  await page.goto('/dashboard/deposit')
  await expect(page.getByText('There is no wallet to pay to right now')).toBeVisible()
})

function refuse(
  route: Parameters<Parameters<Page['route']>[1]>[0],
  status: number,
  msg: string,
): Promise<void> {
  return route.fulfill({ status, json: { msg, code: 'made_up' } })
}

function clipboardOf(page: Page): Promise<string> {
  return page.evaluate(() => navigator.clipboard.readText())
}
