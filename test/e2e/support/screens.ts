import { expect, type Locator, type Page } from '@playwright/test'
import { authenticatorCode } from './authenticator.ts'
import { codeIn, waitForMail } from './mailbox.ts'
import { newReference, PASSWORD, type Session } from './people.ts'

/** Submits the sign-in form. */
export async function fillSignIn(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** Presses Tab until the target has the focus. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let presses = 0; presses < 60; presses++) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab never reaches ${target}`)
}

/** Opens a tab of somebody's profile. */
export async function openProfile(
  open: (session: Session) => Promise<Page>,
  session: Session,
  tab = 'personal',
): Promise<Page> {
  const page = await open(session)
  const path = session.role === 'operator' ? '/operator/account' : '/dashboard/profile'
  await page.goto(`${path}#${tab}`)
  return page
}

/** The value of a term in a description list, such as a figure or a detail of a request. */
export function valueFor(place: Page | Locator, label: string): Locator {
  // A term may contain a button after its text.
  return place
    .getByRole('term')
    .locator(`xpath=self::*[normalize-space(descendant::text()[1])="${label}"]/../dd[1]`)
}

/** Waits until all islands are hydrated, so that their controls work. */
export async function waitForScripts(page: Page): Promise<void> {
  // Some islands hydrate when they become visible. Their element has no box, so its children are scrolled to.
  await page
    .locator('astro-island[ssr][client="visible"] > *')
    .evaluateAll((parts) => parts.map((part) => part.scrollIntoView()))
  await expect(page.locator('astro-island[ssr]')).toHaveCount(0)
}

/** Opens the overview and waits until it shows these figures. */
export async function expectFigures(page: Page, figures: Readonly<Record<string, string>>): Promise<void> {
  await page.goto('/dashboard/overview')
  for (const [label, figure] of Object.entries(figures))
    await expect(valueFor(page, label)).toHaveText(figure)
}

/** The overview's figures of a new account. */
export const EMPTY_FIGURES = {
  'Total Balance': '$0.00',
  'Total Deposits': '$0.00',
  'Pending Deposits': '$0.00',
  'Total Withdrawals': '$0.00',
  'Pending Withdrawals': '$0.00',
  Bonus: '$0.00',
}

/** Opens the case with this text, such as an e-mail address, in a queue of the operator's console. */
export async function openCase(page: Page, queue: string, text: string): Promise<Locator> {
  await page
    .getByRole('navigation', { name: 'Operator’s console' })
    .getByRole('link', { name: queue })
    .click()
  // Queues show the oldest request first. Other tests file many, so this one may be on a later page.
  await page.getByRole('combobox', { name: 'The order of' }).selectOption('newest')
  await page.getByRole('row').filter({ hasText: text }).getByRole('button').click()
  return page.getByRole('dialog')
}

/** Fills in the quantity that buys this many USD at the price that the form names, and answers it. */
export async function fillQuantity(dialog: Locator, usd: number): Promise<string> {
  const field = dialog.getByRole('textbox', { name: 'Quantity that arrived' })
  await field.fill('1')
  const hint = await dialog.getByText(/^1 [A-Z]+ at \$/).innerText()
  const price = Number(/at \$([\d,.]+\d)/.exec(hint)?.[1]?.replaceAll(',', ''))
  const quantity = (usd / price).toFixed(8)
  await field.fill(quantity)
  return quantity
}

/** Says why to go on, in the form of a case whose risk is high. */
export async function fillRiskReason(form: Locator): Promise<void> {
  const reason = form.getByRole('textbox', { name: 'Why you go on despite the high risk' })
  if ((await reason.count()) > 0) await reason.fill('Called back on the number on file.', { timeout: 3000 })
}

/** Enters the name on an open identity document, and ticks all checks. */
export async function checkDocument(dialog: Locator, name: string): Promise<void> {
  const checks = dialog.getByRole('group', { name: 'Check the document' }).getByRole('checkbox')
  // The group has this name once the document is open; `all` does not wait.
  await expect(checks).toHaveCount(3)
  await dialog.getByRole('textbox', { name: 'Name on the document' }).fill(name)
  await dialog
    .getByRole('textbox', { name: 'Number of the document' })
    .fill(`SAMPLE-${newReference().slice(0, 12)}`)
  await dialog.getByLabel('Date of birth').fill('1990-05-01')
  await dialog.getByLabel('Expires on').fill('2035-05-01')
  for (const check of await checks.all()) await check.check()
}

