import { readFile } from 'node:fs/promises'
import { newInvestor } from './scene/people.ts'
import { expect, test } from './scene/test.ts'

test('a statement shows the period’s entries and balances, and is saved as a file', async ({ open }) => {
  const ana = await newInvestor({ name: 'Ana Torres', available: 1500 })
  const page = await open(ana.session)
  await page.goto('/dashboard/transaction-history')
  await page.getByRole('link', { name: 'Statement' }).click()
  await expect(page).toHaveURL('/dashboard/statement')

  const entries = page.getByRole('table', { name: 'Entries of the statement' })
  const credited = entries.getByRole('row').filter({ hasText: 'Deposit credited' })
  await expect(credited).toContainText('+$1,500.00')
  await expect(credited).toContainText(/DEP-/)
  await expect(page.getByRole('definition').first()).toHaveText('$0.00')
  await expect(page.getByText('Ana Torres, at')).toBeVisible()

  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save as CSV' }).click()
  const file = await download
  expect(file.suggestedFilename()).toMatch(/^evenkeel-statement-\d{4}-\d\d-01-\d{4}-\d\d-\d\d\.csv$/)
  const text = await readFile(await file.path(), 'utf8')
  expect(text).toMatch(/^Time \(UTC\),Entry,Reference,Amount,Change,Available,Held,Balance\r\n/)
  expect(text).toMatch(/Closing balance,,,,1500\.00,0\.00,1500\.00\r\n$/)

  await page.getByRole('combobox', { name: 'Period' }).selectOption({ label: 'Last year' })
  await expect(page.getByText('Nothing was moved in this period')).toBeVisible()
  await page.getByLabel('From').fill('2030-01-01')
  await expect(page.getByText('The last day comes before the first')).toBeVisible()
})

test('the history is filtered by day, and says how to see all of it again', async ({ open }) => {
  const ana = await newInvestor({ available: 20 })
  const page = await open(ana.session)
  await page.goto('/dashboard/transaction-history')
  const rows = page.getByRole('table', { name: 'Transaction history' }).getByRole('row')
  await expect(rows.filter({ hasText: 'Deposit' })).toHaveCount(1)
  await page.getByLabel('To', { exact: true }).fill('2020-01-01')
  await expect(page.getByText('No transaction is of this kind, status and time')).toBeVisible()
  await page.getByRole('button', { name: 'Show all' }).click()
  await expect(rows.filter({ hasText: 'Deposit' })).toHaveCount(1)
})
