import type { Page, Route } from '@playwright/test'
import { largePicture, picture } from '../support/picture.ts'
import { callApi, holdRequests, SERVER_ERROR } from './support/http.ts'
import { codeIn, mailsTo, waitForMail } from './support/mailbox.ts'
import { newAddress, newInvestor, PASSWORD } from './support/people.ts'
import {
  BANK_TEXTS,
  BITCOIN_ADDRESS,
  confirmByMail,
  fillBankForm,
  fillDepositForm,
  showFullBankForm,
  withdrawBitcoin,
} from './support/screens.ts'
import { expect, test } from './support/test.ts'

const SIGN_UP = {
  'Full name': 'Please enter your fullname',
  Email: 'Email is required',
  'Phone number': 'Phone number is required',
  Country: 'Please select your country',
  Password: 'Password is required',
  'Confirm password': 'Confirm Password is required',
  'I am 18 or older': 'Please confirm that you are 18 or older and accept the terms',
}

test.describe('signing up', () => {
  test('reports every missing field and focuses the first', async ({ page }) => {
    await page.goto('/sign-up')
    await page.getByRole('button', { name: 'Create an account' }).click()
    await expectErrors(page, SIGN_UP)
    await expect(page.getByLabel('Full name')).toBeFocused()
  })

  test('reports wrong fields until they are corrected', async ({ page }) => {
    await page.goto('/sign-up')
    await fillSignUp(page, 'not an address')
    await page.getByLabel('Phone number').fill('0041 (0)79-12')
    await page.getByLabel('Password', { exact: true }).fill('short')
    await page.getByRole('button', { name: 'Create an account' }).click()
    await expectErrors(page, {
      Email: 'Provide a valid email',
      'Phone number': 'Invalid phone number',
      Password: 'Please use at least 8 characters',
      'Confirm password': 'Passwords must match',
    })
    await expect(page.getByLabel('Email')).toBeFocused()
    await page.getByLabel('Email').fill('ana@example.com')
    await expect(page.getByText('Provide a valid email')).toHaveCount(0)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await expect(page.getByText('Passwords must match')).toHaveCount(0)
    await expect(page.getByLabel('Phone number')).toHaveAttribute('aria-invalid', 'true')
  })

  test('refuses a common password', async ({ page }) => {
    await page.goto('/sign-up')
    await fillSignUp(page, newAddress())
    await page.getByLabel('Password', { exact: true }).fill('password1')
    await page.getByLabel('Confirm password', { exact: true }).fill('password1')
    await page.getByRole('button', { name: 'Create an account' }).click()
    await expectErrors(page, {
      Password: 'That password is one of the most common ones. Please choose another',
    })
    await expect(page.getByLabel('Password', { exact: true })).toBeFocused()
  })

  test('keeps the input when the server refuses, with the reason beside the field', async ({ page }) => {
    await page.goto('/sign-up?ref=nobody-has-this')
    const email = newAddress()
    await fillSignUp(page, email)
    await page.getByRole('button', { name: 'Create an account' }).click()
    const referral = page.getByLabel('Referral ID')
    await expect(referral).toHaveAttribute('aria-invalid', 'true')
    await expect(referral).toBeFocused()
    await expect(page.getByLabel('Email')).toHaveValue(email)
    await expect(page.getByLabel('Password', { exact: true })).toHaveValue(PASSWORD)
    await expect(page.getByRole('checkbox')).toBeChecked()
    await referral.fill('')
    await page.getByRole('button', { name: 'Create an account' }).click()
    await expect(page).toHaveURL('/check-email')
  })

  test('survives a lost connection', async ({ page, allowFault }) => {
    allowFault(/net::ERR_FAILED/)
    await page.goto('/sign-up')
    const email = newAddress()
    await fillSignUp(page, email)
    await page.route('**/auth/register', (route) => route.abort(), { times: 1 })
    await page.getByRole('button', { name: 'Create an account' }).click()
    await expect(page.getByText('We could not reach the server.')).toBeVisible()
    await expect(page.getByLabel('Email')).toHaveValue(email)
    await page.getByRole('button', { name: 'Create an account' }).click()
    await expect(page).toHaveURL('/check-email')
    await expect(page.getByText(email)).toBeVisible()
  })

  test('gives the same answer for an address that has an account, and mails its owner', async ({ page }) => {
    const { email } = await newInvestor({ kyc: 'none' })
    await page.goto('/sign-up')
    await fillSignUp(page, email)
    await page.getByRole('button', { name: 'Create an account' }).click()
    await expect(page).toHaveURL('/check-email')
    await expect.poll(async () => (await mailsTo(email))[0]?.subject).toBe('You already have an account')
  })
})

