import type { Page } from '@playwright/test'
import { site } from '../../src/site.ts'
import { holdRequests, send } from './support/http.ts'
import { linkIn, waitForMail } from './support/mailbox.ts'
import { newAddress, newInvestor, operatorSession, PASSWORD } from './support/people.ts'
import { fillSignIn, waitForScripts } from './support/screens.ts'
import { expect, test } from './support/test.ts'

const NEW_PASSWORD = 'steady-as-she-goes'

test('a forgotten password is replaced by a mailed link, which works once', async ({ page }) => {
  const { email, session } = await newInvestor({ kyc: 'none' })
  await page.goto('/sign-in')
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByRole('button', { name: 'Request Reset Link' }).click()
  await expect(page.getByText(`If ${email} has an account, a link`)).toBeVisible()

  const link = linkIn(await waitForMail(email, /choose a new password/i), '/change-password')
  await page.goto(link.href)
  await choosePassword(page, NEW_PASSWORD)
  await expect(page).toHaveURL('/sign-in')
  await fillSignIn(page, email, PASSWORD)
  await expect(
    page.getByRole('region', { name: 'Messages' }).getByText('The e-mail address or the password is wrong.'),
  ).toBeVisible()
  const password = page.getByRole('textbox', { name: 'Password' })
  await expect(password).toHaveAccessibleDescription(/The e-mail address or the password is wrong\./)
  await expect(password).toHaveValue(PASSWORD)
  await expect(page.getByRole('textbox', { name: 'Email' })).toHaveValue(email)
  await fillSignIn(page, email, NEW_PASSWORD)
  await expect(page).toHaveURL('/dashboard/overview')
  // The browser accepts the `__Host-` prefix on localhost too, and hides the cookie from scripts.
  expect(await page.context().cookies()).toContainEqual(
    expect.objectContaining({ name: '__Host-device', secure: true, httpOnly: true, path: '/' }),
  )
  expect((await send('GET', '/users/user-info', { token: session.token })).status).toBe(401)

  await page.goto(link.href)
  await choosePassword(page, PASSWORD)
  await expect(page.getByText('This link is wrong, was used already or has expired.')).toBeVisible()
  await page.getByRole('link', { name: 'Request a new link' }).click()
  await expect(page).toHaveURL('/forgot-password')
})

test('an owner signs in on a phone by a mailed link while a stranger’s wrong passwords block the account', async ({
  open,
}) => {
  const { email } = await newInvestor({ kyc: 'none' })
  for (let tries = 0; tries < 10; tries++) {
    const json = { email, password: 'not the password' }
    await send('POST', '/auth/login', { json, from: '203.0.113.99' })
  }
  const page = await open(null, { viewport: { width: 390, height: 844 } })
  await page.goto('/sign-in')
  await waitForScripts(page)
  const ask = page.getByRole('button', { name: 'Mail me a sign-in link' })
  await ask.click()
  await expect(page.getByText('Email is required')).toBeVisible()
  await fillSignIn(page, email)
  await expect(page.getByText('You can sign in now with a link that we mail you.')).toBeVisible()
  await ask.click()
  await expect(page.getByText(`If an investor has an account with ${email}`)).toBeVisible()

  const link = linkIn(await waitForMail(email, /your sign-in link/i), '/sign-in-link')
  await page.goto(link.href)
  await waitForScripts(page)
  await expect(page.getByText(`You sign in as ${email}.`)).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page).toHaveURL('/dashboard/overview')

  const other = await open()
  await other.goto(link.href)
  await other.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(other.getByText('This link is wrong, was used already or has expired.')).toBeVisible()
  await other.getByRole('link', { name: 'Request a new link' }).click()
  await expect(other).toHaveURL('/sign-in')
  await other.goto('/sign-in-link?email=ana%40example.com')
  await expect(other.getByText('This link is incomplete.')).toBeVisible()

  // The phone is known now: wrong passwords elsewhere no longer matter there. The overview would store the session again.
  await page.goto('/about-us')
  await page.evaluate(() => localStorage.clear())
  await page.goto('/sign-in')
  await waitForScripts(page)
  await fillSignIn(page, email)
  await expect(page).toHaveURL('/dashboard/overview')
})

