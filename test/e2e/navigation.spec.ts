import type { Locator, Page } from '@playwright/test'
import { site } from '../../src/site.ts'
import { layoutShift, recordLayoutShifts } from './support/layoutShift.ts'
import { MISSING, sessionFor } from './support/pages.ts'
import { newInvestor } from './support/people.ts'
import { expect, test } from './support/test.ts'

const PHONE = { viewport: { width: 390, height: 844 } }
/** A page longer than any window. */
const LONG = '/terms-of-service'

test('the header links to the main pages, sign-up and sign-in', async ({ page }) => {
  await page.goto(LONG)
  const header = page.getByRole('banner')
  await expect(header.getByRole('link', { name: site.brand })).toHaveAttribute('href', '/')
  expect(await linksOf(header.getByRole('navigation', { name: 'Main' }))).toEqual([
    'Home /',
    'Strategies /strategies',
    'About Us /about-us',
    'Reviews /reviews',
    'Regulation /regulations',
    'Contact Us /contact-us',
  ])
  await expect(header.getByRole('link', { name: 'Sign up' })).toHaveAttribute('href', '/sign-up')
  await expect(header.getByRole('link', { name: 'Sign in' })).toHaveAttribute('href', '/sign-in')
  await expect(header.getByRole('button', { name: 'Open the menu' })).toBeHidden()
})

test('the footer links to the public pages and shows payment methods and years', async ({ page }) => {
  await page.goto(LONG)
  const footer = page.getByRole('contentinfo')
  expect(await linksOf(footer.getByRole('navigation', { name: 'Footer' }))).toEqual([
    'Home /',
    'About Us /about-us',
    'Contact Us /contact-us',
    'Privacy Policy /privacy-policy',
    'Regulation /regulations',
    'Terms of Service /terms-of-service',
    'Reviews /reviews',
  ])
  for (const name of ['Bitcoin', 'Ethereum', 'USDT (Tether)', 'USDC (Circle)', 'Mastercard'])
    await expect(footer.getByRole('img', { name })).toBeVisible()
  await expect(footer.getByRole('link', { name: site.supportEmail })).toHaveAttribute(
    'href',
    `mailto:${site.supportEmail}`,
  )
  await expect(footer).toContainText(`© 2020–${new Date().getUTCFullYear()} ${site.brand}`)
})

test('the navigation marks the current page', async ({ open }) => {
  const page = await open()
  await page.goto('/')
  const main = page.getByRole('navigation', { name: 'Main' })
  await expect(main.locator('[aria-current]')).toHaveText(['Home'])
  await page.setViewportSize(PHONE.viewport)
  await openMenu(page)
  await expect(menuOf(page).locator('[aria-current]')).toHaveText(['Home'])
})

test('the header changes style past 80 pixels without a layout shift', async ({ page }) => {
  await recordLayoutShifts(page)
  await page.goto(LONG)
  const header = page.getByRole('banner')
  const line = () => header.evaluate((element) => getComputedStyle(element).borderBottomColor)
  const placeOfMain = () =>
    page.getByRole('main').evaluate((main) => main.getBoundingClientRect().top + scrollY)
  const [plain, place] = [await line(), await placeOfMain()]
  await page.evaluate(() => scrollTo(0, 80))
  await page.evaluate(() => new Promise(requestAnimationFrame))
  expect(await line()).toBe(plain)
  await page.evaluate(() => scrollTo(0, 81))
  await expect.poll(line).not.toBe(plain)
  await page.evaluate(() => scrollTo(0, 2000))
  await expect(header).toBeInViewport()
  expect(await placeOfMain()).toBe(place)
  await page.evaluate(() => scrollTo(0, 0))
  await expect.poll(line).toBe(plain)
  expect(await layoutShift(page)).toBe(0)
})

test('on a phone the menu opens, and closes by its button and by Escape', async ({ open }) => {
  const page = await open(null, PHONE)
  await page.goto(LONG)
  const opener = page.getByRole('button', { name: 'Open the menu' })
  await openMenu(page)
  expect(await linksOf(menuOf(page))).toHaveLength(6)
  await page.getByRole('button', { name: 'Close the menu' }).click()
  await expect(menuOf(page)).toBeHidden()
  await expect(opener).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Close the menu' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(menuOf(page)).toBeHidden()
  await expect(opener).toBeFocused()
})

test('choosing a link closes the menu, even a link to the current page', async ({ open }) => {
  const page = await open(null, PHONE)
  await page.goto('/')
  await openMenu(page)
  await menuOf(page).getByRole('link', { name: 'Home' }).click()
  await expect(menuOf(page)).toBeHidden()
  await openMenu(page)
  await page.locator('#menu').getByRole('link', { name: 'Sign in' }).click()
  await expect(page).toHaveURL('/sign-in')
  await page.goBack()
  await expect(menuOf(page)).toBeHidden()
})

