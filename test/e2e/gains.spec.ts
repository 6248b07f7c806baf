import { readFile } from 'node:fs/promises'
import { expectAccessible } from './support/accessibility.ts'
import { newInvestor } from './support/people.ts'
import { expect, test } from './support/test.ts'

test('an investor fixes the method of a year, and its report names the orders behind each figure', async ({
  open,
}) => {
  const { session } = await newInvestor({ name: 'Ana Torres', available: 1500 })
  const page = await open(session)
  await page.goto('/dashboard/transaction-history')
  await page.getByRole('link', { name: 'Gains' }).click()
  await expect(page.getByRole('radio', { name: /Average cost/ })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('radio', { name: /Average cost/ }).check()
  await page.getByRole('textbox', { name: 'Long after this many days' }).fill('a year')
  await page.getByRole('button', { name: /Make the report/ }).click()
  await expect(page.getByText('Please give a number of days from 0 to 3650')).toBeVisible()
  await page.getByRole('textbox', { name: 'Long after this many days' }).fill('183')
  await page.getByRole('button', { name: /Make the report/ }).click()

  await expect(page.getByText('Average cost, long after 183 days')).toBeVisible()
  const coins = page.getByRole('table', { name: 'Coins paid in and out' })
  await expect(coins.getByRole('link', { name: /^DEP-/ })).toBeVisible()
  await expect(coins).toContainText('$1,500.00')
  await expectAccessible(page)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'For Koinly' }).click()
  const text = await readFile(await (await download).path(), 'utf8')
  expect(text).toMatch(/^"Date","Sent Amount","Sent Currency"/)
  expect(text).toContain('1500.00,"USD"')
})

test('lots are chosen for each sale, and what does not fit is said without losing what was typed', async ({
  open,
}) => {
  const { session } = await newInvestor({ name: 'Ana Torres' })
  const page = await open(session, { viewport: { width: 390, height: 844 } })
  const at = (day: string) => `2025-${day}T00:00:00.000Z`
  const sale = {
    _id: 'sale',
    ref: 'RDM-2',
    strategy: 'Even Basket',
    at: at('06-01'),
    units: 5,
    proceeds: 600,
    isFee: false,
  }
  const lot = { _id: 'lot', ref: 'ALC-1', strategy: 'Even Basket', at: at('01-02'), units: 10, cost: 1000 }
  const gains = { year: 2025, name: 'Ana Torres', years: [2026, 2025], rules: null, report: null }
  const sent: unknown[] = []
  await page.route(/\/api\/v1\/gains/, (route) => {
    if (route.request().method() === 'GET')
      return route.fulfill({ json: { ...gains, open: { sales: [sale], lots: [lot] } } })
    sent.push(route.request().postDataJSON())
    const msg = 'A sale takes more units than the lot has, or than it sold'
    return route.fulfill({
      status: 422,
      json: { code: 'validation_failed', msg: 'Please check', fields: { choices: msg } },
    })
  })
  await page.goto('/dashboard/gains?year=2025')
  await page.getByRole('radio', { name: /Lots that you choose/ }).check()
  await page.getByRole('textbox', { name: 'Units from ALC-1' }).fill('6,5')
  await page.getByRole('button', { name: 'Make the report of 2025' }).click()
  await expect(page.getByText('A sale takes more units than the lot has')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Units from ALC-1' })).toHaveValue('6,5')
  expect(sent).toEqual([
    { year: 2025, method: 'chosen', holdingDays: 365, choices: { sale: [{ lot: 'lot', units: 6.5 }] } },
  ])
})
