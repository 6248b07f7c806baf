import { readFile } from 'node:fs/promises'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { Page } from '@playwright/test'
import type { RecordEntry } from '../../src/contract/investing/strategies.ts'
import { findFirstBrokenIndex } from '../../src/contract/investing/strategyRecord.ts'
import { expectAccessible, expectContrast, waitForLoaded } from './support/accessibility.ts'
import { callApi } from './support/http.ts'
import { operatorSession } from './support/people.ts'
import { expect, test } from './support/test.ts'

test('strategies on real prices come before the simulated market, each list with its deepest fall first', async ({
  page,
}) => {
  await page.goto('/strategies')
  const headings = page.getByRole('main').getByRole('heading', { level: 2 })
  expect((await headings.allTextContents()).slice(0, 5)).toEqual([
    'On bitcoin',
    'On ether, or on five coins',
    'On the simulated market',
    'After the rules were frozen',
    'What these tests cannot show',
  ])
  for (const [name, badge, market] of [
    [
      'On bitcoin',
      'Real prices',
      'Kraken BTC/USD; then Binance BTC/USDT. 3,798 past days, 2016-02-26 to 2026-07-20',
    ],
    [
      'On ether, or on five coins',
      'Real prices',
      'Kraken BTC/USD, ETH/USD, XRP/USD, ADA/USD, SOL/USD; then Binance BTC/USDT',
    ],
    ['On the simulated market', 'Simulated prices', 'Made-up prices of'],
  ] as const) {
    const section = page.getByRole('region', { name, exact: true })
    const closed = section.locator('summary')
    if ((await closed.count()) > 0) await closed.click()
    await expect(section).toContainText(badge)
    await expect(section).toContainText(market)
    await expect(section.locator('code').first()).toHaveText(/^[0-9a-f]{8}/)
    const rows = section.getByRole('row').filter({ has: page.getByRole('rowheader') })
    await expect(rows).toHaveCount(8)
    const falls = (await rows.getByText(/^Worst drawdown/).allTextContents()).map((text) =>
      Number(/−([\d.]+)%/.exec(text)?.[1] ?? 0),
    )
    expect(falls).toEqual(falls.toSorted((one, other) => other - one))
  }
  const limits = page.getByRole('region', { name: 'What these tests cannot show' })
  for (const words of ['Survivors only', 'few cycles', 'Daily bars', 'No taxes'])
    await expect(limits).toContainText(words)
})

test('the lists can be sorted, and up to three strategies compared side by side', async ({ page }) => {
  await page.goto('/strategies')
  const names = page
    .getByRole('region', { name: 'On bitcoin', exact: true })
    .getByRole('rowheader')
    .getByRole('link')
  await expect(names.first()).toHaveText('Buy and Hold')
  await page.getByLabel('Sort by').selectOption('Name')
  await expect(names.first()).toHaveText('A Little Each Month')
  await page.getByLabel('Sort by').selectOption('Worst drawdown')
  await expect(names.first()).toHaveText('Buy and Hold')
  await page.getByRole('region', { name: 'On ether, or on five coins' }).locator('summary').click()
  for (const name of ['Slow Trend: bitcoin', 'Buy and Hold: bitcoin', 'Breakout: five coins'])
    await page.getByRole('checkbox', { name: `Compare ${name}` }).check()
  await expect(page.getByRole('checkbox', { name: 'Compare Even Keel: bitcoin' })).toBeDisabled()
  const compared = page.getByRole('region', { name: 'Side by side' })
  await expect(compared.getByRole('columnheader')).toHaveText([
    'Slow Trend: bitcoin',
    'Buy and Hold: bitcoin',
    'Breakout: five coins',
  ])
  await expect(compared.getByRole('row', { name: /^Worst drawdown/ })).toContainText('−83.6%')
  await expectAccessible(page)
  await page.getByRole('checkbox', { name: 'Compare Slow Trend: bitcoin' }).uncheck()
  await expect(compared.getByRole('columnheader')).toHaveCount(2)
})

