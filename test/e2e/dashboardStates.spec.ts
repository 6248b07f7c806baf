import type { Page, Route } from '@playwright/test'
import { expectAccessible, waitForLoaded } from './support/accessibility.ts'
import { MISSING, pages, sessionFor } from './support/pages.ts'
import { newInvestor } from './support/people.ts'
import { waitForScripts } from './support/screens.ts'
import { expect, test } from './support/test.ts'

const WIDE = { width: 1280, height: 800 }
/** The same screen at 200 % zoom. */
const ZOOMED = { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 }
const NARROWEST = { width: 320, height: 640 }

/** How many parts of a screen load separately. The default is one. */
const PARTS: Record<string, number> = { '/dashboard/overview': 4 }

/** Pages that load nothing. */
const STILL = [MISSING, '/dashboard/offline']

for (const { path } of pages.filter(
  ({ area, path }) => area === 'dashboard' && !STILL.some((still) => path.endsWith(still)),
)) {
  test(`${path} shows loading, offline and error states, recovers, and works zoomed and by keyboard`, async ({
    open,
    allowFault,
  }) => {
    allowFault(/status of 500|ERR_INTERNET_DISCONNECTED|ERR_FAILED/)
    const page = await open(await sessionFor('dashboard'), ZOOMED)
    const api = await controlApi(page)
    const parts = PARTS[path] ?? 1
    const main = page.getByRole('main')
    const button = page.getByRole('button', { name: 'Try again' })
    const retry = main.locator(button)
    const failed = main.getByRole('alert').filter({ has: button })

    // While loading: the page says what it loads.
    await page.goto(path)
    await waitForScripts(page)
    await seeAll(page)
    await expect(main.getByRole('heading').first()).toBeVisible()
    if (parts > 0) await expect(main.getByText(/^Loading /).first()).toBeAttached()
    await expect(retry).toHaveCount(0)
    await expectAccessible(page)

    // Offline while loading: everything loads by itself once the connection is back.
    const notice = page.locator('connection-notice')
    await page.context().setOffline(true)
    await expect(notice).toContainText('You are offline')
    await api.abort()
    await expect(failed.filter({ hasText: 'You are offline' })).toHaveCount(parts)
    api.set('normal')
    await page.context().setOffline(false)
    await expect(notice).toHaveText('The connection is back.')
    await expect(retry).toHaveCount(0)
    await waitForLoaded(page)

    // Server errors: each part shows the error, and shows it again after a failed retry.
    api.set('failing')
    await page.setViewportSize(WIDE)
    await page.reload()
    await waitForLoaded(page)
    await seeAll(page)
    await expect(failed.filter({ hasText: FAILURE.msg })).toHaveCount(parts)
    await expect(page.getByRole('region', { name: 'Messages', exact: true })).not.toContainText(FAILURE.msg)
    await expectAccessible(page)
    if (parts > 0) await retry.first().click()
    await expect(failed.filter({ hasText: FAILURE.msg })).toHaveCount(parts)
    api.set('normal')
    for (let left = parts; left > 0; left--) {
      await retry.first().click()
      await expect(retry).toHaveCount(left - 1)
    }
    await waitForLoaded(page)
    await expect(main.getByText(FAILURE.msg)).toHaveCount(0)

    for (const viewport of [NARROWEST, ZOOMED.viewport]) {
      await page.setViewportSize(viewport)
      expect
        .soft(await page.evaluate(clippedElements), `clipped elements at ${viewport.width} px`)
        .toEqual([])
    }
    expect.soft(await focusFaults(page), 'keyboard focus faults').toEqual([])
  })
}

test('the screens of a new account are accessible', async ({ open }) => {
  const { session } = await newInvestor({ kyc: 'none' })
  const page = await open(session)
  for (const [path, words] of [
    ['/dashboard/overview', 'Total Balance'],
    ['/dashboard/statement', 'No entries in this period'],
    ['/dashboard/referral-program', 'Nobody'],
  ] as const) {
    await page.goto(path)
    await waitForLoaded(page)
    await expect(page.getByRole('main')).toContainText(words)
    await expectAccessible(page)
    expect.soft(await page.evaluate(clippedElements), path).toEqual([])
  }
})

/** Some parts load when they are about to be seen. */
async function seeAll(page: Page): Promise<void> {
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
}

