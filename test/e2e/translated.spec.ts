import type { Page } from '@playwright/test'
import { waitForLoaded } from './support/accessibility.ts'
import { isMissing, pages, sessionFor } from './support/pages.ts'
import { expect, test } from './support/test.ts'
import { translatePage } from './support/translation.ts'

const NARROWEST = { viewport: { width: 320, height: 800 } }

// `support/test.ts` fails a test on errors of React. An island that crashed shows this instead.
const CRASHED = 'Unexpected Application Error!'

for (const area of ['public', 'auth', 'dashboard', 'operator'] as const) {
  test(`translated pages work, and fit 320 pixels with wide text spacing: ${area}`, async ({ open }) => {
    test.setTimeout(240_000)
    const page = await open(await sessionFor(area), NARROWEST)
    await translatePage(page)
    for (const { path } of pages.filter((built) => built.area === area && !isMissing(built.path))) {
      await test.step(path, async () => {
        await page.goto(path)
        await waitForLoaded(page)
        await expect(page.locator('main font').first()).toBeAttached()
        await expect.soft(page.getByText(CRASHED), path).toHaveCount(0)
        await spaceText(page)
        expect.soft(await findOverflow(page), path).toEqual([])
      })
    }
  })
}

test('a translated page survives what people do on it', async ({ open }) => {
  const page = await open(await sessionFor('dashboard'))
  await translatePage(page)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/dashboard/referral-program')
  await page.getByRole('button', { name: /^Copy/ }).first().click()
  await expect(page.getByRole('button', { name: /^Copied/ })).toBeVisible()
  await expect(page.getByRole('button', { name: /^Copied/ })).toHaveCount(0)

  await page.goto('/dashboard/transaction-history')
  await page.getByRole('table').getByRole('button').first().click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)

  await page.goto('/dashboard/strategies')
  await page.getByRole('table').getByRole('button').first().click()
  await expect(page.getByRole('textbox', { name: 'Amount in USD' })).toBeVisible()
  await page.getByRole('textbox', { name: 'Amount in USD' }).fill('1.500')
  await page.getByRole('button', { name: '$1,500.00' }).click()
  await page.getByRole('textbox', { name: 'Amount in USD' }).fill('20')
  await expect(page.getByText(CRASHED)).toHaveCount(0)
})

/** WCAG 2.2, success criterion 1.4.12. */
async function spaceText(page: Page): Promise<void> {
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(
      `* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }
      p { margin-block-end: 2em !important; }`,
    )
    document.adoptedStyleSheets.push(sheet)
  })
}

/** The elements that reach beyond the page's right edge, except within something that scrolls or cuts on purpose. */
async function findOverflow(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    if (document.documentElement.scrollWidth <= innerWidth) return []
    const isInside = (element: Element): boolean => {
      const parent = element.parentElement
      if (parent === null || parent === document.documentElement) return false
      return getComputedStyle(parent).overflowX !== 'visible' || isInside(parent)
    }
    return [...document.body.querySelectorAll('*')]
      .filter((element) => element.getBoundingClientRect().right > innerWidth + 1 && !isInside(element))
      .map((element) => element.outerHTML.replace(/\s+/g, ' ').slice(0, 140))
      .slice(-5)
  })
}