test('an open menu keeps the focus, and the page behind it does not scroll', async ({ open }) => {
  const page = await open(null, PHONE)
  await page.goto(LONG)
  await openMenu(page)
  await expect.poll(() => page.locator('[inert]').count()).toBeGreaterThan(0)
  for (let presses = 0; presses < 25; presses++) {
    await page.keyboard.press('Tab')
    const isInside = await page.evaluate(() => {
      const focused = document.activeElement
      // Between the last and the first control the focus is on the browser, outside the page.
      return focused === document.body || focused?.closest('#menu') !== null
    })
    expect(isInside, `after ${presses + 1} times Tab`).toBe(true)
  }
  await page.mouse.move(200, 400)
  await page.mouse.wheel(0, 900)
  await page.keyboard.press('Escape')
  await expect(page.locator('[inert]')).toHaveCount(0)
  expect(await page.evaluate(() => scrollY)).toBe(0)
})

test('the menu opens, navigates and closes without JavaScript', async ({ open }) => {
  const page = await open(null, { ...PHONE, javaScriptEnabled: false })
  await page.goto('/')
  await openMenu(page)
  await page.getByRole('button', { name: 'Close the menu' }).click()
  await expect(menuOf(page)).toBeHidden()
  await openMenu(page)
  await page.locator('#menu').getByRole('link', { name: 'Sign up' }).click()
  await expect(page).toHaveURL('/sign-up')
})

test('header and footer are not printed', async ({ page }) => {
  await page.goto(LONG)
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  for (const chrome of ['banner', 'contentinfo', 'navigation'] as const)
    await expect(page.getByRole(chrome)).toHaveCount(0)
})

test('a theme chosen in the footer is kept on the next page', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' })
  await page.goto(LONG)
  const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
  const light = await background()
  const themes = page.getByRole('contentinfo').getByRole('group', { name: 'Theme' })
  await themes.getByRole('radio', { name: 'Light' }).focus()
  await page.keyboard.press('ArrowRight')
  await expect(themes.getByRole('radio', { name: 'Dark' })).toBeChecked()
  const dark = await background()
  expect(dark).not.toBe(light)
  await page.goto('/')
  expect(await background()).toBe(dark)
})

test('the header of a signed-in visitor leads to the dashboard, and follows a logout', async ({ open }) => {
  const { session } = await newInvestor({ kyc: 'none' })
  const page = await open(session)
  await recordLayoutShifts(page)
  await page.goto('/fees')
  const header = page.getByRole('banner')
  await expect(header.getByRole('link', { name: 'Dashboard' })).toHaveAttribute('href', '/dashboard/overview')
  await expect(header.getByRole('link', { name: /Sign (?:in|up)/ })).toHaveCount(0)
  expect(await layoutShift(page)).toBe(0)
  await page.setViewportSize(PHONE.viewport)
  await openMenu(page)
  await expect(page.locator('#menu').getByRole('link', { name: 'Dashboard' })).toBeVisible()
  await page.keyboard.press('Escape')
  for (const path of ['/sign-in', '/sign-up']) {
    await page.goto(path)
    await expect(page).toHaveURL('/dashboard/overview')
  }
  await page.goto('/fees')
  await page.evaluate(() => localStorage.removeItem('user-info'))
  await page.reload()
  await expect(header.getByRole('link', { name: 'Sign up' })).toBeVisible()
})

test('an unknown address of the dashboard or the console says so in the same words', async ({
  open,
  allowFault,
}) => {
  allowFault(/404 \(Not Found\)/)
  for (const area of ['dashboard', 'operator'] as const) {
    const page = await open(await sessionFor(area))
    const answer = await page.goto(`/${area}${MISSING}`)
    expect(answer?.status()).toBe(404)
    await expect(page.getByRole('main')).toContainText('Unexpected Application Error! 404 Not Found')
  }
})

test('an unknown address shows an error with links home and to support', async ({ page, allowFault }) => {
  allowFault(/404 \(Not Found\)/)
  const answer = await page.goto(MISSING)
  expect(answer?.status()).toBe(404)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Unexpected Application Error!')
  const main = page.getByRole('main')
  await expect(main).toContainText('404 Not Found')
  await expect(main.getByRole('heading', { level: 2 })).toHaveText('There is no page at this address')
  for (const [name, to] of [
    ['Strategies', '/strategies'],
    ['Questions and answers', '/#questions'],
    ['Contact us', '/contact-us'],
  ] as const)
    await expect(main.getByRole('link', { name })).toHaveAttribute('href', to)
  await main.getByRole('link', { name: 'Go home' }).click()
  await expect(page).toHaveURL('/')
})

function menuOf(page: Page): Locator {
  return page.getByRole('navigation', { name: 'Menu' })
}

async function openMenu(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Open the menu' }).click()
  await expect(menuOf(page)).toBeVisible()
}

/** The text and address of each link. */
async function linksOf(place: Locator): Promise<string[]> {
  return place
    .getByRole('link')
    .evaluateAll((links) => links.map((link) => `${link.textContent?.trim()} ${link.getAttribute('href')}`))
}