const FAILURE = { msg: 'Something went wrong on our side', code: 'internal' }

/** Controls the answers of the API. Calls stay pending until the mode changes or `abort` ends the waiting ones. */
async function controlApi(page: Page) {
  let mode: 'pending' | 'failing' | 'normal' = 'pending'
  const waiting: Route[] = []
  await page.route('**/api/v1/**', async (route) => {
    if (mode === 'pending') waiting.push(route)
    else if (mode === 'failing') await route.fulfill({ status: 500, json: FAILURE })
    else await route.continue()
  })
  return {
    abort: async () => {
      await Promise.all(waiting.splice(0).map((route) => route.abort('internetdisconnected')))
    },
    set: (next: typeof mode) => {
      mode = next
    },
  }
}

// Runs in the page. Returns elements that reach past the edge of the page, or whose content is clipped.
function clippedElements(): string[] {
  const describe = (element: Element) => element.outerHTML.slice(0, 120)
  const clipped = [...document.querySelectorAll<HTMLElement>('main *')].filter((element) => {
    if (!element.checkVisibility() || element.closest('svg, market-ticker, .visually-hidden') !== null)
      return false
    const { left, right, width } = element.getBoundingClientRect()
    if (width <= 1) return false
    const { overflowX } = getComputedStyle(element)
    const isClipping = overflowX !== 'visible' && overflowX !== 'auto' && overflowX !== 'scroll'
    return (
      left < -1 ||
      right > document.documentElement.clientWidth + 1 ||
      (isClipping && element.scrollWidth > element.clientWidth + 1)
    )
  })
  const page = document.documentElement
  return [
    ...(page.scrollWidth > page.clientWidth ? [`the page is ${page.scrollWidth} px wide`] : []),
    ...clipped.map(describe),
  ]
}

/** Presses Tab through the whole page. Each stop must be in view, uncovered and ringed, itself or by an ancestor, and no control may be left out. */
async function focusFaults(page: Page): Promise<string[]> {
  const faults: string[] = []
  await page.getByRole('link', { name: 'Skip to the content' }).focus()
  for (let presses = 0; presses < 150; presses++) {
    await page.keyboard.press('Tab')
    const stop = await page.evaluate(inspectFocus)
    if (stop === 'end') return [...faults, ...(await page.evaluate(unreachedControls))]
    if (stop !== 'ok') faults.push(stop)
  }
  return [...faults, 'Tab never reaches the end of the page']
}

// Runs in the page. Tab has gone through the page when the focus is on the body or on the first link again.
function inspectFocus(): string {
  const focused = document.activeElement
  if (focused === null || focused === document.body || focused.matches('[href="#main"]')) return 'end'
  const name = focused.outerHTML.slice(0, 120)
  // Each part of a date field is a stop.
  if (focused.matches('[type=date][data-visited=now]')) return 'ok'
  if (focused.hasAttribute('data-visited')) return `twice: ${name}`
  document.querySelector('[data-visited=now]')?.setAttribute('data-visited', 'before')
  focused.setAttribute('data-visited', 'now')
  const around = [focused, focused.parentElement, focused.parentElement?.parentElement].filter(
    (each) => !!each,
  )
  const isRinged = around.some((each) =>
    [getComputedStyle(each), getComputedStyle(each, '::after')].some(
      ({ outlineStyle }) => outlineStyle !== 'none',
    ),
  )
  if (!isRinged) return `no ring: ${name}`
  const { top, bottom, left, right } = focused.getBoundingClientRect()
  const middle = (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2
  const shown = bottom > 0 && top < innerHeight && document.elementFromPoint((left + right) / 2, middle)
  return shown && around.some((each) => each.contains(shown)) ? 'ok' : `out of sight: ${name}`
}

// Runs in the page. Tab reaches one radio of a group, so radios are left out.
function unreachedControls(): string[] {
  return [...document.querySelectorAll('a[href], button, input, select, textarea, summary')]
    .filter(
      (control) =>
        !control.matches('[data-visited], :disabled, [tabindex="-1"], [type=radio], [href="#main"]'),
    )
    .filter((control) => control.checkVisibility({ visibilityProperty: true }) && !control.closest('[inert]'))
    .map((control) => `left out: ${control.outerHTML.slice(0, 120)}`)
}