test('signing in says what is missing or wrong', async ({ page }) => {
  await page.goto('/sign-in')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expectErrors(page, { Email: 'Email is required', Password: 'Password is required' })
  await expect(page.getByLabel('Email')).toBeFocused()
  await page.getByLabel('Email').fill('ana@')
  await page.getByLabel('Password', { exact: true }).fill('whatever-it-was')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expectErrors(page, { Email: 'Provide a valid email' })
})

test('signing in survives a lost connection', async ({ page, allowFault }) => {
  allowFault(/net::ERR_FAILED/)
  const { email } = await newInvestor({ kyc: 'none' })
  await page.goto('/sign-in')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.route('**/auth/login', (route) => route.abort(), { times: 1 })
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByText('We could not reach the server.')).toBeVisible()
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page).toHaveURL('/dashboard/overview')
})

test('asking for a reset link needs an address', async ({ page }) => {
  await page.goto('/forgot-password')
  await page.getByRole('button', { name: 'Request Reset Link' }).click()
  await expectErrors(page, { Email: 'Email is required' })
  await expect(page.getByLabel('Email')).toBeFocused()
  await page.getByLabel('Email').fill('ana at example.com')
  await page.getByRole('button', { name: 'Request Reset Link' }).click()
  await expectErrors(page, { Email: 'Provide a valid email' })
})

test('a new password is asked for twice', async ({ page }) => {
  await page.goto('/change-password?email=ana%40example.com&token=some-token')
  await page.getByRole('button', { name: 'Change Password' }).click()
  await expectErrors(page, {
    'New password': 'Password is required',
    'Confirm new password': 'Confirm Password is required',
  })
  await expect(page.getByLabel('New password', { exact: true })).toBeFocused()
  await page.getByLabel('New password', { exact: true }).fill(PASSWORD)
  await page.getByLabel('Confirm new password').fill('another-one-entirely')
  await page.getByRole('button', { name: 'Change Password' }).click()
  await expectErrors(page, { 'Confirm new password': 'Passwords must match' })
})

