import { linkIn, waitForMail } from './support/mailbox.ts'
import { newAddress, PASSWORD } from './support/people.ts'
import { fillSignIn, waitForScripts } from './support/screens.ts'
import { expect, test } from './support/test.ts'

const MOST_ACTIONS = 12
const MOST_SECONDS = 120

test('a visitor practises alone: from the home page to simulated money and the strategies, in 12 actions and two minutes', async ({
  open,
}) => {
  test.setTimeout(180_000)
  const email = newAddress()
  const page = await open()
  const began = Date.now()
  let actions = 0
  /** One action: a click, a link of a mail, or a form filled in and sent. */
  const act = (what: string, does: () => Promise<unknown>) => {
    actions += 1
    return test.step(`${actions}. ${what}`, does)
  }
  await page.goto('/')
  await act('opens the sign-up form', () =>
    page.getByRole('main').getByRole('link', { name: 'Create an Account' }).first().click(),
  )
  await act('signs up', async () => {
    await page.getByRole('textbox', { name: 'Full name' }).fill('Vera Visitor')
    await page.getByRole('textbox', { name: 'Email' }).fill(email)
    await page.getByRole('textbox', { name: 'Phone number' }).fill('+1 555 010 0199')
    await page.getByRole('combobox', { name: 'Country' }).fill('Germany')
    await page.getByRole('textbox', { name: 'Password', exact: true }).fill(PASSWORD)
    await page.getByRole('textbox', { name: 'Confirm password' }).fill(PASSWORD)
    await page.getByRole('checkbox', { name: /18 or older/ }).check()
    await page.getByRole('button', { name: 'Create an account' }).click()
    await expect(page).toHaveURL('/check-email')
  })
  const link = linkIn(await waitForMail(email, /verify/i), '/verify-email')
  await act('opens the link of the mail', async () => {
    await page.goto(link.href)
    await expect(page.getByText('Email Verified. Congratulations!')).toBeVisible()
  })
  await act('goes to the sign-in form', () => page.getByRole('link', { name: 'Sign In' }).click())
  await act('signs in', async () => {
    await fillSignIn(page, email)
    await expect(page).toHaveURL('/dashboard/overview')
  })
  await act('begins to verify the identity', async () => {
    await page.getByRole('link', { name: 'Verify', exact: true }).click()
    await waitForScripts(page)
  })
  await act('sends a sample passport, which is approved', async () => {
    await page.getByRole('button', { name: 'Use a sample passport' }).click()
    await expect(page.getByText('Your identity is verified.')).toBeVisible({ timeout: 20_000 })
  })
  await act('goes to the deposit form', async () => {
    await page.getByRole('main').getByRole('link', { name: 'Deposit', exact: true }).click()
    await waitForScripts(page)
  })
  const completed = page.getByRole('dialog', { name: 'Deposit Request Completed' })
  await act('sends a sample receipt of $10,000, which is credited', async () => {
    await page.getByRole('button', { name: 'Use a sample receipt' }).click()
    await expect(completed.getByText('$10,000.00 of simulated money was credited.')).toBeVisible({
      timeout: 20_000,
    })
  })
  await act('goes to the strategies', () =>
    completed.getByRole('link', { name: 'Choose a strategy' }).click(),
  )
  expect(actions).toBeLessThanOrEqual(MOST_ACTIONS)
  expect((Date.now() - began) / 1000).toBeLessThanOrEqual(MOST_SECONDS)
})
