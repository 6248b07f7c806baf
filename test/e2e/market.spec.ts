import type { Page } from '@playwright/test'
import { expectAccessible, waitForLoaded } from './support/accessibility.ts'
import { UNAVAILABLE } from './support/http.ts'
import { newInvestor } from './support/people.ts'
import { expect, test } from './support/test.ts'

const OVERVIEW = '/dashboard/overview'
const trendingPart = (page: Page) => page.getByRole('region', { name: 'Trending' })
const topPart = (page: Page) => page.getByRole('region', { name: 'Top 50 by market value' })
const table = (page: Page) => page.getByRole('table', { name: 'Top 50 coins by market value' })
const names = (page: Page) =>
  table(page).getByRole('row').getByRole('cell').and(page.locator(':nth-child(2)'))

/** The market loads when it is about to be seen. A new account's begins anew with its first steps. */
async function openMarket(page: Page) {
  await page.goto(OVERVIEW)
  const heading = page.getByRole('heading', { name: 'Market', exact: true })
  await expect(() => heading.scrollIntoViewIfNeeded({ timeout: 1000 })).toPass()
}

/** Marks the answers of a list as a provider's prices of this age. */
async function setPriceAge(page: Page, list: 'coins' | 'trending', minutesAgo: number) {
  await page.route(`**/api/v1/market/${list}`, async (route) => {
    const response = await route.fetch()
    const headers = { ...response.headers(), 'x-market-source': 'CoinGecko', age: String(minutesAgo * 60) }
    await route.fulfill({ response, headers })
  })
}

test('the overview shows the trending three and the top 50, and that the prices are a sample', async ({
  open,
}) => {
  const page = await open((await newInvestor()).session)
  await openMarket(page)
  const trends = trendingPart(page).getByRole('listitem')
  await expect(trends).toHaveCount(3)
  await expect(trends.first()).toContainText('Sui SUI')
  await expect(trends.first()).toContainText('up +9.41% in 24 hours')
  await expect(names(page)).toHaveCount(10)
  await page.getByRole('button', { name: 'Show all 50' }).click()
  await expect(names(page)).toHaveCount(50)
  await expect(names(page).first()).toHaveText('Bitcoin BTC')
  const shiba = table(page).getByRole('row', { name: /Shiba Inu/ })
  await expect(shiba).toContainText('$0.0000184')
  await expect(shiba).toContainText('2021-10-28')
  for (const part of [trendingPart(page), topPart(page)]) await expect(part).toContainText('Sample prices')
})

test('the top 50 are sorted by heading and filtered by name', async ({ open }) => {
  const page = await open((await newInvestor()).session)
  await openMarket(page)
  const heading = (name: string) => table(page).getByRole('columnheader', { name, exact: true })
  await expect(names(page)).toHaveCount(10)
  await expect(heading('Rank')).toHaveAttribute('aria-sort', 'ascending')
  await heading('Price').getByRole('button').click()
  await expect(heading('Price')).toHaveAttribute('aria-sort', 'descending')
  await expect(heading('Rank')).not.toHaveAttribute('aria-sort')
  await heading('Price').getByRole('button').press('Enter')
  await expect(heading('Price')).toHaveAttribute('aria-sort', 'ascending')
  await expect(names(page).first()).toHaveText('Shiba Inu SHIB')
  await page.getByRole('searchbox', { name: 'Filter by name' }).fill('bit')
  await expect(names(page)).toHaveText(['Arbitrum ARB', 'Bitcoin Cash BCH', 'Bitcoin BTC'])
  await expect(topPart(page).getByRole('status')).toHaveText('3 of 50 coins')
  await page.getByRole('searchbox', { name: 'Filter by name' }).fill('no such coin')
  await expect(topPart(page).getByRole('status')).toHaveText('No coin among them is called “no such coin”.')
})

test('on a phone, too, ten of the top 50 are shown first, and all are sorted without headings', async ({
  open,
}) => {
  const page = await open((await newInvestor()).session, { viewport: { width: 320, height: 640 } })
  // Odd coins: a long name, a tiny price, unknown values and a missing picture.
  await page.route('**/api/v1/market/coins', async (route) => {
    const response = await route.fetch()
    const [first, second, third, ...others] = await response.json()
    const odd = [
      { ...first, name: 'A Coin With a Name of Sixty Letters Which Nobody Will Remember' },
      { ...second, current_price: 0.00000001234, ath: 0.0000000567 },
      { ...third, ath: null, ath_date: null, image: '/api/v1/market/pictures/gone' },
    ]
    await route.fulfill({ response, json: [...odd, ...others] })
  })
  await openMarket(page)
  await expect(names(page)).toHaveCount(10)
  const rows = table(page).getByRole('row')
  await expect(rows.filter({ hasText: 'Ethereum' })).toContainText('$0.00000001234')
  const tether = rows.filter({ hasText: 'Tether' })
  await expect(tether.getByText('not known')).toHaveCount(2)
  await tether.scrollIntoViewIfNeeded()
  await expect(tether.locator('img')).toHaveAttribute('src', '/coins/unknown.svg')
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)

  await page.getByRole('button', { name: 'Show all 50' }).press('Enter')
  await expect(names(page)).toHaveCount(50)
  await expect(rows.filter({ hasText: 'TRON' })).toBeFocused()
  await page.getByRole('button', { name: 'Show the first 10 only' }).press('Enter')
  await expect(names(page)).toHaveCount(10)
  await expect(page.getByRole('button', { name: 'Show all 50' })).toBeInViewport()

  await page.getByRole('combobox', { name: 'Sort by' }).selectOption('Name, A to Z')
  await expect(names(page).first()).toHaveText(
    'A Coin With a Name of Sixty Letters Which Nobody Will Remember BTC',
  )
  await page.getByRole('combobox', { name: 'Sort by' }).selectOption('All-time high, lowest first')
  await page.getByRole('searchbox', { name: 'Filter by name' }).fill('e')
  await expect(page.getByRole('button', { name: /^Show all \d\d$/ })).toBeVisible()
  await expectAccessible(page)
})