test.describe('a deposit', () => {
  test('says what is missing, first the coin and the amount, then the rest', async ({ open }) => {
    const { session } = await newInvestor()
    const page = await open(session)
    await page.goto('/dashboard/deposit')
    await page.getByRole('button', { name: 'Send Deposit Request' }).click()
    await expect(page.getByRole('group', { name: 'Coin' })).toContainText('Please choose a coin')
    await expect(page.getByRole('radio', { name: 'Bitcoin' })).toBeFocused()
    await expectErrors(page, { 'Amount in USD': 'Please input deposit amount in USD' })
    await expect(page.getByText('Please upload the receipt of your payment')).toHaveCount(0)
    await fillDepositForm(page, 'USDT', '1,500.123')
    await page.getByRole('button', { name: 'Send Deposit Request' }).click()
    await expectErrors(page, { 'Amount in USD': /above zero, with at most two decimals/ })
    await page.getByLabel('Amount in USD').fill('1.500')
    await page.getByRole('button', { name: 'Send Deposit Request' }).click()
    await expectErrors(page, { 'Amount in USD': 'Please choose the amount that you mean' })
    await page.getByRole('button', { name: '$1,500.00' }).click()
    await expect(page.getByLabel('Amount in USD')).toHaveValue('1500')
    await page.getByLabel('Amount in USD').fill(' 1 500,50 ')
    await expect(page.getByText('We read this as $1,500.50')).toBeVisible()
    await page.getByRole('button', { name: 'Send Deposit Request' }).click()
    await expect(page.getByRole('group', { name: 'Network' })).toContainText('Please choose a network')
    await expectErrors(page, { Receipt: 'Please upload the receipt of your payment' })
  })

  test('accepts one picture of the listed types', async ({ open }) => {
    test.setTimeout(120_000)
    const { session } = await newInvestor()
    const page = await open(session)
    await page.goto('/dashboard/deposit')
    await fillDepositForm(page, 'Bitcoin', '20')
    const receipt = page.getByLabel('Receipt', { exact: true })
    const text = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('no picture') }
    await receipt.setInputFiles(text)
    await expectErrors(page, { Receipt: 'Please choose a PNG, GIF, JPEG, SVG, WebP or AVIF picture' })
    await receipt.setInputFiles({ ...text, mimeType: 'image/png', buffer: Buffer.alloc(0) })
    await expectErrors(page, { Receipt: 'This file is empty. Please choose another one' })
    // A busy machine takes long to hand so much over to the browser.
    await receipt.setInputFiles(
      { ...text, mimeType: 'image/png', buffer: Buffer.alloc(8 * 1024 * 1024 + 1) },
      { timeout: 60_000 },
    )
    await expectErrors(page, { Receipt: 'This file is larger than 8 MB. Please choose a smaller one' })
    // A file that the browser accepts as a picture and the server does not.
    await receipt.setInputFiles({ ...text, name: 'notes.png', mimeType: 'image/png' })
    await page.getByRole('button', { name: 'Send Deposit Request' }).click()
    await expect(receipt).toHaveAttribute('aria-invalid', 'true')
    await expect(page.getByRole('radio', { name: 'Bitcoin' })).toBeChecked()
    await expect(page.getByLabel('Amount in USD')).toHaveValue('20')
    await page.getByRole('button', { name: 'Remove notes.png' }).click()
    // A picture that is too large is made smaller in the browser.
    await receipt.setInputFiles(largePicture('photograph.png', 8.5), { timeout: 60_000 })
    await expect(page.getByText('made smaller from 8.5 MB')).toBeVisible()
    await page.getByRole('button', { name: 'Send Deposit Request' }).click()
    await expect(page.getByRole('dialog', { name: 'Deposit Request Completed' })).toBeVisible()
  })

  test('shows the upload progress of its receipt, and is not sent twice', async ({ open }) => {
    const { session } = await newInvestor()
    const page = await open(session)
    await page.goto('/dashboard/deposit')
    await fillDepositForm(page, 'Bitcoin', '33')
    await page.getByLabel('Receipt', { exact: true }).setInputFiles(picture('receipt.png'))
    const release = await holdRequests(page, '**/api/v1/deposits')
    const send = page.getByRole('button', { name: 'Send Deposit Request' })
    await send.click()
    await expect(page.getByRole('progressbar', { name: 'Sending Receipt' })).toBeVisible()
    await expect(send).toHaveAttribute('aria-busy', 'true')
    await send.press('Enter')
    release()
    await expect(page.getByRole('dialog', { name: 'Deposit Request Completed' })).toBeVisible()
    expect(await amountsOf(session.token)).toEqual([33])
  })

  test('whose answer was lost is filed once, however often it is sent', async ({ open, allowFault }) => {
    allowFault(/net::ERR_FAILED/)
    const { session } = await newInvestor()
    const page = await open(session)
    await page.goto('/dashboard/deposit')
    await fillDepositForm(page, 'Ethereum', '75.25')
    await page.getByLabel('Receipt', { exact: true }).setInputFiles(picture('receipt.png'))
    await page.route('**/api/v1/deposits', loseAnswer, { times: 1 })
    await page.getByRole('button', { name: 'Send Deposit Request' }).click()
    await expect(page.getByText('We could not reach the server.')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Remove receipt.png' })).toBeVisible()
    await expect(page.getByLabel('Amount in USD')).toHaveValue('75.25')
    await page.getByRole('button', { name: 'Send Deposit Request' }).click()
    await expect(page.getByRole('dialog', { name: 'Deposit Request Completed' })).toBeVisible()
    expect(await amountsOf(session.token)).toEqual([75.25])
  })

  test('without an approved identity is refused with the reason', async ({ open, allowFault }) => {
    allowFault(/status of 503/)
    const { session } = await newInvestor({ kyc: 'none' })
    const page = await open(session)
    // Without the limits the form cannot tell in advance, so the server refuses.
    await page.route('**/limits', (route) =>
      route.fulfill({ status: 503, json: { msg: '', code: 'made_up' } }),
    )
    await page.goto('/dashboard/deposit')
    await fillDepositForm(page, 'Bitcoin', '20')
    await page.getByLabel('Receipt', { exact: true }).setInputFiles(picture('receipt.png'))
    await page.getByRole('button', { name: 'Send Deposit Request' }).click()
    await expect(page.getByRole('alert')).toContainText('Please verify your identity first')
    await expect(page.getByLabel('Amount in USD')).toHaveValue('20')
  })
})

