import type { Page } from '@playwright/test'
import { expectAccessible, waitForLoaded } from './support/accessibility.ts'
import { SERVER_ERROR } from './support/http.ts'
import { layoutShift, recordLayoutShifts } from './support/layoutShift.ts'
import { createSession, fileDeposit, newInvestor, PASSWORD } from './support/people.ts'
import { expect, test } from './support/test.ts'

const OVERVIEW = '/dashboard/overview'

test('each figure of the overview opens its breakdown', async ({ open }) => {
  const ana = await newInvestor({ available: 1200 })
  await fileDeposit(ana.session.token, 80)
  const page = await open(ana.session)
  await page.goto(OVERVIEW)

  await page.getByRole('button', { name: 'How Total Deposits comes about' }).click()
  const deposits = page.getByRole('dialog', { name: 'Total Deposits' })
  await expect(deposits.getByRole('row').filter({ hasText: 'Deposit credited' })).toContainText('+$1,200.00')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'How Total Deposits comes about' })).toBeFocused()

  // A deposit filed meanwhile: the figure and its breakdown are loaded together.
  await fileDeposit(ana.session.token, 20)
  await page.getByRole('button', { name: 'How Pending Deposits comes about' }).click()
  const pending = page.getByRole('dialog', { name: 'Pending Deposits' })
  await expect(pending.getByRole('row').filter({ hasText: 'DEP-' })).toHaveCount(2)
  await expect(pending).toContainText('$100.00, the sum of all of these')
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'How Bonus comes about' }).click()
  await expect(
    page.getByRole('dialog', { name: 'Bonus' }).getByText('No entry yet, so it is zero'),
  ).toBeVisible()
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'How Total Balance comes about' }).click()
  const total = page.getByRole('dialog', { name: 'Total Balance' })
  await expect(total.getByRole('definition').filter({ hasText: '$1,200.00' })).toHaveCount(4)
  await expectAccessible(page)
})

test('the balance chart is read by mouse, touch and keyboard, and as a table', async ({ open }) => {
  const ana = await newInvestor({ available: 300 })
  const page = await open(ana.session, { hasTouch: true })
  await page.goto(OVERVIEW)
  const chart = page.getByRole('region', { name: 'Balance over time' })
  await expect(
    chart.getByRole('img', { name: /Total balance from \$0\.00 on .+ to \$300\.00 on/ }),
  ).toBeVisible()
  await expect(chart.getByText('$300.00 now')).toBeVisible()
  await expect(chart.getByRole('figure').locator('[aria-hidden] > span')).toContainText([
    '$0',
    '$100',
    '$200',
    '$300',
  ])

  const day = chart.getByRole('slider', { name: 'Day' })
  await day.hover({ position: { x: 5, y: 20 } })
  await expect(chart.getByText(/^\$0\.00 at the end of/)).toBeVisible()
  await page.mouse.move(0, 0)
  await expect(chart.getByText('$300.00 now')).toBeVisible()
  // After a tap the chosen day stays.
  await day.tap({ position: { x: 5, y: 20 } })
  await expect(chart.getByText(/^\$0\.00 at the end of/)).toBeVisible()
  await day.press('End')
  await expect(day).toHaveAttribute('aria-valuetext', /: \$300\.00$/)
  await day.press('ArrowLeft')
  await expect(day).toHaveAttribute('aria-valuetext', /: \$0\.00$/)

  await chart.getByText('As a table').click()
  await expect(chart.getByRole('row')).toHaveCount(3)
  await expect(chart.getByRole('radio', { name: 'A year' })).toBeChecked()
  await expect(chart.getByRole('row').last()).toContainText('$0.00')
  // It begins on the day before the first money.
  await expect(day).toHaveAttribute('max', '1')
  await expectAccessible(page)
})

test('the chart compares with the same payments in one coin, in all of them, or as cash', async ({
  open,
}) => {
  const ana = await newInvestor({ available: 300 })
  const page = await open(ana.session)
  // The money came today: yesterday's price is not needed.
  await page.route('**/market/daily-closes', (route) => {
    const days = [1, 0].map((ago) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10))
    const coins = ['Bitcoin', 'Ether'].map((name) => ({ id: name, name, closes: [null, 50_000] }))
    return route.fulfill({ json: { market: { id: 'kraken', name: 'Kraken', real: true }, days, coins } })
  })
  await page.goto(OVERVIEW)
  const chart = page.getByRole('region', { name: 'Balance over time' })
  await chart.getByRole('checkbox', { name: 'Compare' }).check()
  await expect(chart.getByRole('status')).toHaveText(
    'Dashed: the same payments on the same days in Bitcoin, without costs. Daily closes: Kraken.',
  )
  await expect(chart.getByText('$300.00 in Bitcoin')).toBeVisible()
  await chart.getByRole('radio', { name: '2 coins' }).check()
  await expect(chart.getByRole('status')).toContainText('Bitcoin, Ether, in equal parts')
  await chart.getByRole('radio', { name: 'Cash' }).check()
  await expect(chart.getByRole('status')).toHaveText('Dashed: all payments left as cash.')
  await expect(chart.getByRole('slider', { name: 'Day' })).toHaveAttribute(
    'aria-valuetext',
    /: \$300\.00, as cash \$300\.00$/,
  )
  await chart.getByText('As a table').click()
  await expect(chart.getByRole('columnheader', { name: 'The same as cash' })).toBeVisible()
  await expectAccessible(page)
  await chart.getByRole('checkbox', { name: 'Compare' }).uncheck()
  await expect(chart.getByText('as cash')).toHaveCount(0)
})

