import type { Page, Route } from '@playwright/test'
import { expectAccessible, waitForLoaded } from './support/accessibility.ts'
import { pages, sessionFor } from './support/pages.ts'
import { newInvestor } from './support/people.ts'
import { waitForScripts } from './support/screens.ts'
import { expect, test } from './support/test.ts'

const WIDE = { width: 1280, height: 800 }
/** The same screen at 200 % zoom. */
const ZOOMED = { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 }
const NARROWEST = { width: 320, height: 640 }

/** The parts of a screen that load by themselves; the others are one. */
const PARTS: Record<string, number> = { '/dashboard/overview': 5 }

for (const { path } of pages.filter(({ area }) => area === 'dashboard')) {
  test(`${path} shows loading, offline and error states, recovers, and works zoomed and by keyboard`, async ({
    open,
    allowFault,
  }) => {
    allowFault(/status of 500|ERR_INTERNET_DISCONNECTED|ERR_FAILED/)
    const page = await open(await sessionFor('dashboard'), ZOOMED)
    const api = await answersOf(page)
    const parts = PARTS[path] ?? 1
    const main = page.getByRole('main')
    const button = page.getByRole('button', { name: 'Try again' })
    const again = main.locator(button)
    const failed = main.getByRole('alert').filter({ has: button })

    // Nothing comes yet: what will is said, and its place is held.
    await page.goto(path)
    await waitForScripts(page)
    await expect(main.getByRole('heading').first()).toBeVisible()
    if (parts > 0) await expect(main.getByText(/^Loading /).first()).toBeAttached()
    await expect(again).toHaveCount(0)
    await expectAccessible(page)

    // The connection goes before it has come, and everything comes by itself once it is back.
    const notice = page.locator('connection-notice')
    await page.context().setOffline(true)
    await expect(notice).toContainText('You are offline')
    await api.abort()
    await expect(failed.filter({ hasText: 'You are offline' })).toHaveCount(parts)
    api.become('as usual')
    await page.context().setOffline(false)
    await expect(notice).toHaveText('The connection is back.')
    await expect(again).toHaveCount(0)
    await waitForLoaded(page)

    // The server fails: each part says so, and says so again as long as it does.
    api.become('failing')
    await page.setViewportSize(WIDE)
    await page.reload()
    await waitForLoaded(page)
    await expect(failed.filter({ hasText: FAILURE.msg })).toHaveCount(parts)
    await expect(page.getByRole('region', { name: 'Messages' })).not.toContainText(FAILURE.msg)
    await expectAccessible(page)
    if (parts > 0) await again.first().click()
    await expect(failed.filter({ hasText: FAILURE.msg })).toHaveCount(parts)
    api.become('as usual')
    for (let left = parts; left > 0; left--) {
      await again.first().click()
      await expect(again).toHaveCount(left - 1)
    }
    await waitForLoaded(page)
    await expect(main.getByText(FAILURE.msg)).toHaveCount(0)

    for (const viewport of [NARROWEST, ZOOMED.viewport]) {
      await page.setViewportSize(viewport)
      expect.soft(await page.evaluate(whatIsCut), `what is cut off at ${viewport.width} px`).toEqual([])
    }
    expect.soft(await faultsOfFocus(page), 'faults on the way of Tab').toEqual([])
  })
}

test('the screens of a new account are accessible', async ({ open }) => {
  const { session } = await newInvestor({ kyc: 'none' })
  const page = await open(session)
  for (const [path, words] of [
    ['/dashboard/overview', 'Total Balance'],
    ['/dashboard/statement', 'Nothing'],
    ['/dashboard/referral-program', 'Nobody'],
  ] as const) {
    await page.goto(path)
    await waitForLoaded(page)
    await expect(page.getByRole('main')).toContainText(words)
    await expectAccessible(page)
    expect.soft(await page.evaluate(whatIsCut), path).toEqual([])
  }
})

const FAILURE = { msg: 'Something went wrong on our side', code: 'internal' }

/** What the API answers the page with: nothing at first, until it becomes something else or what waits is aborted. */
async function answersOf(page: Page) {
  let answers: 'never' | 'failing' | 'as usual' = 'never'
  const waiting: Route[] = []
  await page.route('**/api/v1/**', async (route) => {
    if (answers === 'never') waiting.push(route)
    else if (answers === 'failing') await route.fulfill({ status: 500, json: FAILURE })
    else await route.continue()
  })
  return {
    abort: async () => {
      await Promise.all(waiting.splice(0).map((route) => route.abort('internetdisconnected')))
    },
    become: (next: typeof answers) => {
      answers = next
    },
  }
}

// Runs in the page: what reaches past its edge, where nothing around it can be scrolled to it, or is wider than what cuts it off.
function whatIsCut(): string[] {
  const words = (element: Element) => element.outerHTML.slice(0, 120)
  const cut = [...document.querySelectorAll<HTMLElement>('main *')].filter((element) => {
    if (!element.checkVisibility() || element.closest('svg, market-ticker, .visually-hidden') !== null)
      return false
    const { left, right, width } = element.getBoundingClientRect()
    if (width <= 1) return false
    const { overflowX } = getComputedStyle(element)
    const cutsOff = overflowX !== 'visible' && overflowX !== 'auto' && overflowX !== 'scroll'
    return (
      left < -1 ||
      right > document.documentElement.clientWidth + 1 ||
      (cutsOff && element.scrollWidth > element.clientWidth + 1)
    )
  })
  const page = document.documentElement
  return [
    ...(page.scrollWidth > page.clientWidth ? [`the page is ${page.scrollWidth} px wide`] : []),
    ...cut.map(words),
  ]
}

/** Presses Tab until it comes round. Each stop must stand in sight, uncovered, with a ring on it or on what stands around it, and nothing be left out. */
async function faultsOfFocus(page: Page): Promise<string[]> {
  const faults: string[] = []
  await page.getByRole('link', { name: 'Skip to the content' }).focus()
  for (let presses = 0; presses < 150; presses++) {
    await page.keyboard.press('Tab')
    const stop = await page.evaluate(lookAtFocus)
    if (stop === 'round') return [...faults, ...(await page.evaluate(whatTabLeftOut))]
    if (stop !== 'seen') faults.push(stop)
  }
  return [...faults, 'Tab never comes round']
}

// Runs in the page. It has come round when the focus is the browser's own, or the first link's.
function lookAtFocus(): string {
  const focused = document.activeElement
  if (focused === null || focused === document.body || focused.matches('[href="#main"]')) return 'round'
  const name = focused.outerHTML.slice(0, 120)
  // The parts of a date are stops of their own, one after the other.
  if (focused.matches('[type=date][data-visited=now]')) return 'seen'
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
  return shown && around.some((each) => each.contains(shown)) ? 'seen' : `out of sight: ${name}`
}

// Runs in the page. Of radios Tab leads to one.
function whatTabLeftOut(): string[] {
  return [...document.querySelectorAll('a[href], button, input, select, textarea, summary')]
    .filter(
      (control) =>
        !control.matches('[data-visited], :disabled, [tabindex="-1"], [type=radio], [href="#main"]'),
    )
    .filter((control) => control.checkVisibility({ visibilityProperty: true }) && !control.closest('[inert]'))
    .map((control) => `left out: ${control.outerHTML.slice(0, 120)}`)
}