test.describe('a withdrawal', () => {
  test('by cryptocurrency says what is missing or wrong', async ({ open }) => {
    const { session } = await newInvestor({ available: 50 })
    const page = await open(session)
    await page.goto('/dashboard/withdrawal')
    await page.getByRole('button', { name: 'Send Withdrawal Request' }).click()
    await expectErrors(page, {
      'Amount in USD': 'Please input withdrawal amount in USD',
      'Withdrawal address': 'Please provide withdrawal address',
    })
    await expect(page.getByRole('group', { name: 'Coin' })).toContainText('Please choose a coin')
    await expect(page.getByLabel('Amount in USD')).toBeFocused()
    await page.getByRole('radio', { name: 'USDT' }).check()
    await expect(page.getByRole('radio', { name: 'TRON (TRC-20)' })).not.toBeChecked()
    // A payment link. Its address is taken once its network is chosen.
    await page.getByLabel('Withdrawal address').fill(` bitcoin:${BITCOIN_ADDRESS}?amount=0.01`)
    await page.getByRole('radio', { name: 'TRON (TRC-20)' }).check()
    await expect(page.getByLabel('Withdrawal address')).toHaveAttribute('aria-invalid', 'true')
    await page.getByRole('radio', { name: 'Bitcoin' }).check()
    await expect(page.getByRole('radio', { name: 'TRON (TRC-20)' })).toHaveCount(0)
    await page.getByLabel('Amount in USD').fill('50.01')
    await page.getByRole('button', { name: 'Send Withdrawal Request' }).click()
    await expectErrors(page, { 'Amount in USD': 'That is more than what is available.' })
    await expect(page.getByLabel('Amount in USD')).toBeFocused()
    await expect(page.getByLabel('Withdrawal address')).toHaveValue(BITCOIN_ADDRESS)
  })

  test('to a bank says what is missing, field by field', async ({ open }) => {
    const { session } = await newInvestor({ available: 50 })
    const page = await open(session)
    await page.goto('/dashboard/withdrawal')
    await page.getByRole('radio', { name: 'Online Service Withdrawal' }).check()
    // What is known is filled in, and the country of the profile has IBANs.
    const send = page.getByRole('button', { name: 'Send Withdrawal Request' })
    await send.click()
    await expectErrors(page, {
      'Amount in USD': 'Please input withdrawal amount in USD',
      IBAN: 'Please provide IBAN',
      'Bank name': 'Please provide bank name',
    })
    await expect(page.getByLabel('Account holder name')).toHaveValue('Ana Torres')
    await page.getByLabel('IBAN').fill('CH93 0076 2011 6238 5295 8')
    await page.getByLabel('IBAN').blur()
    await expectErrors(page, { IBAN: 'This IBAN is mistyped: its checksum does not match' })
    const country = page.getByLabel('Country of the bank')
    await country.selectOption('United States')
    await page.getByLabel('Routing number').fill('021000022')
    await page.getByLabel('Routing number').blur()
    await expectErrors(page, { 'Routing number': 'This is not a routing number' })
    await country.selectOption('United Kingdom')
    await expect(page.getByLabel('Sort code')).toBeVisible()

    // In the full form, every field of the specification is asked for.
    await country.selectOption('South Africa')
    await showFullBankForm(page)
    for (const label of Object.keys(BANK_TEXTS))
      await page.getByRole('textbox', { name: label, exact: true }).fill('')
    await page.getByLabel('Account type').selectOption('')
    await send.click()
    const labels = [...Object.keys(BANK_TEXTS), 'Title', 'Account type']
    await expectErrors(page, {
      'Amount in USD': 'Please input withdrawal amount in USD',
      ...Object.fromEntries(labels.map((label) => [label, `Please provide ${label.toLowerCase()}`])),
    })
    await expect(page.getByLabel('Amount in USD')).toBeFocused()
    await page.getByRole('radio', { name: 'Crypto' }).check()
    await page.getByRole('radio', { name: 'Online Service Withdrawal' }).check()
    await expect(page.getByText('Please provide surname')).toHaveCount(0)
  })

  test('whose answer was lost is filed once, and a wrong code can be corrected', async ({
    open,
    allowFault,
  }) => {
    allowFault(/net::ERR_FAILED/)
    const { email, session } = await newInvestor({ available: 100 })
    const page = await open(session)
    await page.goto('/dashboard/withdrawal')
    await fillBankForm(page, '30')
    await page.getByRole('button', { name: 'Send Withdrawal Request' }).click()
    const dialog = page.getByRole('dialog', { name: 'Confirm this withdrawal' })
    await expect(dialog.getByText('$30.00')).toBeVisible()
    await expect(dialog.getByText('••••5566')).toBeVisible()
    const code = dialog.getByRole('textbox', { name: 'Code' })
    await expect(code).toBeFocused()
    await dialog.getByRole('button', { name: 'Confirm Withdrawal' }).click()
    await expect(code).toHaveAccessibleDescription(/Please enter the code/)
    await code.fill('000000')
    await dialog.getByRole('button', { name: 'Confirm Withdrawal' }).click()
    await expect(code).toHaveAccessibleDescription(/That code is wrong, was used already or has expired\./)
    await page.route('**/withdrawals/online-service', loseAnswer, { times: 1 })
    await confirmByMail(page, email)
    await expect(dialog.getByText('We could not reach the server.')).toBeVisible()
    await dialog.getByRole('button', { name: 'Confirm Withdrawal' }).click()
    await expect(page.getByRole('dialog', { name: 'Withdrawal Request Completed' })).toBeVisible()
    expect(await amountsOf(session.token, 'online-service-withdrawal')).toEqual([30])
  })

  test('can be confirmed with the code of a second mail', async ({ open }) => {
    const { email, session } = await newInvestor({ available: 100 })
    const page = await open(session)
    await page.goto('/dashboard/withdrawal')
    await withdrawBitcoin(page, '60')
    const dialog = page.getByRole('dialog', { name: 'Confirm this withdrawal' })
    await dialog.getByRole('button', { name: 'Send a new code' }).click()
    await expect(dialog.getByText('A new code was sent.')).toBeVisible()
    const code = codeIn(await waitForMail(email, /^Confirm your withdrawal$/, 1))
    // A keyboard may have other digits.
    const typed = code.replace(/\d/g, (digit) => '٠١٢٣٤٥٦٧٨٩'[Number(digit)] ?? '')
    await dialog.getByRole('textbox', { name: 'Code' }).fill(typed)
    await dialog.getByRole('button', { name: 'Confirm Withdrawal' }).click()
    await expect(page.getByRole('dialog', { name: 'Withdrawal Request Completed' })).toBeVisible()
  })
})

