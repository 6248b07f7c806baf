import type { Page } from '@playwright/test'
import { picture } from '../support/picture.ts'
import { callApi } from './support/http.ts'
import { newInvestor } from './support/people.ts'
import { BANK_TEXTS, fillBankForm, fillDepositForm, fillSignIn, waitForScripts } from './support/screens.ts'
import { expect, test } from './support/test.ts'

const RESTORED = 'We restored what you typed here.'

test('a deposit whose answer was lost is restored after a reload, and sending it again makes one deposit', async ({
  open,
  allowFault,
}) => {
  allowFault(/Failed to load resource|ERR_FAILED/)
  const { session } = await newInvestor()
  const page = await open(session)
  let arrived = 0
  await page.route('**/api/v1/deposits', async (route) => {
    // The first request arrives, but its answer is lost.
    const answer = await route.fetch()
    arrived += 1
    if (arrived === 1) return route.abort()
    await route.fulfill({ response: answer })
  })
  // The same file again: each picture has a colour of its own.
  const receipt = picture('receipt.png')
  await page.goto('/dashboard/deposit')
  await fillDepositForm(page, 'USDT', '40.50')
  await page.getByRole('radio', { name: /Tron/i }).check()
  await page.getByRole('textbox', { name: 'Transaction ID' }).fill('5f'.repeat(32))
  await page.getByLabel('Receipt', { exact: true }).setInputFiles(receipt)
  const send = page.getByRole('button', { name: 'Send Deposit Request' })
  await send.click()
  await expect(page.getByRole('region', { name: 'Messages' })).toContainText('could not reach the server')
  await expect(page.getByText('receipt.png').first()).toBeVisible()

  await page.reload()
  await expect(page.getByRole('status').filter({ hasText: RESTORED })).toContainText(
    'it will not be done twice',
  )
  await expect(page.getByRole('radio', { name: 'USDT' })).toBeChecked()
  await expect(page.getByRole('radio', { name: /Tron/i })).toBeChecked()
  await expect(page.getByRole('textbox', { name: 'Amount in USD' })).toHaveValue('40.50')
  await expect(page.getByRole('textbox', { name: 'Transaction ID' })).toHaveValue('5f'.repeat(32))
  await expect(page.getByText('Please choose the file again. Browsers do not keep it.')).toBeVisible()
  await page.getByLabel('Receipt', { exact: true }).setInputFiles(receipt)
  await send.click()
  const done = page.getByRole('dialog', { name: 'Deposit Request Completed' })
  await expect(done).toBeVisible()
  expect(arrived).toBe(2)
  await done.getByRole('link', { name: 'Transaction History' }).click()
  await expect(page.getByRole('row').filter({ hasText: '$40.50' })).toHaveCount(1)

  await page.goto('/dashboard/deposit')
  await expect(page.getByRole('radio', { name: 'USDT' })).not.toBeChecked()
  await expect(page.getByText(RESTORED)).toBeHidden()
})

test('a withdrawal draft survives an expired session, but not a logout or another user', async ({ open }) => {
  const ana = await newInvestor({ available: 100 })
  const boris = await newInvestor({ name: 'Boris Marsh' })
  const page = await open(ana.session)
  await page.goto('/dashboard/withdrawal')
  await fillBankForm(page, '12.50')
  // The server revokes the session. The page learns of it with its next call.
  await callApi('POST', '/auth/logout', { token: ana.session.token })
  await page.getByRole('button', { name: 'Send Withdrawal Request' }).click()
  await expect(page).toHaveURL(/\/sign-in\?next=%2Fdashboard%2Fwithdrawal/)
  await fillSignIn(page, ana.email)
  await expect(page).toHaveURL('/dashboard/withdrawal')
  await expect(page.getByText(RESTORED)).toBeVisible()
  for (const [label, text] of Object.entries(BANK_TEXTS))
    await expect(page.getByRole('textbox', { name: label, exact: true }), label).toHaveValue(text)
  await expect(page.getByRole('combobox', { name: 'Title' })).toHaveValue('Ms')

  // Changing the method empties the form, and so does changing back.
  await page.getByRole('radio', { name: 'Crypto' }).check()
  await page.getByRole('textbox', { name: 'Amount in USD' }).fill('7')
  await page.getByRole('radio', { name: 'Online Service Withdrawal' }).check()
  const bank = page.getByRole('textbox', { name: 'Bank name' })
  await expect(bank).toHaveValue('')
  await bank.fill('Quayside Bank')
  await page.reload()
  await page.getByRole('button', { name: 'Start over' }).click()
  await expect(page.getByRole('textbox', { name: 'Amount in USD' })).toBeFocused()
  await expect(bank).toHaveValue('')
  await bank.fill('Quayside Bank')

  // Another user signs in after the session ended.
  await page.evaluate(() => localStorage.removeItem('user-info'))
  await page.goto('/sign-in?next=%2Fdashboard%2Fwithdrawal')
  await fillSignIn(page, boris.email)
  await expect(page.getByRole('radio', { name: 'Crypto' })).toBeChecked()
  await page.getByRole('textbox', { name: 'Withdrawal address' }).fill('bc1-not-yet')
  expect(await sessionStorageOf(page)).not.toContain('Quayside')
  await page.getByRole('button', { name: 'Boris Marsh' }).click()
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL('/sign-in')
  expect(await sessionStorageOf(page)).not.toContain('bc1')
})

test('profile and support drafts are restored after a reload', async ({ open }) => {
  const { session } = await newInvestor({ kyc: 'none' })
  const page = await open(session)
  await page.goto('/dashboard/profile')
  await page
    .getByRole('button', { name: /Address/ })
    .first()
    .click()
  await page.getByRole('textbox', { name: 'Address' }).fill('7 Quay Street')
  await page.reload()
  await page
    .getByRole('button', { name: /Address/ })
    .first()
    .click()
  const dialog = page.getByRole('dialog', { name: 'Update Profile' })
  await expect(dialog.getByText(RESTORED)).toBeVisible()
  await expect(dialog.getByRole('textbox', { name: 'Address' })).toHaveValue('7 Quay Street')
  await dialog.getByRole('button', { name: 'Update Info' }).click()
  await expect(dialog).toBeHidden()
  expect(await sessionStorageOf(page)).not.toContain('Quay')

  await page.goto('/contact-us')
  await waitForScripts(page)
  await page.getByRole('textbox', { name: 'Message' }).fill('Where is my deposit?')
  await page.reload()
  await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue('Where is my deposit?')
  await expect(page.getByText(RESTORED)).toBeVisible()
})

/** Everything in the session storage of the tab. */
function sessionStorageOf(page: Page): Promise<string> {
  return page.evaluate(() => JSON.stringify({ ...sessionStorage }))
}
