import { readFile } from 'node:fs/promises'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { Page } from '@playwright/test'
import { formatDay } from '../../src/contract/dates.ts'
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
  expect(await headings.allInnerTexts()).toEqual([
    'On bitcoin',
    'Before you choose one',
    'After the rules were frozen',
    'About the figures',
    'What these tests cannot show',
  ])
  const markets = page.getByRole('navigation', { name: 'Market' })
  for (const [market, name] of [
    ['Bitcoin', 'On bitcoin'],
    ['Ether or five coins', 'On ether, or on five coins'],
    ['Practice market', 'On the practice market'],
  ] as const) {
    await markets.getByRole('link', { name: market }).click()
    await expect(markets.locator('[aria-current]')).toHaveText(market)
    const section = page.getByRole('region', { name, exact: true })
    const rows = section.getByRole('row').filter({ has: page.getByRole('rowheader') })
    await expect(rows).toHaveCount(8)
    const falls = (await rows.getByText(/^Worst fall/).allTextContents()).map((text) =>
      Number(/−([\d.]+)%/.exec(text)?.[1] ?? 0),
    )
    expect(falls).toEqual(falls.toSorted((one, other) => other - one))
  }
  const about = page.getByRole('region', { name: 'About the figures' })
  await expect(about).toContainText(
    /Real prices\s*Kraken BTC\/USD; then Binance BTC\/USDT. 3,798 past days, Feb\s26,\s2016 to Jul\s20,\s2026/,
  )
  await expect(about).toContainText(
    'Kraken BTC/USD, ETH/USD, XRP/USD, ADA/USD, SOL/USD; then Binance BTC/USDT',
  )
  await expect(about).toContainText(/Simulated prices\s*Made-up prices of/)
  const limits = page.getByRole('region', { name: 'What these tests cannot show' })
  for (const words of ['Survivors only', 'few cycles', 'Daily bars', 'No taxes'])
    await expect(limits).toContainText(words)
})

for (const width of [390, 1280])
  test(`the first strategy of the list stands on the first screen, and few words are about luck, ${width} px`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 844 })
    await page.goto('/strategies')
    const first = await page.getByRole('rowheader').first().boundingBox()
    expect(first?.y).toBeLessThanOrEqual(340)
    const words = await page.getByRole('main').innerText()
    for (const word of [/luck/gi, /drawdown/gi]) expect(words.match(word)?.length ?? 0).toBeLessThanOrEqual(5)
  })

test('the lists can be sorted, and up to three strategies laid over each other', async ({ page }) => {
  await page.goto('/strategies')
  const names = page
    .getByRole('region', { name: 'On bitcoin', exact: true })
    .getByRole('rowheader')
    .getByRole('link')
  await expect(names.first()).toHaveText('Buy and Hold')
  await page.getByLabel('Sort by').selectOption('Name')
  await expect(names.first()).toHaveText('A Little Each Month')
  await page.getByLabel('Sort by').selectOption('Worst fall')
  await expect(names.first()).toHaveText('Buy and Hold')
  const markets = page.getByRole('navigation', { name: 'Market' })
  for (const name of ['Slow Trend: bitcoin', 'Buy and Hold: bitcoin'])
    await page.getByRole('checkbox', { name: `Compare ${name}` }).check()
  await markets.getByText('Ether or five coins').click()
  await page.getByRole('checkbox', { name: 'Compare Breakout: five coins' }).check()
  await markets.getByText('Bitcoin').click()
  await expect(page.getByRole('checkbox', { name: 'Compare Even Keel: bitcoin' })).toBeDisabled()
  await expect(page.getByText('3 chosen, the most')).toBeVisible()
  await page.getByRole('button', { name: 'Compare' }).click()
  const compared = page.getByRole('region', { name: 'Side by side' })
  await expect(compared.getByRole('heading')).toBeFocused()
  await compared.getByRole('slider', { name: 'Day' }).press('End')
  await expect(compared.locator('.read')).toContainText(
    /^Jul\s20,\s2026: \$[\d,.]+, .* below its highest, Buy and Hold: bitcoin \$[\d,.]+, Breakout: five coins \$/,
  )
  await compared.getByRole('slider', { name: 'Day' }).press('Home')
  await expect(compared.locator('.read')).toContainText(
    '$1,000.00, at its highest, Buy and Hold: bitcoin $1,000.00',
  )
  await expect(compared.getByRole('columnheader')).toHaveText([
    'Slow Trend: bitcoin',
    'Buy and Hold: bitcoin',
    'Breakout: five coins',
  ])
  await expect(compared.getByRole('row', { name: /^Worst fall/ })).toContainText('−83.6%')
  await expectAccessible(page)
  await page.getByRole('checkbox', { name: 'Compare Slow Trend: bitcoin' }).uncheck()
  await page.getByRole('button', { name: 'Compare' }).click()
  await expect(compared.getByRole('columnheader')).toHaveCount(2)
})

