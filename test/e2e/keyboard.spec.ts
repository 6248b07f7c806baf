import type { Locator, Page } from '@playwright/test'
import { picture } from '../support/picture.ts'
import { newInvestor, PASSWORD } from './support/people.ts'
import { tabTo } from './support/screens.ts'
import { expect, test } from './support/test.ts'

test('sign-in, a deposit and its cancellation work by keyboard alone', async ({ page }) => {
  const { email } = await newInvestor()
  // Registered early: the browser must know before a file chooser opens that Playwright handles it.
  page.on('filechooser', (chooser) => chooser.setFiles(picture('receipt.png')))
  await page.goto('/sign-in')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to the content' })).toBeFocused()
  await tabToVisibly(page, page.getByLabel('Email'))
  await page.keyboard.type(email)
  await tabToVisibly(page, page.getByLabel('Password', { exact: true }))
  await page.keyboard.type(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/dashboard/overview')

  await tabToVisibly(
    page,
    page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link', { name: 'Deposit' }),
  )
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/dashboard/deposit')
  await expect(page.getByRole('radio', { name: 'Bitcoin' })).toBeVisible()
  await tabToVisibly(page, page.getByRole('radio', { name: 'Bitcoin' }))
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('radio', { name: 'Ethereum' })).toBeChecked()
  await tabToVisibly(page, page.getByLabel('Amount in USD'))
  await page.keyboard.type('40.50')
  await tabToVisibly(page, page.getByLabel('Receipt', { exact: true }))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Remove receipt.png' })).toBeVisible()
  await tabToVisibly(page, page.getByRole('button', { name: 'Send Deposit Request' }))
  await page.keyboard.press('Enter')

  const completed = page.getByRole('dialog', { name: 'Deposit Request Completed' })
  await expect(completed).toBeVisible()
  await expect(completed.getByRole('button', { name: 'Close' })).toBeFocused()
  await tabToVisibly(page, completed.getByRole('link', { name: 'Transaction History' }))
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/dashboard/transaction-history')

  const row = page.getByRole('row').filter({ hasText: '$40.50' })
  await expect(row).toBeVisible()
  await tabToVisibly(page, row.getByRole('button'))
  await page.keyboard.press('Enter')
  const detail = page.getByRole('dialog', { name: 'Deposit' })
  await expect(detail.getByRole('list', { name: 'Timeline' })).toBeVisible()
  await tabToVisibly(page, detail.getByRole('button', { name: 'Cancel this request' }))
  await page.keyboard.press('Enter')
  await tabToVisibly(page, detail.getByRole('button', { name: 'Yes, cancel it' }))
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
  await tabToVisibly(page, opener)
  await page.keyboard.press('Enter')
  await expect(page.getByText(session.email)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByText(session.email)).toBeHidden()
  await expect(opener).toBeFocused()
  await page.keyboard.press('Enter')
  await tabToVisibly(page, page.getByRole('button', { name: 'Logout' }))
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/sign-in')
})

/** Presses Tab until the target has the focus, and expects a focus ring. */
async function tabToVisibly(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeEnabled()
  await tabTo(page, target)
  // An ancestor may draw the ring, as a card does for its radio, or a pseudo-element over a whole row.
  const rings = await target.evaluate((element) =>
    [element, element.parentElement, element.parentElement?.parentElement]
      .flatMap((each) => (each ? [getComputedStyle(each), getComputedStyle(each, '::after')] : []))
      .map(({ outlineStyle }) => outlineStyle),
  )
  expect(rings, `a ring around ${target}`).toContain('solid')
}