/** Only what is visible. */
const INNER = { useInnerText: true }

test('amounts are hidden on every page and from screen readers, but not on paper', async ({ open }) => {
  const page = await open(await createSession({ email: 'investor@example.com', password: PASSWORD }))
  await page.goto(OVERVIEW)
  const hide = page.getByRole('button', { name: 'Hide amounts' })
  await hide.click()
  const expectHidden = async () => {
    await expect(hide).toHaveAttribute('aria-pressed', 'true')
    await expect(page.getByRole('region', { name: 'Invested' }).getByRole('row')).not.toHaveCount(0)
    await expect(page.getByRole('slider', { name: 'Day' })).toBeVisible()
    await expect(page.getByRole('region', { name: 'Balance Summary' })).toMatchAriaSnapshot(
      '- definition: amount hidden',
    )
    const shown = await page.locator('main').evaluate((main) => {
      const named = [...main.querySelectorAll('*')].flatMap((element) =>
        ['title', 'aria-label', 'aria-valuetext'].map((name) => element.getAttribute(name) ?? ''),
      )
      const market = main.querySelector<HTMLElement>('[aria-labelledby="market"]')?.innerText ?? ''
      return [(main as HTMLElement).innerText.replace(market, ''), ...named].join(' ')
    })
    expect(shown).not.toContain('$')
  }
  await expectHidden()
  await page.reload()
  await expectHidden()
  await page.getByRole('button', { name: 'How Total Balance comes about' }).click()
  await expect(page.getByRole('dialog', { name: 'Total Balance' })).not.toContainText('$', INNER)
  await page.keyboard.press('Escape')
  await expectAccessible(page)

  const main = page.locator('main')
  await page.goto('/dashboard/transaction-history')
  await expect(main.getByRole('row')).not.toHaveCount(0)
  await waitForLoaded(page)
  await expect(main).not.toContainText('$', INNER)
  // Unit prices in the statement's table are the same for everybody.
  await page.goto('/dashboard/statement')
  const sums = main.locator('dl').first()
  await waitForLoaded(page)
  await expect(sums).not.toContainText('$', INNER)
  await page.emulateMedia({ media: 'print' })
  await expect(sums).toContainText('$', INNER)
  await page.emulateMedia({ media: 'screen' })

  await hide.click()
  await expect(sums).toContainText('$', INNER)
  // The browser may have kept the page as it was.
  await page.goto(OVERVIEW)
  await expect(hide).toHaveAttribute('aria-pressed', 'false')
  await expect(page.getByRole('region', { name: 'Total Profit' })).toContainText('$', INNER)
})

test('the value is divided into cash and each strategy, one return opens both ways, and idle cash offers to invest', async ({
  open,
}) => {
  const page = await open(await createSession({ email: 'investor@example.com', password: PASSWORD }))
  await page.goto(OVERVIEW)
  const head = page.getByRole('region', { name: 'Total Profit' })
  await expect(head.getByRole('term')).toHaveText([/^Today$/, /^30 days$/, /^Total Profit since \w{3}\s\d/])
  await expect(head.getByRole('definition').filter({ hasText: /\$[\d,]+\.\d\d/ })).toHaveCount(3)
  await expect(head.getByRole('link', { name: 'Invest' })).toHaveAttribute('href', '/dashboard/strategies')
  await head.getByRole('button', { name: 'How the return is calculated' }).click()
  const returns = page.getByRole('dialog', { name: 'Your return' })
  await expect(returns.getByRole('definition').filter({ hasText: /^[+−]?\d+\.\d\d%$/ })).toHaveCount(2)
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  const where = page.getByRole('region', { name: 'Where it is' })
  for (const name of ['Buy and Hold', 'Strongest Two']) await expect(where).toContainText(name)
  const amounts = await where.locator('dd').allTextContents()
  const usd = (text: string) => Math.round(Number(text.replace(/[$,]/g, '')) * 100)
  const total = await page
    .getByRole('region', { name: 'Balance Summary' })
    .locator('dd')
    .first()
    .textContent()
  expect(amounts.map(usd).reduce((sum, each) => sum + each, 0)).toBe(usd(total ?? ''))
})

