import type { Locator, Page } from '@playwright/test'
import { picture } from '../support/picture.ts'
import { authenticatorCode } from './support/authenticator.ts'
import { callApi, send } from './support/http.ts'
import { unlockKey } from './support/kyc.ts'
import { linkIn, waitForMail } from './support/mailbox.ts'
import {
  createSession,
  newAddress,
  newReference,
  operatorSession,
  PASSWORD,
  turnOnSecondFactorLongAgo,
} from './support/people.ts'
import {
  BITCOIN_ADDRESS,
  checkDocument,
  confirmByApp,
  confirmByMail,
  EMPTY_FIGURES,
  expectFigures,
  fillBankForm,
  fillQuantity,
  fillRiskReason,
  fillSignIn,
  openCase,
  valueFor,
  waitForScripts,
  withdrawBitcoin,
} from './support/screens.ts'
import { expect, test } from './support/test.ts'

/** A reason of the settings' list: an operator's own words are not told. */
const BLURRED = 'The picture is blurred or cut off. Please send a sharp one that shows the whole document.'

test('a person registers, is verified, pays in, is credited, withdraws and is paid', async ({ open }) => {
  test.setTimeout(180_000)
  const email = newAddress()
  const reference = newReference()
  const investor = await open()
  const operator = await open()

  await test.step('registers, invited by somebody', async () => {
    const referral = await seededReferral()
    await investor.goto(`/sign-up?ref=${referral}`)
    await expect(investor.getByRole('textbox', { name: 'Referral ID' })).toHaveValue(referral)
    await investor.getByRole('textbox', { name: 'Full name' }).fill('Ana María Núñez')
    await investor.getByRole('textbox', { name: 'Email' }).fill(email.toUpperCase())
    await investor.getByRole('textbox', { name: 'Phone number' }).fill('+1 555 010 0199')
    await investor.getByRole('combobox', { name: 'Country' }).fill('Deutschland')
    await investor.getByRole('textbox', { name: 'Password', exact: true }).fill(PASSWORD)
    await investor.getByRole('textbox', { name: 'Confirm password' }).fill(PASSWORD)
    await investor.getByRole('checkbox', { name: /18 or older/ }).check()
    await investor.getByRole('button', { name: 'Create an account' }).click()
    await expect(investor).toHaveURL('/check-email')
    await expect(investor.getByText('We sent a verification link to')).toBeVisible()
  })

  await test.step('is told to verify the address before the first sign-in', async () => {
    await investor.getByRole('link', { name: 'Back to sign in' }).click()
    // The page fills in the address that has just been registered.
    await expect(investor.getByRole('textbox', { name: 'Email' })).toHaveValue(new RegExp(email, 'i'))
    await fillSignIn(investor, email)
    await expect(investor.getByText('Please verify your e-mail address first.')).toBeVisible()
    await expect(investor.getByRole('button', { name: 'Send the link again' })).toBeVisible()
  })

  await test.step('reads the mail and follows its link', async () => {
    const link = linkIn(await waitForMail(email, /verify/i), '/verify-email')
    await investor.goto(`/dev/mailbox?to=${encodeURIComponent(email)}`)
    await expect(investor.getByText('Hello there,')).toBeVisible()
    await investor.getByRole('link', { name: link.href }).click()
    await expect(investor.getByText('Email Verified. Congratulations!')).toBeVisible()
    await investor.getByRole('link', { name: 'Sign In' }).click()
    await expect(investor.getByRole('textbox', { name: 'Email' })).toHaveValue(email)
    await expect(investor.getByRole('textbox', { name: 'Password' })).toBeFocused()
  })

  await test.step('signs in and finds an empty account', async () => {
    await fillSignIn(investor, email)
    await expect(investor).toHaveURL('/dashboard/overview')
    await expect(investor.getByText('Login Successful')).toBeVisible()
    await expectFigures(investor, EMPTY_FIGURES)
  })

  await test.step('is asked for an identity before a deposit', async () => {
    await investor.getByRole('link', { name: 'Deposit', exact: true }).first().click()
    await investor.getByRole('link', { name: 'Verify your identity' }).click()
    await expect(investor).toHaveURL('/dashboard/kyc')
    await submitDocument(investor, 'blurred.png')
  })

  await test.step('the operator signs in with a second factor', async () => {
    await operator.goto('/sign-in')
    await fillSignIn(operator, 'operator@example.com')
    const code = operator.getByRole('textbox', { name: 'Authentication code' })
    await expect(code).toBeFocused()
    // A retried test may run while the code of its first run is still current, so it uses the next one.
    await code.fill(authenticatorCode(-test.info().retry))
    await operator.getByRole('button', { name: 'Sign in' }).click()
    await expect(operator).toHaveURL('/operator')
  })

  await test.step('opens the decrypted document and rejects it with a reason', async () => {
    const dialog = await openCase(operator, 'KYC', email)
    await unlockKey(dialog, 'Unlock and open')
    const passport = dialog.getByRole('img', { name: 'Passport of Ana María Núñez' })
    // Deriving the key takes seconds by design, and more on a busy machine.
    await expect(passport).toHaveJSProperty('naturalWidth', 320, { timeout: 60_000 })
    await dialog.getByRole('button', { name: 'Reject document' }).click()
    await dialog.getByRole('combobox', { name: 'Message to the investor' }).selectOption(BLURRED)
    await dialog.getByRole('button', { name: 'Reject the document' }).click()
    await expect(dialog.getByText('We sent Ana María Núñez the reason.')).toBeVisible()
    await dialog.getByRole('button', { name: 'Close', exact: true }).last().click()
  })

  await test.step('the investor reads the reason and sends another picture', async () => {
    await investor.reload()
    await expect(investor.getByText(BLURRED)).toBeVisible()
    await submitDocument(investor, 'whole.png')
  })

  await test.step('the operator approves it', async () => {
    const dialog = await openCase(operator, 'KYC', email)
    const approve = dialog.getByRole('button', { name: 'Approve identity of Ana María Núñez' })
    await approve.click()
    await expect(dialog.getByText('Open the document first.')).toBeVisible()
    for (const check of await dialog.getByRole('checkbox').all()) await expect(check).toBeDisabled()
    await unlockKey(dialog, 'Unlock and open')
    await checkDocument(dialog, 'ANA MARÍA NÚÑEZ')
    await approve.click()
    await expect(dialog.getByText('Ana María Núñez can now deposit and withdraw')).toBeVisible()
    await dialog.getByRole('button', { name: 'Close', exact: true }).last().click()
    await investor.reload()
    await expect(investor.getByText('Your identity is verified.')).toBeVisible()
  })

  await test.step('the investor announces a deposit', async () => {
    await investor.getByRole('link', { name: 'Deposit', exact: true }).first().click()
    const address = investor.getByText('Wallet address, Bitcoin')
    const quantity = investor.getByText('In BTC')
    const receipt = investor.getByLabel('Receipt', { exact: true })
    await expect(investor.getByRole('radio', { name: 'Bitcoin' })).toBeVisible()
    await expect(address.or(quantity).or(receipt)).toHaveCount(0)
    await investor.getByRole('radio', { name: 'Bitcoin' }).check()
    await expect(address.or(quantity).or(receipt)).toHaveCount(0)
    await investor.getByRole('textbox', { name: 'Amount in USD' }).fill('1500.50')
    await expect(address).toBeVisible()
    await expect(investor.getByText('Simulated. Send nothing.')).toBeVisible()
    const qr = investor.getByRole('img', { name: 'QR code that says: Simulated. Send nothing.' })
    await expect(qr).not.toHaveJSProperty('naturalWidth', 0)
    await expect(investor.getByText(/0\.\d+ BTC$/)).toBeVisible()
    await receipt.setInputFiles(picture('receipt.png'))
    await expect(investor.getByRole('img', { name: 'Preview of the file' })).not.toHaveJSProperty(
      'naturalWidth',
      0,
    )
    await investor.getByRole('button', { name: 'Send Deposit Request' }).click()
    const completed = investor.getByRole('dialog', { name: 'Deposit Request Completed' })
    await completed.getByRole('link', { name: 'Transaction History' }).click()
    await expect(investor).toHaveURL('/dashboard/transaction-history')
    await expect(row(investor, 'Deposit')).toContainText('$1,500.50')
    await expect(row(investor, 'Deposit')).toContainText('Pending')
    await expectFigures(investor, { ...EMPTY_FIGURES, 'Pending Deposits': '$1,500.50' })
  })

  const colleague = await open(operatorSession('second'))
  await test.step('the operator, who approved the referrer too, sees the receipt and proposes its credit; a colleague credits it', async () => {
    const dialog = await openCase(operator, 'Deposits', email)
    const receipt = dialog.getByRole('img', { name: /^Receipt of deposit/ })
    await expect(receipt).toHaveJSProperty('naturalWidth', 320)
    await dialog.getByRole('textbox', { name: 'Transaction id on the network' }).fill(reference)
    await dialog.getByRole('button', { name: 'Propose credit of $1,500.50' }).click()
    await expect(dialog.getByText('Please give the quantity that arrived')).toBeVisible()
    const quantity = await fillQuantity(dialog, 1500.5)
    await fillRiskReason(dialog)
    await expect(dialog.getByText('Its risk is high.')).toBeVisible()
    await dialog.getByRole('button', { name: 'Propose credit of $1,500.50' }).click()
    await expect(dialog.getByText('Approved once. A second operator must approve it too')).toBeVisible()
    await colleague.goto('/operator/deposits')
    const second = await openCase(colleague, 'Deposits', email)
    await second.getByRole('textbox', { name: 'Transaction id on the network' }).fill(reference)
    await second.getByRole('textbox', { name: 'Quantity that arrived' }).fill(quantity)
    await fillRiskReason(second)
    await second.getByRole('button', { name: 'Approve and credit $1,500.50' }).click()
    await expect(second.getByText('$1,500.50 was credited to Ana María Núñez')).toBeVisible()
    await dialog.getByRole('button', { name: 'Close', exact: true }).last().click()
  })

  const credited = { ...EMPTY_FIGURES, 'Total Balance': '$1,500.50', 'Total Deposits': '$1,500.50' }
  await test.step('balance, tiles and history follow', async () => {
    await expectFigures(investor, credited)
    await expect(investor.getByText('$1,500.50 available to withdraw')).toBeVisible()
    await investor.getByRole('link', { name: 'Transaction History' }).click()
    await expect(row(investor, 'Deposit')).toContainText('Approved')
  })

  await test.step('the investor withdraws in bitcoin, confirmed by a second factor, and the amount is held', async () => {
    const { secret, session } = await turnOnSecondFactorLongAgo(email)
    await investor.evaluate(
      (userInfo) => localStorage.setItem('user-info', userInfo),
      JSON.stringify(session),
    )
    await investor.reload()
    await investor.getByRole('link', { name: 'Withdrawal', exact: true }).click()
    await expect(investor.getByText('Available: $1,500.50')).toBeVisible()
    await withdrawBitcoin(investor, '200')
    await confirmByApp(investor, authenticatorCode(0, secret))
    const completed = investor.getByRole('dialog', { name: 'Withdrawal Request Completed' })
    await expect(completed).toBeVisible()
    await expect(completed.getByText('at the earliest')).toHaveCount(0)
    await completed.getByRole('button', { name: 'Close' }).click()
    await expect(investor.getByText('Available: $1,300.50')).toBeVisible()
    await expectFigures(investor, { ...credited, 'Pending Withdrawals': '$200.00' })
    await expect(investor.getByText('$1,300.50 available to withdraw')).toBeVisible()
  })

  await test.step('the operator approves it; the colleague records the payment', async () => {
    const dialog = await openCase(operator, 'Withdrawals', email)
    await expect(dialog.getByRole('region', { name: 'Destination' }).getByText(BITCOIN_ADDRESS)).toBeVisible()
    await expect(dialog.getByText('another operator must record the payment')).toBeVisible()
    await fillRiskReason(dialog)
    await dialog.getByRole('button', { name: 'Approve payout of $200.00' }).click()
    await expect(dialog.getByText(/can be paid to Ana María Núñez/)).toBeVisible()
    await dialog.getByRole('button', { name: 'Close', exact: true }).last().click()
    await colleague.goto('/operator/withdrawals?status=approved')
    await colleague.getByRole('row').filter({ hasText: email }).getByRole('button').click()
    const payment = colleague.getByRole('dialog')
    await payment.getByRole('textbox', { name: 'Transaction id on the network' }).fill(newReference())
    const toSend = /Send ([\d.]+) BTC/.exec(await payment.innerText())?.[1] ?? ''
    await payment.getByRole('textbox', { name: 'Quantity sent' }).fill(toSend)
    await fillRiskReason(payment)
    await payment.getByRole('button', { name: 'Record payment of $200.00' }).click()
    await expect(payment.getByText('$200.00 was paid to Ana María Núñez')).toBeVisible()
  })

  const paid = { ...credited, 'Total Balance': '$1,300.50', 'Total Withdrawals': '$200.00' }
  await test.step('the investor sees it paid', async () => {
    await expectFigures(investor, paid)
  })

  await test.step('withdraws to a bank, takes it back while it is pending, and the hold returns', async () => {
    await investor.getByRole('link', { name: 'Withdrawal', exact: true }).click()
    await fillBankForm(investor, '100.25')
    await investor.getByRole('button', { name: 'Send Withdrawal Request' }).click()
    await confirmByMail(investor, email, 1)
    await expect(investor.getByRole('dialog', { name: 'Withdrawal Request Completed' })).toBeVisible()
    await expectFigures(investor, { ...paid, 'Pending Withdrawals': '$100.25' })
    await investor.getByRole('link', { name: 'Transaction History' }).click()
    await row(investor, 'Online Service Withdrawal').getByRole('button').click()
    const detail = investor.getByRole('dialog', { name: 'Online Service Withdrawal' })
    await expect(valueFor(detail, 'Account number')).toHaveText('••••5566')
    await expect(valueFor(detail, 'Fee')).toHaveText('0 USD')
    await detail.getByRole('button', { name: 'Cancel this request' }).click()
    await detail.getByRole('button', { name: 'Yes, cancel it' }).click()
    await expect(detail.getByRole('list', { name: 'Timeline' })).toContainText(/Pending.*Cancelled/s)
    await detail.getByRole('button', { name: 'Close' }).click()
    await expect(row(investor, 'Online Service Withdrawal')).toContainText('Cancelled')
    await expectFigures(investor, paid)
    await expect(investor.getByText('$1,300.50 available to withdraw')).toBeVisible()
  })

  await test.step('reads in the history what became of each request', async () => {
    await investor.getByRole('link', { name: 'Transaction History' }).click()
    await expect(investor).toHaveURL('/dashboard/transaction-history')
    await waitForScripts(investor)
    await investor.getByRole('combobox', { name: 'Status' }).selectOption('Completed')
    await expect(investor.getByRole('row')).toHaveCount(2)
    await row(investor, 'Withdrawal').getByRole('button').click()
    const detail = investor.getByRole('dialog', { name: 'Withdrawal' })
    await expect(valueFor(detail, 'Withdrawal address')).toContainText(BITCOIN_ADDRESS)
    await expect(detail.getByRole('list', { name: 'Timeline' })).toContainText(
      /Pending.*Approved.*Completed/s,
    )
    await detail.getByRole('button', { name: 'Close' }).click()
  })

  await test.step('signs out, and the token is dead on the server', async () => {
    const token = await tokenOf(investor)
    expect((await send('GET', '/users/user-info', { token })).status).toBe(200)
    await investor.getByRole('button', { name: 'Ana María Núñez' }).click()
    await investor.getByRole('button', { name: 'Logout' }).click()
    await expect(investor).toHaveURL('/sign-in')
    expect(await investor.evaluate(() => localStorage.getItem('user-info'))).toBeNull()
    expect((await send('GET', '/users/user-info', { token })).status).toBe(401)
  })
})

async function seededReferral(): Promise<string> {
  const { token } = await createSession({ email: 'investor@example.com', password: PASSWORD })
  const { referralLink } = await callApi<{ referralLink: string }>(
    'GET',
    '/users/user-info?fields=referralLink',
    {
      token,
    },
  )
  return new URL(referralLink).searchParams.get('ref') ?? ''
}

/** The bearer token in the browser's storage. */
function tokenOf(page: Page): Promise<string> {
  return page.evaluate<string>(() => JSON.parse(localStorage.getItem('user-info') ?? '{}').token)
}

async function submitDocument(page: Page, name: string): Promise<void> {
  await page.getByLabel('Sample picture', { exact: true }).setInputFiles(picture(name))
  await expect(page.getByRole('img', { name: 'Preview of the file' })).not.toHaveJSProperty('naturalWidth', 0)
  await page.getByRole('button', { name: 'Submit for Review' }).click()
  await page.getByRole('dialog', { name: 'KYC Request Sent' }).getByRole('button', { name: 'Close' }).click()
  await expect(page.getByText('Your document is awaiting review')).toBeVisible()
}

function row(page: Page, kind: string): Locator {
  return page.getByRole('row').filter({ hasText: kind })
}