test('every figure of the list and of the home page is the same on the page that it links to', async ({
  page,
}) => {
  await page.goto('/strategies')
  const rows = page.locator('table.list tbody tr')
  await expect(rows).toHaveCount(24)
  const figures = await rows.evaluateAll((all) =>
    all.map((row) => ({
      path: row.querySelector('a')?.getAttribute('href') ?? '',
      cells: [...row.querySelectorAll('td > span')].map((label) =>
        (label.parentElement?.textContent ?? '').replace(label.textContent, '').trim(),
      ),
    })),
  )
  for (const { path, cells } of figures) {
    const html = await (await page.request.get(path)).text()
    const shown = KEY_FIGURES.flatMap(
      (key) => new RegExp(`data-figure="${key}"[^>]*>([^<]+)<`).exec(html)?.[1] ?? [],
    )
    expect(shown, path).toEqual(cells)
    // Every test on real prices is shown at other fees too.
    for (const fee of ['0.25%', '0.40%', '0.80%', '1.20%'])
      expect(new RegExp(`<th scope="row">\\s*${fee}`).test(html), path).toBe(!path.endsWith('/simulated'))
  }
  await page.goto('/')
  const onHome = page.getByRole('region', { name: 'Best, middle and worst' }).locator('tbody tr')
  await expect(onHome).toHaveCount(3)
  for (const row of await onHome.all()) {
    const path = (await row.getByRole('link').getAttribute('href')) ?? ''
    const [, ...shown] = await row.locator('td').allTextContents()
    expect(figures.find((other) => other.path === path)?.cells.slice(0, 3), path).toEqual(shown)
  }
})

test('a strategy has one page for each market, with a switch, and says where it runs', async ({ page }) => {
  await page.goto('/strategies')
  await page.getByRole('region', { name: 'On bitcoin' }).getByRole('link', { name: 'Slow Trend' }).click()
  await expect(page).toHaveURL('/strategies/slow-trend')
  await expect(page.getByRole('heading', { level: 1, name: 'Slow Trend' })).toBeVisible()
  await expect(page.getByText('It does not trade on these prices here.').first()).toBeVisible()
  const sections = await page.getByRole('main').getByRole('heading', { level: 2 }).allTextContents()
  expect(sections[0]).toBe('When it loses')
  const markets = page.getByRole('navigation', { name: 'Market' }).getByRole('link')
  await expect(markets).toHaveText(['Bitcoin', 'Ether', 'Practice market'])
  await expect(page.getByRole('region', { name: 'When it loses' })).toContainText('the theft from Coincheck')
  await page.getByRole('button', { name: 'Evidence: Weak' }).click()
  await expect(page.getByText('At least one check found evidence against it.').last()).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByText('About the data').click()
  await expect(page.locator('.files code').first()).toHaveText(/^[0-9a-f]{64}$/)
  await markets.getByText('Ether').click()
  await expect(page).toHaveURL('/strategies/slow-trend/ether')
  await expect(page.getByRole('heading', { level: 1, name: 'Slow Trend' })).toBeVisible()
  const years = page.getByRole('region', { name: 'Year by year' })
  await expect(years.getByRole('row', { name: /^2018 [\d+−]/ })).toBeVisible()
  await expect(years.getByRole('row', { name: /^Lost money/ })).toBeVisible()
  await page.getByText('How much depends on the parameters').click()
  await expect(page.getByRole('table', { name: 'Returns with other parameters' })).toBeVisible()
  await page.goto('/strategies/slow-trend/bitcoin')
  await expect(page).toHaveURL('/strategies/slow-trend')
})

test('the first screen of a running strategy says what it returned and what its test says', async ({
  page,
}) => {
  await page.goto('/strategies/even-basket/simulated')
  const live = page.locator('.live')
  await expect(live).toHaveText(
    /^Since it started on \w+\s\d+,\s20\d\d, after costs: [+−]?\d+\.\d%\. The test says [+−]?\d+\.\d%\. Why · Check the record$/,
  )
  await live.getByRole('link', { name: 'Why' }).click()
  await expect(page.getByText(/^In \d+ days from .* a unit returned/)).toBeVisible()
  await live.getByRole('link', { name: 'Check the record' }).click()
  await expect(page.getByRole('heading', { name: 'The record is consistent' })).toBeFocused({
    timeout: 30_000,
  })
})

test('a strategy shows its status and the hash of its frozen rules', async ({ page }) => {
  await page.goto('/strategies/hold-the-index/simulated')
  const record = page.getByRole('region', { name: 'Since it started' })
  await expect(record.locator('[data-fact="status"]')).toContainText('Running')
  await expect(record.locator('[data-fact="price"]')).toContainText(/^\$\d+\.\d\d on \w{3}\s\d/)
  await expect(record.locator('[data-fact="hash"]')).toHaveText(/^[0-9a-f]{64}$/)
})

test('live minus test is shown day by day as a chart and as a table, to visitors and to operators', async ({
  page,
  open,
}) => {
  await page.goto('/strategies/even-basket/simulated')
  const gaps = page.getByRole('region', { name: 'Since it started' }).locator('strategy-gaps')
  await gaps.getByText('Live minus test').click()
  await expect(gaps.getByRole('status')).toContainText(
    /^In \d+ days from \w+\s\d+,\s20\d\d to .* a unit returned (?:as much as its test|less than its test, by 0\.0\d basis points)/,
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
  await page.goto('/strategies/hold-the-index/simulated')
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
    /All \d+ valuations from \w+\s\d+,\s20\d\d to \w+\s\d+,\s20\d\d form one chain/,
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
  await expect(record).toContainText(
    `This is the hash of the ${earlier?.kind} of ${formatDay(earlier?.day ?? '')}`,
  )
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
  await expect(broken).toHaveText(`The record breaks on ${formatDay(altered?.day ?? '')}`)
  await expect(record).toContainText(
    `The valuation at the ${altered?.kind} of ${formatDay(altered?.day ?? '')} does not follow`,
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
    expect(printed).toBeGreaterThan(90)
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
  await page.goto('/strategies/slow-trend')
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

/** The figures of a list's row, in its order, as `data-figure` names them on a strategy's page. */
const KEY_FIGURES = ['x1-maximumDrawdown', 'became', 'held-became', 'forward-became']