test('a loss is shown as plainly as a gain, and the longest amounts fit the smallest screen', async ({
  open,
}) => {
  const page = await open((await newInvestor({ available: 10 })).session)
  const most = 9_999_999_999.99
  await page.route('**/users/user-info?fields=*', async (route) => {
    const response = await route.fetch()
    const figures = Object.fromEntries(
      Object.keys(await response.json()).map((field) => [field, field === 'profits' ? -most : most]),
    )
    await route.fulfill({ response, json: { ...figures, notification: null } })
  })
  await page.goto(OVERVIEW)
  const profit = page.getByRole('region', { name: 'Total Profit' })
  await expect(profit).toContainText('−$9,999,999,999.99')
  await expect(page.getByText('because a credit was reversed after you had used part of it')).toBeVisible()
  await waitForLoaded(page)
  await expectAccessible(page)
})

test('the figures are shown before the island has loaded, and stay when it takes over', async ({ open }) => {
  const page = await open((await newInvestor({ available: 10 })).session)
  const figures = {
    totalBalance: 1_234_567.5,
    available: 12_345.67,
    profits: 0.05,
    deposits: 0,
    bonus: -1000.5,
  }
  await page.route('**/users/user-info?fields=*', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), ...figures } })
  })
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/_astro/Overview.*.js', async (route) => {
    await held
    await route.continue()
  })
  await page.goto(OVERVIEW, { waitUntil: 'commit' })
  const early = page.locator('[data-early]')
  await expect(early).toHaveText([
    // Too long for its place on a phone.
    '',
    '$12,345.67',
    '+$0.05',
    '$12,345.67',
    '',
    '$0.00',
    '$0.00',
    '$0.00',
    '$0.00',
    '−$1,000.50',
  ])
  await expect(page.getByText('$12,345.67 available to withdraw')).toBeVisible()
  await expect(page.getByText('Nothing is in strategies.')).toBeHidden()
  expect(await early.evaluateAll((places) => places.every((place) => place.ariaHidden === 'true'))).toBe(true)

  release()
  await expect(page.getByRole('region', { name: 'Total Profit' })).toContainText('$1,234,567.50')
  await expect(early).toHaveCount(0)
  await expect(page.getByText('$12,345.67 available to withdraw')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Total Profit' })).toContainText('+$0.05')
})

test('figures that fail to load leave the other parts intact and can be retried', async ({
  open,
  allowFault,
}) => {
  allowFault(/status of 500/)
  const page = await open((await newInvestor({ available: 30 })).session)
  let isDown = true
  await page.route('**/users/user-info?fields=*', (route) =>
    isDown ? route.fulfill(SERVER_ERROR) : route.continue(),
  )
  await page.goto(OVERVIEW)
  await expect(page.getByRole('alert')).toContainText('Something went wrong on our side.')
  await expect(page.getByRole('region', { name: 'Total Profit' })).toContainText('Not known right now')
  await expect(page.getByRole('region', { name: 'Balance over time' })).toContainText('$30.00 now')
  await page.getByRole('heading', { name: 'Market', exact: true }).scrollIntoViewIfNeeded()
  await expect(page.getByRole('region', { name: 'Trending' }).getByRole('listitem')).toHaveCount(3)
  isDown = false
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('region', { name: 'Balance Summary' })).toContainText('$30.00')
})

