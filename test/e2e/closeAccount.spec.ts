import type { Page } from '@playwright/test'
import { expectAccessible } from './support/accessibility.ts'
import { authenticatorCode } from './support/authenticator.ts'
import { send } from './support/http.ts'
import { waitForMail } from './support/mailbox.ts'
import { fileDeposit, newInvestor, PASSWORD, turnOnSecondFactor } from './support/people.ts'
import { fillSignIn, openProfile } from './support/screens.ts'
import { expect, test } from './support/test.ts'

const openCloseDialog = async (page: Page) => {
  await page.getByRole('button', { name: 'Close My Account' }).click()
  return page.getByRole('dialog', { name: 'Close my account' })
}

test('an account with money cannot be closed, and the dialog says why and links to the withdrawal', async ({
  open,
}) => {
  const { session } = await newInvestor({ available: 120 })
  await fileDeposit(session.token, 40)
  const page = await openProfile(open, session, 'security')
  const dialog = await openCloseDialog(page)
  await expect(dialog.getByText('$120.00 is available. Withdraw all of it first.')).toBeVisible()
  await expect(dialog.getByText('$40.00 in a deposit request is still open')).toBeVisible()
  await expect(dialog.getByLabel('Password')).toHaveCount(0)
  await expectAccessible(page)
  await dialog.getByRole('link', { name: 'Withdraw', exact: true }).click()
  await expect(page).toHaveURL(/\/dashboard\/withdrawal$/)
})

test('an empty account is closed with password and code, and signing in says so', async ({ open }) => {
  const { email, session } = await newInvestor({ kyc: 'none' })
  const secret = await turnOnSecondFactor(session)
  const page = await openProfile(open, session, 'security')
  const dialog = await openCloseDialog(page)
  await expect(dialog.getByText('This cannot be undone')).toBeVisible()
  await expect(dialog.getByText('your identity documents, because the law requires it')).toBeVisible()
  await expectAccessible(page)

  const password = dialog.getByLabel('Password', { exact: true })
  const submit = dialog.getByRole('button', { name: 'Close My Account' })
  await password.fill('not my password')
  await dialog.getByLabel('Code').fill('000000')
  await submit.click()
  await expect(password).toHaveAccessibleDescription(/password is wrong/)
  await password.fill(PASSWORD)
  await submit.click()
  await expect(dialog.getByLabel('Code')).toHaveAccessibleDescription(/code is wrong/)
  await dialog.getByLabel('Code').fill(authenticatorCode(0, secret))
  await submit.click()

  await expect(page).toHaveURL(/\/account-closed$/)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your account is closed')
  expect(await page.evaluate(() => localStorage.getItem('user-info'))).toBeNull()
  expect((await send('GET', '/users/user-info', { token: session.token })).status).toBe(401)
  await waitForMail(email, /Your account is closed/)

  await page.goto('/sign-in')
  await fillSignIn(page, email)
  await expect(
    page
      .getByRole('form', { name: 'Sign in' })
      .getByText(/This account was closed on .* and cannot be opened again/),
  ).toBeVisible()
  await expectAccessible(page)
  await expect(page).toHaveURL(/\/sign-in$/)
})