/** Fills in the coin and the amount of a deposit. */
export async function fillDepositForm(page: Page, coin: string, amount: string): Promise<void> {
  await page.getByRole('radio', { name: coin }).check()
  await page.getByRole('textbox', { name: 'Amount in USD' }).fill(amount)
}

/** Fills in and submits a withdrawal in bitcoin. */
export async function withdrawBitcoin(page: Page, amount: string, address = BITCOIN_ADDRESS): Promise<void> {
  await page.getByRole('textbox', { name: 'Amount in USD' }).fill(amount)
  await page.getByRole('radio', { name: 'Bitcoin' }).check()
  await page.getByRole('textbox', { name: 'Withdrawal address' }).fill(address)
  await page.getByRole('button', { name: 'Send Withdrawal Request' }).click()
}

/** Confirms a withdrawal with the mailed code. */
export async function confirmByMail(page: Page, email: string, mailsBefore = 0): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Confirm this withdrawal' })
  await expect(dialog).toBeVisible()
  const mail = await waitForMail(email, /^Confirm your withdrawal$/, mailsBefore)
  await dialog.getByRole('textbox', { name: 'Code' }).fill(codeIn(mail))
  await dialog.getByRole('button', { name: 'Confirm Withdrawal' }).click()
}

/** Confirms a change of the address book with the mailed code. `mailsBefore` is the number of such mails before. */
export async function confirmAddress(page: Page, email: string, mailsBefore = 0): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Confirm this address' })
  await expect(dialog).toBeVisible()
  const mail = await waitForMail(email, /^Confirm a change of your address book$/, mailsBefore)
  await dialog.getByRole('textbox', { name: 'Code' }).fill(codeIn(mail))
  await dialog.getByRole('button', { name: 'Confirm Address' }).click()
}

/** Confirms a withdrawal with a code of the authenticator app. */
export async function confirmByApp(page: Page, code: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Confirm this withdrawal' })
  await dialog.getByRole('textbox', { name: 'Code' }).fill(code)
  await dialog.getByRole('button', { name: 'Confirm Withdrawal' }).click()
}

/** The text fields of a bank withdrawal, by label. */
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

/** Fills in a bank withdrawal. */
export async function fillBankForm(page: Page, amount: string): Promise<void> {
  await page.getByRole('radio', { name: 'Online Service Withdrawal' }).check()
  await page.getByRole('textbox', { name: 'Amount in USD' }).fill(amount)
  await fillBankFields(page)
}

/** Fills in the bank details of any form that has them. */
export async function fillBankFields(page: Page | Locator): Promise<void> {
  await page.getByRole('combobox', { name: 'Country of the bank' }).selectOption('South Africa')
  await showFullBankForm(page)
  await page.getByRole('combobox', { name: 'Title' }).selectOption('Ms')
  await page.getByRole('combobox', { name: 'Account type' }).selectOption('Savings')
  for (const [label, text] of Object.entries(BANK_TEXTS))
    await page.getByRole('textbox', { name: label, exact: true }).fill(text)
}

/** Shows every field of a bank account. */
export async function showFullBankForm(page: Page | Locator): Promise<void> {
  await page.getByRole('checkbox', { name: 'Fill in the full form' }).check()
}

/** A valid Bitcoin address (the example of BIP 173). */
export const BITCOIN_ADDRESS = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'

/** Approves the proposal whose dialog is open. */
export async function approveProposal(dialog: Locator): Promise<void> {
  await dialog.getByRole('button', { name: /^Approve / }).click()
  await dialog
    .locator('form')
    .getByRole('button', { name: /^Approve / })
    .click()
  // The next proposal opens by itself, in a dialog with its own name.
  await expect(dialog.page().getByRole('dialog').getByText('Approved', { exact: true }).first()).toBeVisible()
}

/** Confirms an operator's action with a code of the app. If another test has used that code, it tries the next ones. */
export async function confirmWithCode(page: Page, what: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Confirm with your second factor' })
  await expect(dialog.getByText(what)).toBeVisible()
  const refused = dialog.getByText('That code is wrong, was used already or has expired.')
  for (let tries = 0; ; tries++) {
    // The server also accepts the next code, because clocks differ. So the first retry does not wait for it.
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
