import { readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { CATALOGUE } from '../../engine/catalogue.ts'
import { formatDay } from '../../src/contract/dates.ts'
import {
  formatPercent,
  formatWholeUsd,
  getOwnFigures,
} from '../../src/pages/_investing/strategies/figures.ts'
import { getBacktest } from '../../src/pages/_investing/strategies/getBacktest.ts'
import { getPagePath, listTests } from '../../src/pages/_investing/strategies/marketTests.ts'
import { computeSampleAccount, listSampleHoldings } from '../../src/pages/_site/product/sampleAccount.ts'
import { waitForLoaded } from './support/accessibility.ts'
import { createSession, PASSWORD } from './support/people.ts'
import { expect, test } from './support/test.ts'

const { describe } = test

/** What the page shows of each rule on bitcoin, in the order of the catalogue. */
const rules = CATALOGUE.map((strategy) => {
  const onBitcoin = listTests(strategy).find(({ on }) => on === 'bitcoin')
  if (!onBitcoin) throw new Error(`${strategy.name} is not tested on bitcoin`)
  const backtest = getBacktest(onBitcoin)
  const { finalEquity, totalReturn, maximumDrawdown } = getOwnFigures(backtest)
  return {
    slug: strategy.slug,
    name: strategy.name,
    path: getPagePath(onBitcoin),
    test: onBitcoin,
    backtest,
    totalReturn,
    became: formatWholeUsd(finalEquity),
    fall: formatPercent(maximumDrawdown),
    holdingBecame: formatWholeUsd(backtest.ofBenchmark.finalEquity),
    holdingFall: formatPercent(backtest.ofBenchmark.maximumDrawdown),
  }
})

const faq = resolve(import.meta.dirname, '../../src/content/faq')
/** At least nine; editors may add more. */
const QUESTIONS = readdirSync(faq).filter((name) => name.endsWith('.yaml')).length

for (const javaScriptEnabled of [true, false]) {
  describe(`the home page with scripts ${javaScriptEnabled ? 'on' : 'off'}`, () => {
    test('shows its tagline and links to sign-up and sign-in', async ({ open }) => {
      const page = await open(null, { javaScriptEnabled })
      await page.goto('/')
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Rules trade\.\s+Nerves don’t\.\s*$/)
      const hero = page.getByRole('region', { name: 'Rules trade.' })
      await expect(hero.getByText('You could lose all the money you invest.')).toBeVisible()
      await hero.getByRole('link', { name: 'Create an Account', exact: true }).click()
      await expect(page).toHaveURL('/sign-up')
      await page.goto('/')
      await page.getByRole('main').getByRole('link', { name: 'Sign In', exact: true }).click()
      await expect(page).toHaveURL('/sign-in')
    })

    test('shows every question with one open, at first the first', async ({ open }) => {
      const page = await open(null, { javaScriptEnabled })
      await page.goto('/')
      const questions = page.getByRole('region', { name: 'Frequently asked questions' })
      const all = questions.locator('details')
      const opened = questions.locator('details[open]')
      await expect(all).toHaveCount(QUESTIONS)
      await expect(opened).toHaveCount(1)
      await expect(all.first()).toHaveAttribute('open')
      await expect(all.first().locator('p')).toBeVisible()

      const costs = all.filter({ hasText: 'What does it cost?' })
      await expect(costs.locator('p')).toBeHidden()
      await costs.locator('summary').click()
      await expect(costs.locator('p')).toBeVisible()
      await expect(all.first().locator('p')).toBeHidden()
      await expect(opened).toHaveCount(1)
    })

    test('opens and closes a question by keyboard', async ({ open }) => {
      const page = await open(null, { javaScriptEnabled })
      await page.goto('/')
      const all = page.getByRole('region', { name: 'Frequently asked questions' }).locator('details')
      await all.first().locator('summary').focus()
      // Tab goes through the links of the open answer first.
      const links = await all.first().getByRole('link').count()
      for (let tabs = 0; tabs <= links; tabs++) await page.keyboard.press('Tab')
      await expect(all.nth(1).locator('summary')).toBeFocused()
      await page.keyboard.press('Enter')
      await expect(all.nth(1).locator('p')).toBeVisible()
      await expect(all.first().locator('p')).toBeHidden()
      await page.keyboard.press('Enter')
      await expect(all.nth(1).locator('p')).toBeHidden()
    })

    test('shows five steps, and only the first has a link', async ({ open }) => {
      const page = await open(null, { javaScriptEnabled })
      await page.goto('/')
      const section = page.getByRole('region', { name: 'How It Works' })
      const steps = section.getByRole('listitem')
      await expect(steps.getByRole('heading')).toContainText([
        'Register',
        'Verify',
        'Deposit Funds',
        'Automated Trading',
        'Withdrawal',
      ])
      await expect(steps).toHaveCount(5)
      const start = section.getByRole('link', { name: 'Get Started' })
      await expect(start).toHaveCount(1)
      await expect(steps.first().getByRole('link', { name: 'Get Started' })).toHaveAttribute(
        'href',
        '/sign-up',
      )
      await expect(section.getByText('You could lose all the money you invest.')).toBeVisible()
    })

    test('compares each of the eight rules with holding', async ({ open }) => {
      const page = await open(null, { javaScriptEnabled })
      await page.goto('/')
      const chart = page.getByRole('group', { name: '$1,000 in bitcoin: a rule against holding' })
      await expect(chart.getByRole('radio')).toHaveCount(rules.length)
      await expect(chart.getByRole('radio', { name: 'Even Keel' })).toBeChecked()
      for (const { name, path, became, fall, holdingBecame, holdingFall } of rules) {
        await chart.getByText(name, { exact: true }).first().click()
        const picture = chart.getByRole('img', { name: / turned \$1,000 into / })
        await expect(picture).toHaveCount(1)
        await expect(picture).toHaveAccessibleName(
          `${name} turned $1,000 into ${became}; its worst fall was ${fall}. Holding turned it into ${holdingBecame}; its worst fall was ${holdingFall}.`,
        )
        await expect(chart.getByRole('link', { name, exact: true })).toHaveAttribute('href', path)
      }
    })
  })
}

