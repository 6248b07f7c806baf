import type { Locator, Page } from '@playwright/test'
import { layoutShift, recordLayoutShifts } from './support/layoutShift.ts'
import { expect, test } from './support/test.ts'

const GAP = 30
const REVIEWS = 5

/** How many reviews are shown side by side, by window width in pixels. */
const SHOWN = [
  { width: 320, shown: 1 },
  { width: 599, shown: 1 },
  { width: 600, shown: 2 },
  { width: 700, shown: 2 },
  { width: 1199, shown: 2 },
  { width: 1200, shown: 3 },
  { width: 1300, shown: 3 },
]

test(`each width of the window shows as many of five reviews as it has room for, ${GAP} px apart`, async ({
  page,
}) => {
  for (const { width, shown } of SHOWN) {
    await test.step(`${shown} at ${width} px`, async () => {
      await page.setViewportSize({ width, height: 900 })
      await page.goto('/reviews')
      await expect(reviews(page)).toHaveCount(REVIEWS)
      const row = await boxOf(carousel(page))
      const boxes = await Promise.all((await reviews(page).all()).map(boxOf))
      for (const [index, box] of boxes.entries()) {
        const before = boxes[index - 1]
        if (before) expect(box.x - before.x - before.width).toBeCloseTo(GAP, 0)
      }
      const inView = boxes.filter((box) => box.x >= row.x - 1 && box.x + box.width <= row.x + row.width + 1)
      expect(inView).toHaveLength(shown)
      expect((boxes[0]?.width ?? 0) * shown + GAP * (shown - 1)).toBeCloseTo(row.width, 0)
      await expect(pagination(page)).toHaveCount(REVIEWS - shown + 1)
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      expect(overflow).toBeLessThanOrEqual(0)
    })
  }
})

test('each button of the pagination brings its review to the front', async ({ page }) => {
  for (const width of [320, 700, 1300]) {
    await test.step(`at ${width} px`, async () => {
      await page.setViewportSize({ width, height: 900 })
      await page.goto('/reviews')
      await expectFirst(page, 0)
      const last = (await pagination(page).count()) - 1
      for (const index of [last, 0, 1]) {
        await pagination(page).nth(index).click()
        await expectFirst(page, index)
      }
    })
  }
})

test('the arrow keys go from review to review, and stop at either end', async ({ page }) => {
  await page.setViewportSize({ width: 700, height: 900 })
  await page.goto('/reviews')
  await expect(pagination(page).first()).toBeVisible()
  await carousel(page).focus()
  await page.keyboard.press('ArrowRight')
  await expectFirst(page, 1)
  await page.keyboard.press('ArrowRight')
  await expectFirst(page, 2)
  await page.keyboard.press('ArrowLeft')
  await expectFirst(page, 1)
  await page.keyboard.press('End')
  await expectFirst(page, 3)
  await page.keyboard.press('ArrowRight')
  await expectFirst(page, 3)
  await page.keyboard.press('Home')
  await expectFirst(page, 0)
  await page.keyboard.press('ArrowLeft')
  await expectFirst(page, 0)
  await expect(carousel(page)).toBeFocused()
})

test('keys pressed faster than the row scrolls are all counted', async ({ open }) => {
  const page = await open(null, { reducedMotion: 'no-preference', viewport: { width: 320, height: 800 } })
  await page.goto('/reviews')
  await expect(pagination(page).first()).toBeVisible()
  await carousel(page).focus()
  for (let press = 0; press < 3; press++) await page.keyboard.press('ArrowRight')
  await expectFirst(page, 3)
})

test('the pagination is reached and pressed with the keyboard, and names its reviews', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 900 })
  await page.goto('/reviews')
  await carousel(page).focus()
  // Tab goes through the links of the reviews first.
  const links = await carousel(page).getByRole('link').count()
  for (let tabs = 0; tabs <= links; tabs++) await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Show review 1 of 5' })).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expectFirst(page, 1)
  await expect(page.getByRole('button', { name: 'Show review 2 of 5' })).toBeFocused()
})

