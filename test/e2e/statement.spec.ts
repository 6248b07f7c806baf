import { readFile } from 'node:fs/promises'
import { expectAccessible } from './support/accessibility.ts'
import { newInvestor } from './support/people.ts'
import { expect, test } from './support/test.ts'

test('a statement shows the entries and balances of its period, and is saved as a file', async ({ open }) => {
  const ana = await newInvestor({ name: 'Ana Torres', available: 1500 })
  const page = await open(ana.session)
  await page.goto('/dashboard/transaction-history')
  await page.getByRole('link', { name: 'Statement' }).click()
  await expect(page).toHaveURL('/dashboard/statement')

  const entries = page.getByRole('table', { name: 'Entries of the statement' })
  const credited = entries.getByRole('row').filter({ hasText: 'Deposit credited' })
  await expect(credited).toContainText('+$1,500.00')
  await expect(credited).toContainText(/DEP-/)
  await expect(page.getByRole('definition').filter({ hasText: '$' })).toHaveText([
    ...['$0.00', '+$1,500.00', '$0.00', '$0.00', '$1,500.00'],
    ...['$1,500.00', '$0.00', '$0.00', '$0.00', '$0.00'],
  ])
  await expect(page.getByText('Ana Torres', { exact: true }).last()).toBeVisible()

  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save as CSV' }).click()
  const file = await download
  expect(file.suggestedFilename()).toMatch(/^[a-z0-9-]+-statement-\d{4}-\d\d-01-\d{4}-\d\d-\d\d\.csv$/)
  const text = await readFile(await file.path(), 'utf8')
  expect(text).toMatch(
    /^"Time \(UTC\)","Entry","Reference","Amount","Change","Available","Held","Balance"\r\n/,
  )
  expect(text).toMatch(/"Closing balance",,,,1500\.00,0\.00,1500\.00\r\n/)
  expect(text).toMatch(/,"Total Balance",,,,,,1500\.00\r\n$/)

  await page.getByRole('combobox', { name: 'Period' }).selectOption({ label: 'Last year' })
  await expect(page.getByText('No entries in this period')).toBeVisible()
  await page.reload()
  await expect(page.getByRole('combobox', { name: 'Period' })).toHaveValue('Last year')
  await page.getByLabel('From').fill('2030-01-01')
  await expect(page.getByText('The last day comes before the first')).toBeVisible()
})

test('a long statement is shown, printed on several pages, or saved as a file', async ({ open }) => {
  const { session } = await newInvestor({ name: 'Ana Torres' })
  const page = await open(session, { viewport: { width: 390, height: 844 } })
  const entries = Array.from({ length: 150 }, (_, i) => entry(i))
  await page.route(/\/api\/v1\/statements/, (route) =>
    !route.request().url().includes('from=')
      ? route.fulfill({ status: 422, json: { msg: 'More than 1,000 entries.', code: 'too_many_entries' } })
      : route.fulfill({
          json: {
            from: '2026-01-01T00:00:00.000Z',
            to: '2026-01-31T23:59:59.999Z',
            name: 'Ana Torres',
            opening: balances(0),
            entries,
            closing: { ...balances(200), invested: 100, unrealised: -10 },
            positions: [
              { strategy: 'slow-trend', name: 'Slow Trend', units: 0.9, unitPrice: 100, value: 90 },
            ],
          },
        }),
  )
  await page.goto('/dashboard/statement?from=2026-01-01&to=2026-01-31')
  await expect(page.getByLabel('From')).toHaveValue('2026-01-01')
  const table = page.getByRole('table', { name: 'Entries of the statement' })
  await expect(table.getByRole('row')).toHaveCount(151)
  const units = page.getByRole('table', { name: 'Units in strategies at the end' })
  await expect(units.getByRole('row').last()).toContainText(/Slow Trend.*0\.9.*\$100\.00.*\$90\.00/s)
  await expect(page.getByRole('definition').filter({ hasText: '$90.00' })).toHaveCount(1)

  const pdf = (await page.pdf({ format: 'A4', printBackground: true })).toString('latin1')
  expect(pdf.match(/\/Type \/Page\b(?!s)/g)?.length).toBeGreaterThan(3)
  await page.emulateMedia({ media: 'print' })
  await page.setViewportSize({ width: 680, height: 960 })
  await expect(table.locator('thead')).toHaveCSS('display', 'table-header-group')
  await expect(page.getByText('Practice mode.').filter({ visible: true })).toHaveCount(1)
  await expect(page.getByRole('combobox', { name: 'Period' })).toBeHidden()
  await page.emulateMedia({ media: 'screen' })

  await page.getByRole('combobox', { name: 'Period' }).selectOption('Everything')
  await expect(page).toHaveURL('/dashboard/statement?from=&to=')
  await expect(page.getByText('save this one as CSV, which has every entry')).toBeVisible()
  await expectAccessible(page)
})

function balances(available: number) {
  const nothing = { held: 0, allocating: 0, invested: 0, owed: 0, unrealised: 0 }
  return { ...nothing, available, balance: available, totalBalance: available }
}

function entry(i: number) {
  return {
    _id: String(i),
    at: new Date(Date.UTC(2026, 0, 1) + i * 3_600_000).toISOString(),
    ref: `DEP-LONG${String(i).padStart(4, '0')}`,
    code: 'credit',
    amount: 1,
    change: 1,
    available: i + 1,
    held: 0,
    balance: i + 1,
  }
}
