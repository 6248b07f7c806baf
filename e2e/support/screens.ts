import { expect, type Locator, type Page } from '@playwright/test'
import { codeIn, mailTo } from './mailbox.ts'
import { authenticatorCode } from './totp.ts'

/** The value beside a name: a tile's figure, a request's detail. */
export function factOf(place: Page | Locator, label: string): Locator {
  // A button may follow the name.
  return place
    .getByRole('term')
    .locator(`xpath=self::*[normalize-space(descendant::text()[1])="${label}"]/../dd[1]`)
}

/** Waits until the page's scripts have taken over what was built, for what can be pressed before and does nothing then. */
export async function scriptsReady(page: Page): Promise<void> {
  // Some wait until they are seen. The element itself has no box.
  await page
    .locator('astro-island[ssr][client="visible"] > *')
    .evaluateAll((parts) => parts.map((part) => part.scrollIntoView()))
  await expect(page.locator('astro-island[ssr]')).toHaveCount(0)
}

/** Waits until the overview shows these figures. */
export async function expectFigures(page: Page, figures: Readonly<Record<string, string>>): Promise<void> {
  await page.goto('/dashboard/overview')
  for (const [label, figure] of Object.entries(figures)) await expect(factOf(page, label)).toHaveText(figure)
}

export const NOTHING_YET = {
  'Total Balance': '$0.00',
  'Total Deposits': '$0.00',
  'Pending Deposits': '$0.00',
  'Total Withdrawals': '$0.00',
  'Pending Withdrawals': '$0.00',
  Bonus: '$0.00',
}

/** Opens somebody's case in a queue of the operator's console. */
export async function openCase(page: Page, queue: string, email: string): Promise<Locator> {
  await page
    .getByRole('navigation', { name: 'Operator’s console' })
    .getByRole('link', { name: queue })
    .click()
  await page.getByRole('row').filter({ hasText: email }).getByRole('button').click()
  return page.getByRole('dialog')
}

/** Chooses and fills in what a deposit is announced with, but for its receipt. */
export async function announceDeposit(page: Page, coin: string, amount: string): Promise<void> {
  await page.getByRole('radio', { name: coin }).check()
  await page.getByRole('textbox', { name: 'Amount in USD' }).fill(amount)
}

/** Types the code that was just mailed into the dialog that asks for it. */
export async function confirmByMail(page: Page, email: string, mailsBefore = 0): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Confirm this withdrawal' })
  await expect(dialog).toBeVisible()
  const mail = await mailTo(email, /confirm/i, mailsBefore)
  await dialog.getByRole('textbox', { name: 'Code' }).fill(codeIn(mail))
  await dialog.getByRole('button', { name: 'Confirm Withdrawal' }).click()
}

/** Types the code that an authenticator app shows into the dialog that asks for one. */
export async function confirmByApp(page: Page, code: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Confirm this withdrawal' })
  await dialog.getByRole('textbox', { name: 'Code' }).fill(code)
  await dialog.getByRole('button', { name: 'Confirm Withdrawal' }).click()
}

/** What a withdrawal to a bank asks for, by its label. */
export const BANK_TEXTS = {
  Surname: 'Torres',
  'First name': 'Ana',
  Occupation: 'Engineer',
  'Client number': 'C-1001',
  'Investment number': 'I-2002',
  'Product name': 'Savings',
  'Bank name': 'First Harbour Bank',
  'Account number': '00112233445566',
  'Branch name': 'Quayside',
  'Account holder name': 'Ana Torres',
  'Branch code': '250655',
  'Withdrawal reason': 'Rent',
}

/** Fills in the bank's form. */
export async function fillBankForm(page: Page, amount: string): Promise<void> {
  await page.getByRole('radio', { name: 'Online Service Withdrawal' }).check()
  await page.getByRole('textbox', { name: 'Amount in USD' }).fill(amount)
  await fillBankFields(page)
}

/** Fills in the bank's fields, in whichever form they stand. */
export async function fillBankFields(page: Page | Locator): Promise<void> {
  await page.getByRole('combobox', { name: 'Title' }).selectOption('Ms')
  await page.getByRole('combobox', { name: 'Account type' }).selectOption('Savings')
  for (const [label, text] of Object.entries(BANK_TEXTS))
    await page.getByRole('textbox', { name: label, exact: true }).fill(text)
}

/** A Bitcoin address that a wallet takes (the example of BIP 173). */
export const BITCOIN_ADDRESS = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'

/** Confirms an operator's act with a code of the app; where another test has used that, with the next one. */
export async function confirmWithCode(page: Page, what: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Confirm with your second factor' })
  await expect(dialog.getByText(what)).toBeVisible()
  const refused = dialog.getByText('That code is wrong, was used already or has expired.')
  for (let tries = 0; ; tries++) {
    // The server takes the next code too, as the clocks of two devices may differ: so the first refusal is not waited out.
    await dialog.getByRole('textbox', { name: 'Code' }).fill(authenticatorCode(tries === 1 ? -1 : 0))
    await dialog.getByRole('button', { name: 'Confirm', exact: true }).click()
    await expect(async () => {
      expect((await dialog.count()) === 0 || !(await dialog.locator('[aria-busy=true]').count())).toBe(true)
    }).toPass()
    if ((await dialog.count()) === 0) return
    await expect(refused).toBeVisible()
    expect(tries).toBeLessThan(3)
    if (tries > 0) await page.waitForTimeout(30_000 - (Date.now() % 30_000) + 500)
  }
}