test('a strategy shows its test on real prices first, then every other one, and where it runs', async ({
  page,
}) => {
  await page.goto('/strategies')
  await page.getByRole('region', { name: 'On bitcoin' }).getByRole('link', { name: 'Slow Trend' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Slow Trend' })).toBeVisible()
  await expect(page.getByText('Tested on real prices. Not running on them here.')).toBeVisible()
  const sections = await page.getByRole('main').getByRole('heading', { level: 2 }).allTextContents()
  expect(sections[0]).toBe('When it loses')
  expect(sections.indexOf('On the simulated market, since it started')).toBeGreaterThan(
    sections.indexOf('When it loses'),
  )
  const tests = page.getByRole('region', { name: 'Every test of it', exact: true }).getByRole('rowheader')
  await expect(tests.getByRole('link')).toHaveText(['Bitcoin', 'Ether', 'Simulated market'])
  for (const test of await tests.all())
    await expect(test).toContainText(/20\d\d-\d\d-\d\d to .* SHA-256 [0-9a-f]{8}/)
  await expect(page.getByRole('region', { name: 'When it loses' })).toContainText('the theft from Coincheck')
  await tests.getByRole('link', { name: 'Ether' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Slow Trend: ether' })).toBeVisible()
  const years = page.getByRole('region', { name: 'Year by year' })
  await expect(years.getByRole('row', { name: /^2018 [\d+−]/ })).toBeVisible()
  await expect(years.getByRole('row', { name: /^Lost money/ })).toBeVisible()
  await expect(page.getByRole('table', { name: 'Returns with other parameters' })).toBeVisible()
})

test('a strategy shows its status and the hash of its frozen rules', async ({ page }) => {
  await page.goto('/strategies/hold-the-index')
  const record = page.getByRole('region', { name: 'Since it started' })
  await expect(record.locator('[data-fact="status"]')).toContainText('Running')
  await expect(record.locator('[data-fact="price"]')).toContainText(/^\$\d+\.\d\d on 20\d\d-/)
  await expect(record.locator('[data-fact="hash"]')).toHaveText(/^[0-9a-f]{64}$/)
})

test('live minus test is shown day by day as a chart and as a table, to visitors and to operators', async ({
  page,
  open,
}) => {
  await page.goto('/strategies/even-basket')
  const gaps = page.getByRole('region', { name: 'Since it started' }).locator('strategy-gaps')
  await gaps.getByText('Live minus test').click()
  await expect(gaps.getByRole('status')).toContainText(
    /^In \d+ days from 20\d\d-\d\d-\d\d to .* a unit returned (?:as much as its test|less than its test, by 0\.0\d basis points)/,
  )
  const parts = ['Price', 'Slippage', 'Fees', 'Cash drag', 'Missed or late days', 'Rounding', 'Unexplained']
  const lines = gaps.getByRole('figure').getByRole('listitem')
  // On paper only the rounding of each day's price is left.
  await expect(lines).toHaveText(
    ['Live minus test', ...parts].map(
      (name) => new RegExp(`^${name}${/Ro|Li/.test(name) ? '−?0.0\\d' : '0.00'}$`),
    ),
  )
  await expect(lines.first()).toHaveCSS('display', 'grid')
  await expect(gaps.getByRole('figure')).toContainText('Simulated prices and money.')
  await gaps.getByText('Day by day', { exact: true }).click()
  const table = gaps.getByRole('table', { name: /^In basis points/ })
  await expect(table.getByRole('columnheader')).toHaveText([
    'Day',
    'Live',
    'Test',
    'Live minus test',
    ...parts,
  ])
  const shown = await callApi<{ _id: string; live: number }[]>('GET', '/strategies/even-basket/gaps?limit=90')
  await expect(table.getByRole('row')).toHaveCount(shown.length + 1)
  await expect(table.getByRole('rowheader').first()).toHaveText(shown[0]?._id ?? '')
  await gaps.getByText('What the parts mean').click()
  await expect(gaps.getByText('A basis point is a hundredth of a percent.')).toBeVisible()
  await expectAccessible(page)

  const operator = await open(operatorSession('first'))
  await operator.goto('/operator/strategies?open=even-basket')
  const opened = operator.getByRole('dialog', { name: 'Even Basket' })
  const own = opened.getByRole('figure', { name: 'A unit: live minus test' })
  await expect(own.getByRole('listitem')).toHaveCount(1 + parts.length)
  await opened.getByText('A unit, day by day').click()
  await expect(opened.getByRole('table', { name: 'A unit, day by day' }).getByRole('row')).toHaveCount(
    shown.length + 1,
  )
  await expectAccessible(operator)
})

test('the visitor’s browser checks the record and names an altered valuation', async ({
  page,
  context,
  allowFault,
}) => {
  allowFault(/Failed to load resource/)
  let answer: 'true' | 'altered' | 'lost' = 'lost'
  let altered: RecordEntry | undefined
  await context.route('**/api/v1/strategies/hold-the-index/record*', async (route) => {
    if (answer === 'lost') return route.abort()
    const response = await route.fetch()
    const entries = (await response.json()) as RecordEntry[]
    // Changes one valuation of the newest page by a millionth of a dollar.
    if (answer === 'altered' && !route.request().url().includes('cursor')) {
      altered = entries[20]
      if (altered) altered.unitPrice++
    }
    await route.fulfill({ response, json: entries })
  })
  await page.goto('/strategies/hold-the-index')
  const record = page.getByRole('region', { name: 'Since it started' })
  const check = record.getByRole('button', { name: 'Check the record' })
  await check.click()
  await expect(record.getByText('We could not reach the server.')).toBeVisible({ timeout: 30_000 })

  answer = 'true'
  await check.click()
  await expect(record.getByRole('heading', { name: 'The record is consistent' })).toBeFocused({
    timeout: 30_000,
  })
  await expect(record).toContainText(
    /All \d+ valuations from 20\d\d-\d\d-\d\d to 20\d\d-\d\d-\d\d form one chain/,
  )
  await expect(record).toContainText('The frozen rules are the ones that this page describes.')
  const saved = page.waitForEvent('download')
  await record.getByRole('button', { name: 'Save a copy' }).click()
  const copy = JSON.parse(await readFile(await (await saved).path(), 'utf8')) as {
    definition: unknown
    record: RecordEntry[]
  }
  expect(await findFirstBrokenIndex(copy.definition, copy.record)).toBeNull()
  const earlier = copy.record[3]
  await record.getByLabel('A hash that you noted earlier').fill(earlier?.hash ?? '')
  await expect(record).toContainText(`This is the hash of the ${earlier?.kind} of ${earlier?.day}`)
  const band = (await record.locator('[data-fact="band"]').textContent())?.match(/\$[\d,.]+\d/g) ?? []
  await expect(record.locator('.read')).toContainText(
    `expected at least ${band[0]}, expected at most ${band[1]}`,
  )
  await record.getByText('Day by day').click()
  const closes = copy.record.filter(({ kind }) => kind === 'close')
  await expect(record.getByRole('table').getByRole('row')).toHaveCount(closes.length + 1)
  await expectAccessible(page)
  await expectContrast(page)

  answer = 'altered'
  await check.click()
  const broken = record.getByRole('heading', { name: /^The record breaks on/ })
  await expect(broken).toBeFocused({ timeout: 30_000 })
  await expect(broken).toHaveText(`The record breaks on ${altered?.day}`)
  await expect(record).toContainText(
    `The valuation at the ${altered?.kind} of ${altered?.day} does not follow`,
  )
  await expect(record.getByRole('slider')).toHaveCount(0)
})

test('the visitor’s browser computes the same figures as the page', async ({ page }) => {
  for (const path of ['/strategies/strongest-two/basket', '/strategies/slow-trend/simulated']) {
    await page.goto(path)
    await run(page)
    const outcome = page.locator('strategy-rerun .outcome')
    await expect(outcome.getByRole('heading', { name: 'It matches' })).toBeFocused({ timeout: 60_000 })
    const printed = await page.locator('[data-figure]').count()
    expect(printed).toBeGreaterThan(100)
    await expect(outcome).toContainText(`All ${printed} figures`)
  }
  await expectAccessible(page)
})

test('figures from an altered price file do not match, and the page names the file', async ({
  page,
  context,
}) => {
  await context.route('**/candles/kraken/XBTUSD.csv.gz', async (route) => {
    const answer = await route.fetch()
    const [head = '', ...lines] = gunzipSync(await answer.body())
      .toString()
      .split('\n')
    // Raises every price of the later years by a tenth.
    const altered = lines.map((line, day) => (day < 2000 ? line : line.replace(/\d+(?:\.\d+)?/g, tenthMore)))
    await route.fulfill({ response: answer, body: gzipSync([head, ...altered].join('\n')) })
  })
  await page.goto('/strategies/slow-trend/bitcoin')
  await run(page)
  const outcome = page.locator('strategy-rerun .outcome')
  await expect(outcome.getByRole('heading', { name: 'It does not match' })).toBeFocused({ timeout: 60_000 })
  await expect(outcome).toContainText('/candles/kraken/XBTUSD.csv.gz does not match the published hash')
  await expect(outcome.getByRole('listitem').first()).toContainText(/the page says .+, your browser /)
})

test('missing or unreadable prices are reported, and a run can be cancelled', async ({
  page,
  context,
  allowFault,
}) => {
  allowFault(/Failed to load resource/)
  let answer: 'never' | 'broken' | 'lost' = 'lost'
  await context.route('**/candles/**', async (route) => {
    if (answer === 'lost') await route.abort()
    if (answer === 'broken') await route.fulfill({ body: 'No prices today.' })
  })
  await page.goto('/strategies/buy-the-dip')
  const status = page.locator('strategy-rerun').getByRole('status')
  await run(page)
  await expect(status).toContainText('could not be loaded')
  answer = 'broken'
  await run(page)
  await expect(status).toContainText('has changed since this page was built')
  answer = 'never'
  await run(page)
  await expect(status).toHaveText('Loading prices: 1 of 10')
  await page.getByRole('button', { name: 'Cancel', exact: true }).click()
  await expect(status).toHaveText('Cancelled. Nothing was compared.')
  await expect(page.getByRole('button', { name: 'Run it in this browser' })).toBeFocused()
})

test('other parameters run beside the page’s, within their ranges, and the tries are counted', async ({
  page,
}) => {
  await page.goto('/strategies/slow-trend')
  const slow = page.getByRole('spinbutton', { name: 'Slow average' })
  await slow.fill('7')
  await run(page)
  await expect(slow).toBeFocused()
  await expect(slow).toHaveAttribute('aria-invalid', 'true')
  await slow.fill('150')
  await run(page)
  const outcome = page.locator('strategy-rerun .outcome')
  await expect(outcome.getByRole('heading', { name: 'With your parameters' })).toBeFocused({
    timeout: 60_000,
  })
  await expect(outcome).toContainText('This is not the strategy that the platform runs')
  await expect(outcome).toContainText('This is your first try')
  for (const row of ['Costs ×0', 'Costs ×1', 'Costs ×2', 'Costs ×3', 'Out of sample, ×1'])
    await expect(outcome.getByRole('row', { name: new RegExp(`^${row}`) })).toContainText('(−')
  await expect(outcome.locator('.heat [data-own]')).toHaveCount(1)
  await slow.fill('160')
  await run(page)
  await expect(outcome).toContainText('try number 2', { timeout: 60_000 })
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Back to the page’s parameters' }).click()
  await expect(slow).toHaveValue('200')
  await expect(outcome).toBeHidden()
})

test('the interactive chart can be read day by day with the keyboard', async ({ page }) => {
  await page.goto('/strategies/even-basket')
  await waitForLoaded(page)
  await page.getByRole('button', { name: 'Explore the chart' }).first().click()
  const day = page.getByRole('slider', { name: 'Day' })
  await expect(day).toBeFocused({ timeout: 30_000 })
  await expect(day).toHaveAttribute('aria-valuetext', /^Jul\s20,\s2026: \$.*not used for choosing$/)
  await page.keyboard.press('Home')
  await expect(page.locator('.read').first()).toContainText('Feb 26, 2016')
  await expect(page.getByRole('link', { name: 'Charts by TradingView' })).toBeVisible()
  await expectAccessible(page)
})

async function run(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Run it in this browser' }).click()
}

/** Raises a number by a tenth, except at the start of a line, where the date is. */
function tenthMore(figure: string, at: number): string {
  return at < 10 ? figure : String(Number(figure) * 1.1)
}
