import { readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { CATALOGUE } from '../../engine/catalogue.ts'
import {
  formatPercent,
  formatSignedPercent,
  formatWholeUsd,
  getOwnFigures,
} from '../../src/pages/_investing/strategies/figures.ts'
import { getBacktest } from '../../src/pages/_investing/strategies/getBacktest.ts'
import { listTests } from '../../src/pages/_investing/strategies/marketTests.ts'
import { simulateHeldBitcoin } from '../../src/pages/_site/home/heldBitcoin.ts'
import { expect, test } from './support/test.ts'

const { describe } = test

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

    test('shows the figures of its chart on request', async ({ open }) => {
      const page = await open(null, { javaScriptEnabled })
      await page.goto('/')
      const figure = page.getByRole('figure')
      await expect(figure.getByRole('table')).toBeHidden()
      await figure.getByText('The numbers').click()
      const { years } = simulateHeldBitcoin()
      for (const [index, { year, lowestUsd, deepest, endUsd }] of years.entries()) {
        await expect(figure.getByRole('row').nth(index + 1)).toHaveText(
          `${year}${formatWholeUsd(lowestUsd)}${formatPercent(deepest)}${formatWholeUsd(endUsd)}`,
        )
      }
    })
  })
}

test('the chart’s caption has the computed sum, period, cost, worst fall and outcome', async ({ page }) => {
  await page.goto('/')
  const { worst, finalUsd, costUsd, firstDay, lastDay } = simulateHeldBitcoin()
  const caption = page.getByRole('figure').locator('figcaption > p')
  await expect(caption).toContainText(
    `Real prices. $1,000 held in bitcoin at past daily prices of Kraken and Binance, ${firstDay} to ${lastDay}`,
  )
  await expect(caption).toContainText(`0.50%, $${costUsd.toFixed(2)}`)
  await expect(caption).toContainText(
    `It fell ${formatPercent(-worst.share)} from ${worst.fromDay} to ${worst.toDay}`,
  )
  const picture = page.getByRole('img', { name: 'What $1,000 in bitcoin became' })
  await expect(picture).toContainText(`worst drawdown ${formatPercent(worst.share)}`)
  await expect(picture).toContainText(
    `from ${formatWholeUsd(worst.from)} on ${worst.fromDay} to ${formatWholeUsd(worst.to)}`,
  )
  await expect(picture).toContainText(formatWholeUsd(finalUsd))
  expect(worst.share).toBeLessThan(-0.8)
})

test('the first screen says what to try, the minimum investment and what is open to everyone', async ({
  page,
}) => {
  await page.goto('/')
  const hero = page.getByRole('region', { name: 'Rules trade.' })
  await expect(hero).toContainText('Try every step with simulated money.')
  await expect(hero.getByRole('definition')).toHaveText([
    '$10 per strategy.',
    'No fees today.',
    'History, metrics and backtests of every strategy.',
  ])
  await expect(hero.getByRole('link', { name: 'every strategy' })).toHaveAttribute('href', '/strategies')
})

test('three strategies show their checks, return and worst drawdown, the loss as plain as the gain', async ({
  page,
}) => {
  await page.goto('/')
  const section = page.getByRole('region', { name: 'Best, middle and worst' })
  await expect(section).toContainText('past prices of bitcoin')
  const tests = CATALOGUE.map((strategy) => {
    const onBitcoin = listTests(strategy).find(({ on }) => on === 'bitcoin')
    if (!onBitcoin) throw new Error(`${strategy.name} is not tested on bitcoin`)
    return { name: strategy.name, ...getOwnFigures(getBacktest(onBitcoin)) }
  }).toSorted((one, other) => other.totalReturn - one.totalReturn)
  const rows = section.getByRole('row').filter({ has: page.getByRole('rowheader') })
  await expect(rows).toHaveCount(3)
  for (const [index, place] of [0, Math.floor(tests.length / 2), tests.length - 1].entries()) {
    const tested = tests[place]
    if (!tested) throw new Error('too few tests')
    for (const words of [
      tested.name,
      formatSignedPercent(tested.totalReturn),
      formatPercent(tested.maximumDrawdown),
    ])
      await expect(rows.nth(index)).toContainText(words)
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
  await expect(section.getByText('Simulated market', { exact: true })).toBeVisible()
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