test('the chart is changed by the arrow keys', async ({ page }) => {
  await page.goto('/')
  const chart = page.getByRole('group', { name: '$1,000 in bitcoin: a rule against holding' })
  await chart.getByRole('radio', { name: 'Even Keel' }).focus()
  await page.keyboard.press('ArrowLeft')
  await expect(chart.getByRole('radio', { name: 'Buy the Dip' })).toBeChecked()
  await expect(chart.getByRole('img', { name: /^Buy the Dip turned/ })).toBeVisible()
})

test('the first screen states the risk once, the practice mode once, and what is needed to start', async ({
  page,
}) => {
  await page.goto('/')
  const inFirstScreen = async (words: string) => {
    const boxes = await Promise.all(
      (await page.getByText(words).filter({ visible: true }).all()).map((place) => place.boundingBox()),
    )
    return boxes.filter((box) => box && box.y < 800).length
  }
  expect(await inFirstScreen('You could lose all the money you invest.')).toBe(1)
  expect(await inFirstScreen('Practice mode. No real money.')).toBe(1)
  const hero = page.getByRole('region', { name: 'Rules trade.' })
  await expect(hero).toContainText('See each rule’s worst year first.')
  await expect(hero.getByRole('definition')).toHaveText(['$10.00', 'No fees today'])
  expect(await inFirstScreen('No fees today')).toBe(1)
  const words = (await page.getByRole('main').innerText()).split(/\s+/)
  expect(words.length, 'words that the page shows').toBeLessThanOrEqual(480)
})

test('a sample overview shows what two rules would have made, with its kind, period and costs', async ({
  page,
}) => {
  await page.goto('/')
  const section = page.getByRole('region', { name: 'Your account' })
  await expect(section.getByText('Sample', { exact: true })).toBeVisible()
  const holdings = listSampleHoldings(rules)
  const { valueUsd, firstDay, lastDay, worstFall } = computeSampleAccount(holdings)
  const value = valueUsd.toLocaleString('en-US', { style: 'currency', currency: 'USD' })
  await expect(section.getByText(value, { exact: true })).toBeVisible()
  await expect(section.getByRole('img', { name: `A sample overview: value ${value}` })).toBeVisible()
  const caption = section.locator('figcaption')
  await expect(caption).toContainText(
    `past prices of bitcoin, ${formatDay(firstDay)} to ${formatDay(lastDay)}, after costs`,
  )
  await expect(caption).toContainText(`Worst fall: ${formatPercent(worstFall)}`)
  await expect(section.getByRole('link', { name: 'Watch an account' })).toHaveAttribute('href', '/playback')
})

