import type { Page } from '@playwright/test'
import { expectAccessible, expectContrast, waitForLoaded } from './support/accessibility.ts'
import { expectWithinBudget, recordLoad } from './support/budget.ts'
import { expectRegisteredClaims } from './support/claims.ts'
import { expectHead } from './support/head.ts'
import { layoutShift, recordLayoutShifts } from './support/layoutShift.ts'
import { type BuiltPage, isMissing, pages, sessionFor } from './support/pages.ts'
import { expectSecurePage } from './support/securityHeaders.ts'
import { expect, test } from './support/test.ts'

const DESKTOP = { viewport: { width: 1280, height: 800 } }
const NARROWEST = { width: 320, height: 800 }

// The longest file by far, so that one Playwright worker would run it after the others have ended.
test.describe.configure({ mode: 'parallel' })

test('there are pages of every area', () => {
  for (const area of ['public', 'auth', 'dashboard', 'operator'])
    expect.soft(pages.filter((page) => page.area === area).length, area).toBeGreaterThan(3)
})

// Everything that every page must satisfy is asserted here, in one visit for each width. `support/test.ts` also fails a test
// on console errors and policy violations.
for (const built of pages) {
  const { path, area } = built

  test(`${path} meets the rules on size, security, claims, layout shift and accessibility`, async ({
    open,
    allowFault,
  }) => {
    if (isMissing(path)) allowFault(/404 \(Not Found\)/)
    const checksShifts = area === 'public' || area === 'dashboard'
    const session = await sessionFor(area)
    const page = await open(session, DESKTOP)
    const load = recordLoad(page)
    await recordLayoutShifts(page)
    if (area === 'dashboard') await delayApi(page)
    const response = await page.goto(path)
    await waitForLoaded(page)
    await load.end()
    await expectWithinBudget(page, built, load.responses)
    await scrollThrough(page)
    if (checksShifts) await expectNoShifts(page)
    await expectSecurePage(page, built, response)
    await expectHead(built, (await response?.text()) ?? '')
    if (makesClaims(built)) await expectRegisteredClaims(page, built)
    if (area !== 'public') await expectNoPublicFrame(page)
    expect.soft(await listRepeatedIds(page), 'ids of more than one element').toEqual([])
    expect.soft(await listIsoDays(page), 'days not in words').toEqual([])
    await page.evaluate(() => scrollTo(0, 0))
    await expectAccessible(page)
    await expectContrast(page)
    if (!checksShifts) return

    await page.setViewportSize(NARROWEST)
    await forgetVisit(page)
    await delayFonts(page)
    await page.goto(path)
    await waitForLoaded(page)
    await scrollThrough(page)
    await expectNoShifts(page)
  })
}

// Tabs load when they are opened, and each has its own address.
test('the tabs of the profile meet the size budget and have no broken links', async ({ open }) => {
  for (const path of ['/dashboard/profile#security', '/dashboard/profile#notifications']) {
    const page = await open(await sessionFor('dashboard'))
    const load = recordLoad(page)
    await page.goto(path)
    await waitForLoaded(page)
    await load.end()
    await expectWithinBudget(page, { path, area: 'dashboard' }, load.responses)
  }
})

/** Claims are checked before sign-in only. The register's own pages quote claims of other pages. */
function makesClaims({ path, area }: BuiltPage): boolean {
  return (area === 'public' || area === 'auth') && !path.startsWith('/claims')
}

async function expectNoShifts(page: Page): Promise<void> {
  expect
    .soft(await layoutShift(page), `layout shift at ${page.viewportSize()?.width} px`)
    .toBeLessThanOrEqual(0.01)
}

/** The page has no public header and footer. */
async function expectNoPublicFrame(page: Page): Promise<void> {
  await expect.soft(page.getByRole('heading', { level: 1 })).toHaveCount(1)
  await expect.soft(page.getByRole('navigation', { name: 'Main' })).toHaveCount(0)
  await expect.soft(page.getByRole('contentinfo')).toHaveCount(0)
}

function listRepeatedIds(page: Page): Promise<string[]> {
  return page.locator('[id]').evaluateAll((elements) => {
    const ids = elements.map(({ id }) => id)
    return ids.filter((id, index) => ids.indexOf(id) < index)
  })
}

/** Days in sentences that are written as in a table: 2026-11-23. Names of files, codes and tables may have them. */
function listIsoDays(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const texts: string[] = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) {
      const { textContent: text, parentElement } = walker.currentNode
      if (text === null || !/(?<![\w-])\d{4}-\d\d-\d\d(?!\.\w)/.test(text)) continue
      if (parentElement?.closest('table, code, pre, script, style') === null) texts.push(text.trim())
    }
    return texts
  })
}

/** Clears what the page stored, so that the next visit is like the first one. Routed pages use no HTTP cache. */
async function forgetVisit(page: Page): Promise<void> {
  await page.evaluate(() => {
    localStorage.clear()
    sessionStorage.clear()
    // Without its mark, the test's session is stored again.
    window.name = ''
  })
}

/** Delays fonts until after the first paint, as on a slow connection. */
async function delayFonts(page: Page): Promise<void> {
  await page.route('**/*.woff2', async (route) => {
    const answer = await route.fetch()
    await new Promise((resolve) => setTimeout(resolve, 400))
    await route.fulfill({ response: answer })
  })
}

/** Delays API answers by different times, so that whatever could shift the layout does. */
async function delayApi(page: Page): Promise<void> {
  let calls = 0
  await page.route('**/api/v1/**', async (route) => {
    const answer = await route.fetch()
    await new Promise((resolve) => setTimeout(resolve, 100 + (calls++ % 5) * 100))
    await route.fulfill({ response: answer })
  })
}

/** Scrolls to the end of the page by half screens, so that everything that loads when visible has loaded. */
async function scrollThrough(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let top = 0; top < document.documentElement.scrollHeight; top += innerHeight / 2) {
      scrollTo(0, top)
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    }
  })
}
