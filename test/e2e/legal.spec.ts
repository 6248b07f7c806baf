import { SETTINGS } from '../../src/contract/console/settingList.ts'
import { MAX_OPEN_REQUESTS, TRANSACTION_FEE } from '../../src/contract/money/transactions.ts'
import { formatCents, formatUsd } from '../../src/contract/money.ts'
import { expect, test } from './support/test.ts'

const texts = [
  { path: '/terms-of-service', title: 'Terms of Service', date: 'August 10, 2022', sections: 11 },
  { path: '/privacy-policy', title: 'Privacy Policy', date: 'September 10, 2023', sections: 8 },
  { path: '/regulations', title: 'Regulations', date: /^[A-Z][a-z]+\s\d{1,2},\s20\d\d$/, sections: 8 },
  {
    path: '/risk-disclosure',
    title: 'Risk Disclosure',
    date: /^[A-Z][a-z]+\s\d{1,2},\s20\d\d$/,
    sections: 10,
  },
]

for (const { path, title, date, sections } of texts) {
  test(`${path} is dated, numbered and marked as a sample, and its contents link to each section`, async ({
    page,
  }) => {
    await page.goto(path)
    const main = page.getByRole('main')
    await expect(main.getByRole('heading', { level: 1 })).toHaveText(title)
    await expect(main.locator('time')).toHaveText(date)
    await expect(main.getByText('Sample', { exact: true })).toBeVisible()
    const numbered = main.getByRole('heading', { level: 2, name: /^\d+\. / })
    await expect(numbered).toHaveCount(sections)
    const links = main.getByRole('navigation', { name: 'Contents' }).getByRole('link')
    await expect(links).toHaveCount(sections)
    const last = links.last()
    await last.click()
    await expect(numbered.last()).toBeInViewport()
    await expect(page).toHaveURL(`${path}${await last.getAttribute('href')}`)
  })
}

test('terms and privacy require an age of 18, and the terms link to fees and risks', async ({ page }) => {
  for (const path of ['/terms-of-service', '/privacy-policy']) {
    await page.goto(path)
    await expect(page.getByText('at least 18 years old')).toBeVisible()
  }
  await page.goto('/terms-of-service')
  const main = page.getByRole('main')
  for (const [name, to] of [
    ['risk disclosure', '/risk-disclosure'],
    ['Fees', '/fees'],
    ['Regulations', '/regulations'],
  ] as const) {
    await expect(main.getByRole('link', { name, exact: true })).toHaveAttribute('href', to)
  }
})

test('the risks begin with a summary of five lines', async ({ page }) => {
  await page.goto('/risk-disclosure')
  const summary = page.getByRole('region', { name: 'In short' })
  await expect(summary.getByRole('listitem')).toHaveCount(5)
  await expect(summary).toContainText('You could lose all the money you invest')
})

test('regulations link to public registers without a referrer', async ({ page }) => {
  await page.goto('/regulations')
  const outward = page.getByRole('main').locator('a[href^="http"]')
  const links = await outward.evaluateAll((anchors) =>
    anchors.map((anchor) => [anchor.getAttribute('href') ?? '', anchor.getAttribute('rel') ?? '']),
  )
  const hosts = links.map(([href]) => new URL(href ?? '').host)
  for (const host of ['www.esma.europa.eu', 'www.fca.org.uk', 'www.fincen.gov']) expect(hosts).toContain(host)
  for (const [href, rel] of links) expect(rel, href).toBe('noopener noreferrer')
})

test('the table of fees shows what the platform charges', async ({ page }) => {
  await page.goto('/fees')
  const charges = page.getByRole('region', { name: 'Who charges what' })
  const row = (name: string) =>
    charges.getByRole('row').filter({ has: page.getByRole('rowheader', { name }) })
  for (const name of ['A deposit in bitcoin', 'A withdrawal to a crypto address', 'A withdrawal to a bank']) {
    await expect(row(name).getByRole('cell').first()).toHaveText(formatUsd(TRANSACTION_FEE))
  }
  await expect(row('Having an account')).toContainText(
    `${formatCents(SETTINGS['fees.subscriptionMonthly'].default)} a month`,
  )
  await expect(row('A share of profits')).toContainText(
    `${SETTINGS['fees.performanceBasisPoints'].default / 100}% of profits`,
  )
  const limits = page.getByRole('region', { name: 'Limits' })
  await expect(limits).toContainText('Above $10,000.00')
  await expect(limits).toContainText(`BTC, Bitcoin: ${formatCents(SETTINGS['minimums.btc'].default)}`)
  await expect(limits).toContainText(`${MAX_OPEN_REQUESTS} each way`)
})

test('the example with a thousand dollars subtracts the fees of two requests', async ({ page }) => {
  await page.goto('/fees')
  const example = page.getByRole('region', { name: 'A thousand dollars in, and out again' })
  await expect(example.getByRole('definition').first()).toHaveText(formatUsd(1000))
  await expect(example).toContainText(`Paid to your address${formatUsd(1000 - 2 * TRANSACTION_FEE)}`)
  await expect(example).toContainText(`Taken by the platform${formatUsd(2 * TRANSACTION_FEE)}`)
})

test('plans are marked as guidance and have the risk warning', async ({ page }) => {
  await page.goto('/fees')
  const plans = page.getByRole('region', { name: 'Plans are guidance by amount' })
  await expect(plans.getByRole('heading', { level: 3 })).toHaveText(['Silver', 'Gold', 'Platinum', 'Diamond'])
  await expect(plans).toContainText('A plan costs nothing, unlocks nothing and promises nothing')
  await expect(plans).toContainText('You could lose all the money you invest')
})