/** The words of the overview's first screen, in their order. */
const OVERVIEW_WORDS = [
  'Value',
  'available to withdraw',
  'Withdraw',
  'Deposit',
  'Invest',
  'Today',
  '30 days',
  'Total Profit',
  '30 days',
  '90 days',
  'A year',
  'Compare',
  'now',
  'Includes deposits and withdrawals.',
  'Where it is',
  'Cash',
]

test('the sample overview has the words of the real one, in the same order', async ({ open }) => {
  const page = await open(await createSession({ email: 'investor@example.com', password: PASSWORD }))
  await page.goto('/dashboard/overview')
  await waitForLoaded(page)
  const real = await page.getByRole('main').innerText()
  await page.goto('/')
  const sample = await page.getByRole('img', { name: 'A sample overview' }).innerText()
  const inOrder = new RegExp(OVERVIEW_WORDS.join('[^]*?'))
  expect(real).toMatch(inOrder)
  expect(sample).toMatch(inOrder)
})

test('three strategies show what they do, their result and their worst fall', async ({ page }) => {
  await page.goto('/')
  const section = page.getByRole('region', { name: 'Best, middle and worst' })
  await expect(section).toContainText('Past prices of bitcoin')
  const sorted = rules.toSorted((one, other) => other.totalReturn - one.totalReturn)
  const rows = section.getByRole('row').filter({ has: page.getByRole('rowheader') })
  await expect(rows).toHaveCount(3)
  for (const [index, place] of [0, Math.floor(sorted.length / 2), sorted.length - 1].entries()) {
    const rule = sorted[place]
    if (!rule) throw new Error('too few tests')
    const row = rows.nth(index)
    await expect(row.getByRole('link', { name: rule.name })).toHaveAttribute('href', rule.path)
    await expect(row.locator('small')).toHaveText(/^[A-Z].{15,}\.$/)
    for (const words of [rule.fall, rule.became, rule.holdingBecame]) await expect(row).toContainText(words)
  }
})

test('the markets that strategies trade are named and marked as simulated', async ({ page }) => {
  await page.goto('/')
  const section = page.getByRole('region', { name: 'What strategies hold' })
  await expect(section.getByRole('article').getByRole('heading')).toHaveText([
    'Stocks',
    'Cryptocurrencies',
    'Crypto Indices',
  ])
  await expect(section.getByText('Practice market', { exact: true })).toBeVisible()
})

test('each of the five security promises links to its evidence', async ({ page }) => {
  await page.goto('/')
  const cards = page.getByRole('region', { name: 'Security you can check' }).getByRole('article')
  await expect(cards.getByRole('heading')).toHaveText([
    'Advanced Fund Protection',
    'Data Privacy & Security',
    'End-to-End Encryption',
    'Live Insights',
    'Trustworthy by Design',
  ])
  for (const card of await cards.all()) {
    const claimed = await card
      .locator('[data-claim]')
      .evaluateAll((texts) => texts.flatMap((text) => text.getAttribute('data-claim')?.split(' ') ?? []))
    expect(claimed.length).toBeGreaterThan(0)
    await card.getByText('Evidence').click()
    for (const id of claimed) await expect(card.locator(`a[href="/claims/${id}"]`)).toBeVisible()
  }
})

test('the structured data has the same questions and answers as the page', async ({ page }) => {
  await page.goto('/')
  const data = await page.locator('script[type="application/ld+json"]').allTextContents()
  const structured: unknown = JSON.parse(data.find((each) => each.includes('FAQPage')) ?? 'null')
  const shown = await page.locator('details[name="faq"]').evaluateAll((all) =>
    all.map((each) => ({
      '@type': 'Question',
      name: each.querySelector('summary')?.textContent?.trim(),
      acceptedAnswer: { '@type': 'Answer', text: each.querySelector('p')?.textContent?.trim() },
    })),
  )
  expect(shown).toHaveLength(QUESTIONS)
  expect(structured).toMatchObject({ '@type': 'FAQPage', mainEntity: shown })
})
