import { linkIn, waitForMail } from './support/mailbox.ts'
import { newAddress, PASSWORD } from './support/people.ts'
import { fillSignIn, waitForScripts } from './support/screens.ts'
import { expect, test } from './support/test.ts'

const MOST_ACTIONS = 12
const MOST_SECONDS = 120

test('a visitor practises alone: from the home page to an invested amount beside a chart that moves, in 12 actions and two minutes', async ({
  open,
}) => {
  test.setTimeout(180_000)
  const email = newAddress()
  const page = await open()
  await page.emulateMedia({ reducedMotion: 'no-preference' })
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
  await act('opens one', async () => {
    await waitForScripts(page)
    await page.getByRole('button', { name: 'Even Basket' }).first().click()
  })
  await act('invests', async () => {
    const form = page.getByRole('region', { name: 'Invest' })
    await form.getByRole('textbox', { name: 'Amount in USD' }).fill('1000')
    await form.getByRole('checkbox').check()
    await form.getByRole('button', { name: /^Invest/ }).click()
  })
  const waiting = page.getByRole('dialog', { name: 'Your order is placed' })
  await expect(waiting).toContainText(
    /\$1,000\.00 is invested at the price of .+, in (\d+ h )?\d+ min|less than a minute/,
  )
  await expect(page.getByRole('region', { name: 'Orders' })).toContainText('Pending')
  const worth = waiting.locator('path.worth')
  await expect(worth).toHaveAttribute('d', /L/)
  const drawn = await worth.getAttribute('d')
  await expect(worth, 'the chart moves').not.toHaveAttribute('d', drawn ?? '')
  expect(actions).toBeLessThanOrEqual(MOST_ACTIONS)
  expect((Date.now() - began) / 1000).toBeLessThanOrEqual(MOST_SECONDS)
})

test('an account is played day by day, with orders and fills, and can be paused', async ({ page }) => {
  await page.goto('/playback?test=/strategies/strongest-two/basket')
  const select = page.getByRole('combobox', { name: 'Strategy' })
  await expect(select).toHaveValue('/strategies/strongest-two/basket')
  const read = page.locator('strategy-playback .read')
  await expect(read).toContainText(/^\w{3}\s\d+,\s\d{4}: \$10,000\.00 became \$[\d,.]+$/)
  const first = await read.innerText()
  // Whoever wants less motion starts it.
  await page.waitForTimeout(600)
  await expect(read).toHaveText(first)
  await page.getByRole('button', { name: 'Play' }).click()
  await expect(read, 'a day passes').not.toHaveText(first)
  await page.getByRole('button', { name: 'Pause' }).click()
  const paused = await read.innerText()
  await page.waitForTimeout(600)
  await expect(read).toHaveText(paused)
  const day = page.getByRole('slider', { name: 'Day' })
  await day.press('End')
  await expect(page.getByRole('list', { name: 'Newest orders and fills' })).toContainText(
    /Ordered at the close of \w{3}\s\d+,\s\d{4}, filled at the open of \w{3}\s\d+,\s\d{4}: (bought|sold) [\d.,]+ \w+ at \$[\d,.]+, fee \$[\d,.]+/,
  )
  await expect(page.getByRole('button', { name: 'Play again' })).toBeVisible()
  await select.selectOption({ label: 'Even Basket, Practice market' })
  await expect(page).toHaveURL('/playback?test=/strategies/even-basket/simulated')
  await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeVisible()
})

test('without scripts the playback shows how the account ended', async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto('/playback')
  await expect(page.getByText(/^From \w{3}\s\d+,\s20\d\d, \$10,000 became \$[\d,]+/)).toBeVisible()
  await expect(page.getByRole('combobox')).toBeHidden()
  await context.close()
})