test.describe('an identity document', () => {
  test('is asked for, and must be a picture', async ({ open }) => {
    const { session } = await newInvestor({ kyc: 'none' })
    const page = await open(session)
    await page.goto('/dashboard/kyc')
    await page.getByRole('button', { name: 'Submit for Review' }).click()
    await expectErrors(page, { 'Sample picture': 'Please upload a picture of your document' })
    await expect(page.getByLabel('Sample picture', { exact: true })).toBeFocused()
    await expect(page.getByLabel('Verification method')).toHaveValue('Passport')
    await page.getByLabel('Sample picture', { exact: true }).setInputFiles(picture('tiny.png', 16, 16))
    await page.getByRole('button', { name: 'Submit for Review' }).click()
    await expectErrors(page, {
      'Sample picture': 'This picture is too small. Each side must be at least 32 pixels',
    })
  })

  test('whose answer was lost is sent once', async ({ open, allowFault }) => {
    allowFault(/net::ERR_FAILED/)
    const { session } = await newInvestor({ kyc: 'none' })
    const page = await open(session)
    await page.goto('/dashboard/kyc')
    await page.getByLabel('Sample picture', { exact: true }).setInputFiles(picture('passport.png'))
    await page.route('**/api/v1/kyc', loseAnswer, { times: 1 })
    await page.getByRole('button', { name: 'Submit for Review' }).click()
    await expect(page.getByText('We could not reach the server.')).toBeVisible()
    await page.getByRole('button', { name: 'Submit for Review' }).click()
    await expect(page.getByRole('dialog', { name: 'KYC Request Sent' })).toBeVisible()
    expect(await callApi<object[]>('GET', '/kyc', { token: session.token })).toHaveLength(1)
  })
})

