import type { Locator, Page } from '@playwright/test'
import { newInvestor, PASSWORD } from './support/people.ts'
import { picture } from './support/picture.ts'
import { expect, test } from './support/test.ts'

test('sign-in, a deposit and its cancellation work by keyboard alone', async ({ page }) => {
  const { email } = await newInvestor()
  // Registered early: the browser must know before a file chooser opens that Playwright handles it.
  page.on('filechooser', (chooser) => chooser.setFiles(picture('receipt.png')))
  await page.goto('/sign-in')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to the content' })).toBeFocused()
  await tabTo(page, page.getByLabel('Email'))
  await page.keyboard.type(email)
  await tabTo(page, page.getByLabel('Password', { exact: true }))
  await page.keyboard.type(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/dashboard/overview')

  await tabTo(
    page,
    page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link', { name: 'Deposit' }),
  )
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/dashboard/deposit')
  await expect(page.getByRole('radio', { name: 'Bitcoin' })).toBeVisible()
  await tabTo(page, page.getByRole('radio', { name: 'Bitcoin' }))
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('radio', { name: 'Ethereum' })).toBeChecked()
  await tabTo(page, page.getByLabel('Amount in USD'))
  await page.keyboard.type('40.50')
  await tabTo(page, page.getByLabel('Receipt', { exact: true }))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Remove receipt.png' })).toBeVisible()
  await tabTo(page, page.getByRole('button', { name: 'Send Deposit Request' }))
  await page.keyboard.press('Enter')

  const completed = page.getByRole('dialog', { name: 'Deposit Request Completed' })
  await expect(completed).toBeVisible()
  await expect(completed.getByRole('button', { name: 'Close' })).toBeFocused()
  await tabTo(page, completed.getByRole('link', { name: 'Transaction History' }))
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/dashboard/transaction-history')

  const row = page.getByRole('row').filter({ hasText: '$40.50' })
  await expect(row).toBeVisible()
  await tabTo(page, row.getByRole('button'))
  await page.keyboard.press('Enter')
  const detail = page.getByRole('dialog', { name: 'Deposit' })
  await expect(detail.getByRole('list', { name: 'Timeline' })).toBeVisible()
  await tabTo(page, detail.getByRole('button', { name: 'Cancel this request' }))
  await page.keyboard.press('Enter')
  await tabTo(page, detail.getByRole('button', { name: 'Yes, cancel it' }))
  await page.keyboard.press('Enter')
  await expect(detail.getByText('Cancelled').first()).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(detail).toBeHidden()
  await expect(row).toContainText('Cancelled')
  await expect(row.getByRole('button')).toBeFocused()
})

test('the account menu opens, closes and signs out by keyboard', async ({ open }) => {
  const { name, session } = await newInvestor()
  const page = await open(session)
  await page.goto('/dashboard/overview')
  const opener = page.getByRole('button', { name })
  await expect(opener).toBeVisible()
  await tabTo(page, opener)
  await page.keyboard.press('Enter')
  await expect(page.getByText(session.email)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByText(session.email)).toBeHidden()
  await expect(opener).toBeFocused()
  await page.keyboard.press('Enter')
  await tabTo(page, page.getByRole('button', { name: 'Logout' }))
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/sign-in')
})

/** Presses Tab until the target has the focus, which then has to be seen. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeEnabled()
  for (let presses = 0; presses < 60; presses++) {
    if (await target.evaluate((element) => element === document.activeElement)) return expectToBeSeen(target)
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab never leads to ${target}`)
}

// The ring may be drawn by what stands around the control, as a card does for its radio, or laid over a whole row.
async function expectToBeSeen(target: Locator): Promise<void> {
  const rings = await target.evaluate((element) =>
    [element, element.parentElement, element.parentElement?.parentElement]
      .flatMap((each) => (each ? [getComputedStyle(each), getComputedStyle(each, '::after')] : []))
      .map(({ outlineStyle }) => outlineStyle),
  )
  expect(rings, `a ring around ${target}`).toContain('solid')
}