test('scrolling the row, as a swipe does, moves the pagination along', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 900 })
  await page.goto('/reviews')
  await carousel(page).hover()
  await page.mouse.wheel(200, 0)
  await expectFirst(page, 1)
  await page.mouse.wheel(1200, 0)
  await expectFirst(page, 4)
})

test('a finger swipes from one review to the next', async ({ open }) => {
  const page = await open(null, { viewport: { width: 320, height: 900 }, hasTouch: true })
  await page.goto('/reviews')
  await carousel(page).scrollIntoViewIfNeeded()
  const { x, y, width } = await boxOf(carousel(page))
  const finger = await page.context().newCDPSession(page)
  const at = (moved: number) => [{ x: x + width - 40 - moved, y: y + 60 }]
  await finger.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(0) })
  for (let moved = 20; moved <= 200; moved += 20)
    await finger.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(moved) })
  await finger.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  await expectFirst(page, 1)
})

test('with reduced motion the next review shows at once', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 900 })
  await page.goto('/reviews')
  await pagination(page).nth(3).click()
  expect(await leftOf(page, 3)).toBe(0)
})

test('the pagination stays correct when the window gets wider', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 900 })
  await page.goto('/reviews')
  await page.getByRole('button', { name: 'Show review 5 of 5' }).click()
  await expectFirst(page, 4)
  await page.setViewportSize({ width: 1300, height: 900 })
  await expectFirst(page, 2)
})

test('nothing moves by itself, and nothing shifts while the page loads', async ({ open }) => {
  const page = await open(null, { reducedMotion: 'no-preference' })
  await page.clock.install()
  await recordLayoutShifts(page)
  await page.goto('/reviews', { waitUntil: 'networkidle' })
  await page.clock.runFor(30_000)
  const moving = await page.evaluate(() => document.getAnimations().map(({ effect }) => effect?.getTiming()))
  expect(moving, 'animations').toEqual([])
  await expectFirst(page, 0)
  expect(await layoutShift(page)).toBeLessThanOrEqual(0.01)
})

test('without JavaScript every review can be reached, and there is no pagination', async ({ open }) => {
  const page = await open(null, { javaScriptEnabled: false, viewport: { width: 320, height: 900 } })
  await page.goto('/reviews')
  await expect(page.getByRole('button', { name: /Show review/ })).toHaveCount(0)
  await carousel(page).focus()
  for (let index = 1; index < REVIEWS; index++) {
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => leftOf(page, index)).toBe(0)
  }
  await expect(reviews(page).last()).toBeInViewport()
})

test('sample reviews are marked once, with a name, a job and a drawing each', async ({ page }) => {
  await page.goto('/reviews')
  const main = page.getByRole('main')
  await expect(main.getByText(/Sample/)).toHaveCount(1)
  await expect(main.locator('header').first()).toContainText('No customer has reviewed us yet')
  for (const review of await reviews(page).all()) {
    await expect(review.locator('.customer')).toHaveText(/^\w+ \w\.$/)
    await expect(review.locator('.job')).not.toBeEmpty()
    await expect(review.locator('img')).toHaveAttribute('src', /^\/reviews\/sample-[a-e]\.svg$/)
  }
})

function carousel(page: Page): Locator {
  return page.getByRole('region', { name: 'Sample reviews' })
}

function reviews(page: Page): Locator {
  return carousel(page).getByRole('listitem')
}

function pagination(page: Page): Locator {
  return page.getByRole('button', { name: /^Show review \d of 5$/ })
}

/** Expects this review at the left edge, and the pagination to mark it. */
async function expectFirst(page: Page, index: number): Promise<void> {
  await expect.poll(() => leftOf(page, index)).toBe(0)
  await expect(pagination(page).nth(index)).toHaveAttribute('aria-current', 'true')
  await expect(page.locator('[aria-current="true"]')).toHaveCount(1)
}

/** How far a review is from the left edge of the row, in pixels. */
async function leftOf(page: Page, index: number): Promise<number> {
  return Math.abs(Math.round((await boxOf(reviews(page).nth(index))).x - (await boxOf(carousel(page))).x))
}

async function boxOf(place: Locator) {
  const box = await place.boundingBox()
  if (box === null) throw new Error('The element is not visible')
  return box
}