test('a reset link without its token says so instead of asking for a password', async ({ page }) => {
  await page.goto('/change-password?email=ana%40example.com')
  await expect(page.getByText('This link is incomplete.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Change Password' })).toHaveCount(0)
})

test('a phone number as it is dialled at home is completed with the code of the country', async ({
  page,
}) => {
  await page.goto('/sign-up')
  await waitForScripts(page)
  const phone = page.getByRole('textbox', { name: 'Phone number' })
  const country = page.getByRole('combobox', { name: 'Country' })
  await country.fill('Deutschland')
  await phone.fill('0151 234 5678')
  await expect(page.getByText('We read this as +49 1512345678')).toBeVisible()
  await country.fill('Switzerland')
  await expect(page.getByText('We read this as +41 1512345678')).toBeVisible()
  await phone.fill('+351 912 345 678')
  await expect(page.getByText('We read this as')).toHaveCount(0)
})

test('after verification, the browser that registered signs in with one click, and no other does', async ({
  page,
  open,
}) => {
  const [first, second] = [newAddress(), newAddress()]
  await signUp(page, first)
  await page.goto((await verificationOf(first)).href)
  await expect(page.getByText('Email Verified. Congratulations!')).toBeVisible()
  await page.getByRole('button', { name: 'Verify your identity' }).click()
  await expect(page).toHaveURL('/dashboard/kyc')
  await expect(page.getByText('Login Successful')).toBeVisible()

  await page.context().clearCookies()
  await page.evaluate(() => localStorage.clear())
  await signUp(page, second)
  const other = await open()
  await other.goto((await verificationOf(second)).href)
  await expect(other.getByText('Email Verified. Congratulations!')).toBeVisible()
  await expect(other.getByText('Sign in with your password to open your account.')).toBeVisible()
  await expect(other.getByRole('button', { name: 'Verify your identity' })).toHaveCount(0)
  expect(await other.evaluate(() => localStorage.getItem('user-info'))).toBeNull()
  await other.goto('/dashboard/kyc')
  await expect(other).toHaveURL(/^[^?]*\/sign-in/)
})

async function signUp(page: Page, email: string): Promise<void> {
  await page.goto('/sign-up')
  await waitForScripts(page)
  await page.getByRole('textbox', { name: 'Full name' }).fill('Ana Torres')
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByRole('combobox', { name: 'Country' }).fill('Portugal')
  await page.getByRole('textbox', { name: 'Phone number' }).fill('912 345 678')
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill(PASSWORD)
  await page.getByRole('textbox', { name: 'Confirm password' }).fill(PASSWORD)
  await page.getByRole('checkbox', { name: /18 or older/ }).check()
  await page.getByRole('button', { name: 'Create an account' }).click()
  await expect(page).toHaveURL('/check-email')
}

async function verificationOf(email: string): Promise<URL> {
  return linkIn(await waitForMail(email, /verify/i), '/verify-email')
}

test('a verification link with a wrong token shows the error and a link home', async ({ page }) => {
  await page.goto('/verify-email?email=ana%40example.com&verificationToken=wrong')
  await expect(page.getByRole('alert')).toContainText('This link is wrong, was used already or has expired.')
  await page.getByRole('link', { name: 'Go Back to Homepage' }).click()
  await expect(page).toHaveURL('/')
})

test('a verification in progress says what it is doing', async ({ page }) => {
  const release = await holdRequests(page, '**/auth/verify-email')
  await page.goto('/verify-email?email=ana%40example.com&verificationToken=wrong')
  await expect(page.getByRole('status')).toContainText('Verifying your e-mail address')
  release()
  await expect(page.getByRole('alert')).toBeVisible()
})

test('a password can be shown and hidden again', async ({ page }) => {
  await page.goto('/sign-in')
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeEnabled()
  const password = page.getByRole('textbox', { name: 'Password' })
  await password.fill(PASSWORD)
  await expect(password).toHaveAttribute('type', 'password')
  await page.getByRole('button', { name: 'Show password' }).click()
  await expect(password).toHaveAttribute('type', 'text')
  await expect(password).toHaveValue(PASSWORD)
  await page.getByRole('button', { name: 'Show password' }).click()
  await expect(password).toHaveAttribute('type', 'password')
})

