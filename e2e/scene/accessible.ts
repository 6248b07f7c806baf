import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'
import { scriptsReady } from './screens.ts'

const PHONE = { width: 390, height: 844 }
const DESKTOP = { width: 1280, height: 800 }
const NARROWEST = { width: 320, height: 640 }

/** Waits until nothing on the page is loading any more. */
export async function settled(page: Page): Promise<void> {
  await scriptsReady(page)
  await expect(page.getByText(/^Loading/).filter({ visible: true })).toHaveCount(0)
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
}

/**
 * Holds the page, as it stands, to axe's default rules, best practices among them, and to WCAG 2.2 AA: on a phone and
 * on a desktop, in light and in dark; and to fit 320 pixels without scrolling sideways.
 */
export async function expectAccessible(page: Page): Promise<void> {
  for (const viewport of [PHONE, DESKTOP]) {
    await page.setViewportSize(viewport)
    await expectNoViolation(page, 'light', everyRule(page))
    // The themes differ in their colours alone.
    await expectNoViolation(page, 'dark', inspector(page).withRules(['color-contrast', 'link-in-text-block']))
  }
  await expectToFit(page)
}

// The target's size is of WCAG 2.2, and off unless asked for.
function everyRule(page: Page): AxeBuilder {
  return inspector(page).options({ rules: { 'target-size': { enabled: true } } })
}

// The legacy mode leaves out only frames of other hosts, of which there are none, and takes a third of the time.
function inspector(page: Page): AxeBuilder {
  return new AxeBuilder({ page }).setLegacyMode(true)
}

async function expectNoViolation(page: Page, theme: 'light' | 'dark', axe: AxeBuilder): Promise<void> {
  await page.emulateMedia({ colorScheme: theme })
  const { violations } = await axe.analyze()
  const found = violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, any }) => `${id}: ${help}: ${html} ${any.map(({ message }) => message).join('; ')}`),
  )
  expect
    .soft(found, `${new URL(page.url()).pathname}, ${page.viewportSize()?.width} px, ${theme}`)
    .toEqual([])
}

async function expectToFit(page: Page): Promise<void> {
  await page.setViewportSize(NARROWEST)
  const width = await page.evaluate(() => document.documentElement.scrollWidth)
  expect.soft(width, `${new URL(page.url()).pathname} at ${NARROWEST.width} px`).toBe(NARROWEST.width)
}