test('a screen that could not be loaded says so and can be tried again', async ({ open, allowFault }) => {
  allowFault(/status of 500/)
  const { session } = await newInvestor({ available: 10 })
  const page = await open(session)
  // An error answer, because after a lost connection the page would retry by itself.
  await page.route('**/users/user-info*', (route) => route.fulfill(SERVER_ERROR), {
    times: 1,
  })
  await page.goto('/dashboard/overview')
  await expect(page.getByRole('alert')).toContainText(SERVER_ERROR.json.msg)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('$10.00 available to withdraw')).toBeVisible()
})

async function expectErrors(page: Page, errors: Readonly<Record<string, string | RegExp>>): Promise<void> {
  for (const [label, error] of Object.entries(errors)) {
    const field = page.getByLabel(label, { exact: !label.startsWith('I am') })
    await expect(field).toHaveAttribute('aria-invalid', 'true')
    await expect(field).toHaveAccessibleDescription(
      typeof error === 'string' ? new RegExp(escaped(error)) : error,
    )
  }
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

async function fillSignUp(page: Page, email: string): Promise<void> {
  await page.getByLabel('Full name').fill('Ana Torres')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Phone number').fill('+41 79 123 45 67')
  await page.getByLabel('Country').fill('Switzerland')
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByLabel('Confirm password', { exact: true }).fill(PASSWORD)
  await page.getByRole('checkbox', { name: /18 or older/ }).check()
}

/** Lets the request reach the server and loses the answer. */
async function loseAnswer(route: Route): Promise<void> {
  await route.fetch()
  await route.abort()
}

async function amountsOf(token: string, kind = 'deposit'): Promise<number[]> {
  const rows = await callApi<{ amount: number }[]>('GET', `/transaction-history?kind=${kind}`, { token })
  return rows.map(({ amount }) => amount)
}