test('without a script no button offers to show the password', async ({ open }) => {
  const page = await open(null, { javaScriptEnabled: false })
  await page.goto('/sign-in')
  await expect(page.getByRole('textbox', { name: 'Password' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Show password' })).toBeHidden()
  await expect(page.locator('noscript p')).toContainText('needs JavaScript')
})

test('a button keeps its size on hover, on click and while busy', async ({ page }) => {
  await page.addInitScript(() => sessionStorage.setItem('awaiting-verification', 'ana@example.com'))
  const release = await holdRequests(page, '**/auth/resend-verification')
  await page.goto('/check-email')
  const resend = page.getByRole('button', { name: 'Send the link again' })
  await expect(page.getByText('ana@example.com')).toBeVisible()
  const atRest = await resend.boundingBox()
  await resend.hover()
  expect(await resend.boundingBox()).toEqual(atRest)
  await page.mouse.down()
  expect(await resend.boundingBox()).toEqual(atRest)
  await page.mouse.up()
  await expect(resend).toHaveAttribute('aria-busy', 'true')
  expect(await resend.boundingBox()).toEqual(atRest)
  release()
  await expect(resend).not.toHaveAttribute('aria-busy')
})

test('the sign-up page states the risk, the minimum age and the next steps', async ({ page }) => {
  await page.goto('/sign-up')
  const main = page.getByRole('main')
  await expect(main.getByText('You could lose all the money you invest.')).toBeVisible()
  await expect(main.getByRole('link', { name: 'Read the risks' })).toHaveAttribute('href', '/risk-disclosure')
  await expect(main.getByRole('checkbox', { name: 'I am 18 or older and accept' })).toBeVisible()
  const next = page.getByRole('complementary', { name: 'What happens next' })
  await expect(next.getByRole('listitem')).toHaveCount(3)
})

test('the logo of each auth page links home', async ({ page }) => {
  for (const path of [
    '/sign-in',
    '/sign-up',
    '/forgot-password',
    '/change-password',
    '/sign-in-link',
    '/verify-email',
    '/check-email',
  ]) {
    await page.goto(path)
    await page.getByRole('link', { name: site.brand }).click()
    await expect(page, path).toHaveURL('/')
  }
})

test('the auth pages link to each other', async ({ page }) => {
  await page.goto('/sign-in')
  await page.getByRole('link', { name: 'Sign up' }).click()
  await expect(page).toHaveURL('/sign-up')
  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  await page.getByRole('link', { name: 'Back to sign in' }).click()
  await expect(page).toHaveURL('/sign-in')
})

test('a dashboard page asks for a sign-in and opens after it', async ({ page }) => {
  const { email } = await newInvestor({ kyc: 'none' })
  await page.goto('/dashboard/transaction-history')
  await expect(page).toHaveURL('/sign-in?next=%2Fdashboard%2Ftransaction-history')
  await expect(page.getByText('Please sign in to continue.')).toBeVisible()
  await fillSignIn(page, email, PASSWORD)
  await expect(page).toHaveURL('/dashboard/transaction-history')
  await expect(page.getByText('You currently do not have any transaction history')).toBeVisible()
})

test('the overview needs a session, and a revoked token is refused', async ({ open }) => {
  const page = await open()
  await page.goto('/dashboard/overview')
  await expect(page).toHaveURL('/sign-in')
  const { session } = await newInvestor({ kyc: 'none' })
  await send('POST', '/auth/logout', { token: session.token })
  const stale = await open(session)
  await stale.goto('/dashboard/overview')
  await expect(stale).toHaveURL('/sign-in?why=ended')
  await expect(stale.getByText('Your session has ended.')).toBeVisible()
  expect(await stale.evaluate(() => localStorage.getItem('user-info'))).toBeNull()
})

test('a sign-in never redirects to another site', async ({ page }) => {
  const { email } = await newInvestor({ kyc: 'none' })
  await page.goto('/sign-in?next=%2F%2Felsewhere.example%2Fdashboard%2Foverview')
  await fillSignIn(page, email, PASSWORD)
  await expect(page).toHaveURL('/dashboard/overview')
})

test('an investor is redirected away from the operator’s console', async ({ open }) => {
  const { session } = await newInvestor({ kyc: 'none' })
  const page = await open(session)
  await page.goto('/operator/deposits')
  await expect(page).toHaveURL('/dashboard/overview')
})

test('an operator’s wrong code is reported beside the field', async ({ page }) => {
  await page.goto('/sign-in')
  await fillSignIn(page, operatorSession('second').email, PASSWORD)
  const code = page.getByRole('textbox', { name: 'Authentication code' })
  await code.fill('000000')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(code).toHaveAccessibleDescription(/That code is wrong or was used already\./)
  await expect(code).toBeFocused()
  await expect(page.getByRole('textbox', { name: 'Email' })).toHaveValue(operatorSession('second').email)
})

test('a second tab follows a sign-out', async ({ open }) => {
  const { name, session } = await newInvestor({ kyc: 'none' })
  const tab = await open(session)
  await tab.goto('/dashboard/deposit')
  const other = await tab.context().newPage()
  await other.goto('/dashboard/overview')
  await expect(other.getByRole('button', { name })).toBeVisible()
  await tab.getByRole('button', { name }).click()
  await tab.getByRole('button', { name: 'Logout' }).click()
  await expect(tab).toHaveURL('/sign-in')
  await expect(other).toHaveURL('/sign-in?why=logged-out')
  await expect(other.getByText('You logged out in another tab.')).toBeVisible()
})

test('on a phone the menu opens, closes, navigates and signs out', async ({ open }) => {
  const { session } = await newInvestor({ kyc: 'none' })
  const page = await open(session, { viewport: { width: 390, height: 844 } })
  await page.goto('/dashboard/overview')
  const menu = page.getByRole('navigation', { name: 'Dashboard' })
  await expect(menu).toBeHidden()
  await page.getByRole('button', { name: 'Open the menu' }).click()
  await menu.getByRole('link', { name: 'KYC' }).click()
  await expect(page).toHaveURL('/dashboard/kyc')
  await page.getByRole('button', { name: 'Open the menu' }).click()
  await page.getByRole('button', { name: 'Close the menu' }).click()
  await expect(menu).toBeHidden()
  await page.getByRole('button', { name: 'Open the menu' }).click()
  await waitForScripts(page)
  await menu.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL('/sign-in')
})

async function choosePassword(page: Page, password: string): Promise<void> {
  await page.getByRole('textbox', { name: 'New password', exact: true }).fill(password)
  await page.getByRole('textbox', { name: 'Confirm new password' }).fill(password)
  await page.getByRole('button', { name: 'Change Password' }).click()
}

test('a browser whose clock is a day ahead signs in and stays signed in', async ({ page }) => {
  const { email } = await newInvestor({ kyc: 'none' })
  await page.clock.setSystemTime(Date.now() + 25 * 3_600_000)
  await page.goto('/sign-in')
  await fillSignIn(page, email, PASSWORD)
  await expect(page).toHaveURL('/dashboard/overview')
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page).toHaveURL('/dashboard/overview')
})

test('a browser that blocks storage says so, on the sign-in page and on pages behind it', async ({
  page,
}) => {
  await page.addInitScript(() => {
    const blocked = () => {
      throw new DOMException('The request is denied.', 'SecurityError')
    }
    Object.defineProperty(window, 'localStorage', { get: blocked })
  })
  await page.goto('/dashboard/overview')
  await expect(page).toHaveURL(/\/sign-in/)
  await expect(page.getByText('Your browser blocks storage for this site')).toBeVisible()
})

test('a verification link that is opened again says that the address is verified, and leads to the sign-in', async ({
  page,
}) => {
  const { email } = await newInvestor({ kyc: 'none' })
  const link = linkIn(await waitForMail(email, /verify/i), '/verify-email')
  await page.goto(link.pathname + link.search)
  await expect(page.getByText('Your e-mail address is verified already.')).toBeVisible()
  await page.getByRole('link', { name: 'Sign In' }).first().click()
  await expect(page).toHaveURL(/\/sign-in/)
})
