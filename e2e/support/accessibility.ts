import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, type Page } from '@playwright/test'
import type { RunOptions } from 'axe-core'
import { waitForScripts } from './screens.ts'

const PHONE = { width: 390, height: 844 }
const DESKTOP = { width: 1280, height: 800 }
const NARROWEST = { width: 320, height: 640 }

/** Waits until the page has stopped loading. */
export async function waitForLoaded(page: Page): Promise<void> {
  await waitForScripts(page)
  await expect(page.getByText(/^Loading/).filter({ visible: true })).toHaveCount(0)
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
}

/**
 * Checks the page as it is now against axe's default rules and WCAG 2.2 AA: on a phone in dark colours and on a desktop in light
 * ones. It must also fit a width of 320 pixels without scrolling sideways.
 */
export async function expectAccessible(page: Page): Promise<void> {
  await expectNoViolation(page, PHONE, 'dark', EVERY_RULE)
  await expectNoViolation(page, DESKTOP, 'light', EVERY_RULE)
  await page.setViewportSize(NARROWEST)
  const width = await page.evaluate(() => document.documentElement.scrollWidth)
  expect.soft(width, `${new URL(page.url()).pathname} at ${NARROWEST.width} px`).toBe(NARROWEST.width)
}

/** Checks colour contrast in the two combinations of width and theme that `expectAccessible` leaves out. */
export async function expectContrast(page: Page): Promise<void> {
  await expectNoViolation(page, PHONE, 'light', COLORS)
  await expectNoViolation(page, DESKTOP, 'dark', COLORS)
}

// `target-size` belongs to WCAG 2.2. Axe turns it off by default.
const EVERY_RULE: RunOptions = { rules: { 'target-size': { enabled: true } } }

const COLORS: RunOptions = { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } }

const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

async function expectNoViolation(
  page: Page,
  viewport: typeof PHONE,
  theme: 'light' | 'dark',
  options: RunOptions,
): Promise<void> {
  await page.setViewportSize(viewport)
  await page.emulateMedia({ colorScheme: theme })
  // Axe is half a megabyte, so each document gets it once.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe)
  const found = await page.evaluate(violations, options)
  expect.soft(found, `${new URL(page.url()).pathname}, ${viewport.width} px, ${theme}`).toEqual([])
}

// Runs in the page. Waits for transitions to end, because a colour in transition has a different contrast.
async function violations(options: RunOptions): Promise<string[]> {
  const transitions = document.getAnimations().filter((animation) => animation instanceof CSSTransition)
  await Promise.allSettled(transitions.map(({ finished }) => finished))
  const { axe } = window as unknown as { axe: typeof import('axe-core') }
  const { violations } = await axe.run(document, { ...options, resultTypes: ['violations'] })
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, any }) => `${id}: ${help}: ${html} ${any.map(({ message }) => message).join('; ')}`),
  )
}