test('a new account sees the first steps', async ({ open }) => {
  const page = await open((await newInvestor({ kyc: 'none' })).session)
  await page.goto(OVERVIEW)
  const steps = page.getByRole('region', { name: 'First steps' })
  await expect(steps.getByRole('heading')).toHaveText([
    'First steps',
    'Register, done',
    'Verify your identity',
    'Deposit',
    'Invest',
  ])
  await expect(steps.getByRole('link', { name: 'Verify' })).toHaveAttribute('href', '/dashboard/kyc')
  // No return of nothing, and the next step is the only primary button.
  await expect(page.getByText('30 days', { exact: true })).toBeHidden()
  await expect(page.locator('main a[class*="primary"]')).toHaveText(['Verify'])
  await expect(page.getByRole('region', { name: 'Balance Summary' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Balance over time' })).toBeHidden()
  await waitForLoaded(page)
  await expectAccessible(page)
})

test('the first steps show what is done and what is pending', async ({ open }) => {
  const ana = await newInvestor()
  await fileDeposit(ana.session.token, 80)
  const page = await open(ana.session)
  await page.goto(OVERVIEW)
  const steps = page.getByRole('region', { name: 'First steps' })
  await expect(steps.getByRole('heading', { name: /^Verify your identity ?, done$/ })).toBeVisible()
  await expect(steps).toContainText('$80.00 is being checked')
  await expect(page.locator('main a[class*="primary"]')).toHaveText(['Compare strategies'])

  // One to an own address that is not paid yet needs the investor, and nobody else.
  await page.route('**/transaction-history?*', async (route) => {
    const response = await route.fetch()
    const [deposit] = await response.json()
    await route.fulfill({ response, json: [{ ...deposit, awaitsPayment: true }] })
  })
  await page.reload()
  await expect(steps).toContainText('$80.00 awaits your payment')
  await expect(steps).not.toContainText('checked')
  await expect(page.locator('main a[class*="primary"]')).toHaveText(['See how to pay'])
  await page.getByRole('button', { name: 'How Pending Deposits comes about' }).click()
  await expect(page.getByRole('dialog').getByRole('row', { name: /Awaits your payment/ })).toBeVisible()
})

test('figures and prices reload when the tab is shown again, and filters stay', async ({
  open,
  allowFault,
}) => {
  allowFault(/ERR_FAILED/)
  const ana = await newInvestor({ available: 40 })
  const page = await open(ana.session)
  await page.clock.install()
  let price = 64_200
  await page.route('**/api/v1/market/coins', async (route) => {
    const response = await route.fetch()
    const [first, ...others] = await response.json()
    await route.fulfill({ response, json: [{ ...first, current_price: price }, ...others] })
  })
  await page.goto(OVERVIEW)
  const summary = page.getByRole('region', { name: 'Balance Summary' })
  const coins = page.getByRole('table', { name: 'Top 50 coins by market value' }).getByRole('row')
  await expect(summary).toContainText('$40.00')
  await page.getByRole('heading', { name: 'Market', exact: true }).scrollIntoViewIfNeeded()
  await page.getByRole('searchbox', { name: 'Filter by name' }).fill('bit')
  await page.getByRole('columnheader', { name: 'Price' }).getByRole('button').click()
  await expect(coins.nth(1)).toContainText('$64,200.00')

  await fileDeposit(ana.session.token, 77)
  price = 65_000
  await hideTab(page, 5)
  await expect(summary).toContainText('$77.00')
  await page.clock.runFor(10_000)
  await expect(coins.nth(1)).toContainText('$65,000.00')
  await expect(coins).toHaveCount(4)

  // If reloading fails, the old figures stay and say so.
  await page.route('**/api/v1/**', (route) => route.abort())
  await hideTab(page, 30)
  await expect(
    page.getByText(/available to withdraw · as of .+: newer figures could not be loaded/),
  ).toBeVisible()
  await expect(summary).toContainText('$77.00')
  await page.clock.runFor(40_000)
  await expect(coins.nth(1)).toContainText('$65,000.00')
})

test('the figures are renewed when the back button shows the page as it was', async ({ open }) => {
  const ana = await newInvestor({ available: 500 })
  const page = await open(ana.session)
  await page.goto(OVERVIEW)
  const summary = page.getByRole('region', { name: 'Balance Summary' })
  await expect(summary).toContainText('$500.00')
  await fileDeposit(ana.session.token, 75)
  // The driver switches the back/forward cache off, so the browser's event comes from here.
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
  await expect(summary).toContainText('$75.00')
})

test('nothing shifts while the parts load one after the other', async ({ open }) => {
  const people = [await newInvestor({ available: 60 }), await newInvestor({ kyc: 'none' })]
  const delays = { '/user-info': 200, '/value-history': 600, '/market/coins': 400, '/market/trending': 800 }
  for (const { session } of people) {
    for (const width of [390, 1280]) {
      const page = await open(session, { viewport: { width, height: 900 } })
      await recordLayoutShifts(page)
      for (const [path, delayMs] of Object.entries(delays)) {
        await page.route(`**${path}*`, async (route) => {
          await new Promise((resolve) => setTimeout(resolve, delayMs))
          await route.continue()
        })
      }
      await page.goto(OVERVIEW, { waitUntil: 'networkidle' })
      await waitForLoaded(page)
      expect.soft(await layoutShift(page), `layout shift at ${width} px`).toBeLessThanOrEqual(0.01)
      await page.close()
    }
  }
})

/** Hides the tab for this long and shows it again. */
async function hideTab(page: Page, minutes: number): Promise<void> {
  const setHidden = (isHidden: boolean) =>
    page.evaluate((hidden) => {
      Object.defineProperty(document, 'hidden', { configurable: true, value: hidden })
      document.dispatchEvent(new Event('visibilitychange'))
    }, isHidden)
  await setHidden(true)
  await page.clock.fastForward(minutes * 60_000)
  await setHidden(false)
}