test('prices show the name of their provider and their age', async ({ open }) => {
  const page = await open((await newInvestor()).session)
  await setPriceAge(page, 'coins', 4)
  await setPriceAge(page, 'trending', 75)
  await openMarket(page)
  await expect(topPart(page)).toContainText('Prices by CoinGecko, 4 minutes old')
  await expect(topPart(page).getByRole('link', { name: 'CoinGecko' })).toBeVisible()
  await expect(trendingPart(page)).toContainText('Prices by CoinGecko, 75 minutes old')
  await expect(trendingPart(page)).toContainText('Newer prices could not be loaded.')
  await expect(topPart(page)).not.toContainText('Newer prices')
  await expect(page.locator('market-ticker')).toContainText('Prices by CoinGecko, 4 minutes old')
  await waitForLoaded(page)
  await expectAccessible(page)
})

test('a failed market load leaves the rest of the page intact and can be retried', async ({
  open,
  allowFault,
}) => {
  allowFault(/status of 503/)
  const page = await open((await newInvestor({ available: 90 })).session)
  let isDown = true
  await page.route('**/api/v1/market/*', (route) => (isDown ? route.fulfill(UNAVAILABLE) : route.continue()))
  await openMarket(page)
  for (const part of [trendingPart(page), topPart(page)])
    await expect(part.getByRole('alert')).toContainText('We cannot answer right now.')
  await expect(page.locator('market-ticker')).toContainText('No prices right now')
  await expect(page.getByText('$90.00 available to withdraw')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Balance Summary' })).toBeVisible()
  await expectAccessible(page)
  isDown = false
  for (const part of [trendingPart(page), topPart(page)])
    await part.getByRole('button', { name: 'Try again' }).click()
  await expect(trendingPart(page).getByRole('listitem')).toHaveCount(3)
  await expect(names(page).first()).toHaveText('Bitcoin BTC')
})

test('the ticker and the table share one API call', async ({ open }) => {
  const page = await open((await newInvestor()).session)
  const requested: string[] = []
  page.on('request', (request) => requested.push(new URL(request.url()).pathname))
  await openMarket(page)
  await expect(trendingPart(page).getByRole('listitem')).toHaveCount(3)
  await page.waitForLoadState('networkidle')
  await expect(page.getByRole('group', { name: 'Market prices' })).toContainText('BTC $64,200.00 up +1.24%')
  expect(requested.filter((path) => path === '/api/v1/market/coins')).toHaveLength(1)
  expect(requested.filter((path) => path === '/api/v1/market/trending')).toHaveLength(1)
})

test('the ticker pauses on hover, on focus and by its button', async ({ open }) => {
  const page = await open((await newInvestor()).session, { reducedMotion: 'no-preference' })
  await page.goto('/dashboard/profile')
  const ticker = page.getByRole('group', { name: 'Market prices' })
  const row = ticker.getByRole('list')
  const state = () => row.evaluate((list) => getComputedStyle(list).animationPlayState)
  await expect(ticker).toContainText('BTC')
  await expect.poll(state).toBe('running')
  await ticker.hover()
  await expect.poll(state).toBe('paused')
  await page.mouse.move(600, 600)
  await expect.poll(state).toBe('running')
  await ticker.focus()
  await expect.poll(state).toBe('paused')
  await ticker.evaluate((element) => element.blur())
  await page.getByRole('button', { name: 'Pause the prices' }).press('Space')
  await expect(page.getByRole('button', { name: 'Pause the prices' })).toHaveAttribute('aria-pressed', 'true')
  await page.getByRole('button', { name: 'Pause the prices' }).evaluate((element) => element.blur())
  await expect.poll(state).toBe('paused')
  await expectAccessible(page)
})

test('with reduced motion the ticker stands still, and scrolls by keyboard', async ({ open }) => {
  const page = await open((await newInvestor()).session)
  await page.goto('/dashboard/profile')
  const ticker = page.getByRole('group', { name: 'Market prices' })
  await expect(ticker).toContainText('BTC')
  expect(await ticker.getByRole('list').evaluate((list) => getComputedStyle(list).animationName)).toBe('none')
  await expect(page.getByRole('button', { name: 'Pause the prices' })).toBeHidden()
  await ticker.focus()
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => ticker.evaluate((element) => element.scrollLeft)).toBeGreaterThan(0)
})

test('on a phone the ticker has its own row and names the source of its prices', async ({ open }) => {
  const { session } = await newInvestor({ kyc: 'none' })
  const page = await open(session, { viewport: { width: 320, height: 700 } })
  await page.goto('/dashboard/trading-plans')
  const ticker = page.getByRole('group', { name: 'Market prices' })
  await expect(ticker).toContainText('BTC $64,200.00 up +1.24%')
  await expect(ticker.getByRole('listitem').first()).toHaveText('Sample prices')
  await expect(ticker.getByRole('listitem').first()).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
})
