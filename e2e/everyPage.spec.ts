import type { Page } from '@playwright/test'
import { expectAccessible, expectContrast, settled } from './support/accessible.ts'
import { expectWithinBudget, watchLoads } from './support/budget.ts'
import { expectGuardedPage } from './support/guarded.ts'
import { expectHead } from './support/head.ts'
import { type BuiltPage, MISSING, pages, whoSeesMost } from './support/pages.ts'
import { expectBacked } from './support/register.ts'
import { scrollThrough } from './support/scrollThrough.ts'
import { shifted, watchShifts } from './support/shifts.ts'
import { expect, test } from './support/test.ts'

const DESKTOP = { viewport: { width: 1280, height: 800 } }
const NARROWEST = { viewport: { width: 320, height: 800 } }

test('there are pages of every area', () => {
  for (const area of ['public', 'auth', 'dashboard', 'operator'])
    expect.soft(pages.filter((page) => page.area === area).length, area).toBeGreaterThan(3)
})

// All that concerns each page is asserted here, on one visit of a width. What a page does against its policy or says in
// the console fails every test: `support/test.ts` listens.
for (const built of pages) {
  const { path, area } = built

  test(`${path} is light, guarded, backed, still and for everybody`, async ({ open, allowFault }) => {
    if (path === MISSING) allowFault(/404 \(Not Found\)/)
    const holdsStill = area === 'public' || area === 'dashboard'
    const session = await whoSeesMost(area)
    const page = await open(session, DESKTOP)
    const loaded = watchLoads(page)
    await watchShifts(page)
    if (area === 'dashboard') await answerLate(page)
    const response = await page.goto(path, { waitUntil: 'networkidle' })
    await settled(page)
    await expectWithinBudget(page, built, loaded)
    await scrollThrough(page)
    if (holdsStill) await expectStill(page)
    await expectGuardedPage(page, built, response)
    await expectHead(built, (await response?.text()) ?? '')
    if (claimsSomething(built)) await expectBacked(page, built)
    if (area !== 'public') await expectBareFrame(page)
    await page.evaluate(() => scrollTo(0, 0))
    await expectAccessible(page)
    await expectContrast(page)
    if (!holdsStill) return

    const narrow = await open(session, NARROWEST)
    await watchShifts(narrow)
    if (area === 'dashboard') await answerLate(narrow)
    await sendFontsLate(narrow)
    await narrow.goto(path, { waitUntil: 'networkidle' })
    await settled(narrow)
    await scrollThrough(narrow)
    await expectStill(narrow)
  })
}

// They are fetched when they are opened, and have an address of their own.
test('the tabs of the profile are no heavier than pages of the dashboard, and lead nowhere in vain', async ({
  open,
}) => {
  for (const path of ['/dashboard/profile#security', '/dashboard/profile#notifications']) {
    const page = await open(await whoSeesMost('dashboard'))
    const loaded = watchLoads(page)
    await page.goto(path, { waitUntil: 'networkidle' })
    await settled(page)
    await expectWithinBudget(page, { path, area: 'dashboard' }, loaded)
  }
})

/** The register's own pages say what is claimed elsewhere, and those of a session speak to who has read it. */
function claimsSomething({ path, area }: BuiltPage): boolean {
  return (area === 'public' || area === 'auth') && !path.startsWith('/claims')
}

async function expectStill(page: Page): Promise<void> {
  expect
    .soft(await shifted(page), `layout shift at ${page.viewportSize()?.width} px`)
    .toBeLessThanOrEqual(0.01)
}

/** Neither public header nor footer. */
async function expectBareFrame(page: Page): Promise<void> {
  await expect.soft(page.getByRole('heading', { level: 1 })).toHaveCount(1)
  await expect.soft(page.getByRole('navigation', { name: 'Main' })).toHaveCount(0)
  await expect.soft(page.getByRole('contentinfo')).toHaveCount(0)
}

/** Fonts come when the page has long been painted, as over a slow line. */
async function sendFontsLate(page: Page): Promise<void> {
  await page.route('**/*.woff2', async (route) => {
    const answer = await route.fetch()
    await new Promise((resolve) => setTimeout(resolve, 1000))
    await route.fulfill({ response: answer })
  })
}

/** Each answer of the API comes late, and no two at once: so that everything that could push something else does. */
async function answerLate(page: Page): Promise<void> {
  let calls = 0
  await page.route('**/api/v1/**', async (route) => {
    const answer = await route.fetch()
    await new Promise((resolve) => setTimeout(resolve, 300 + (calls++ % 5) * 125))
    await route.fulfill({ response: answer })
  })
}
