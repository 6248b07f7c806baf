import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, type Page } from '@playwright/test'
import type { RunOptions } from 'axe-core'
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
    await expectNoViolation(page, 'light', EVERY_RULE)
    await expectNoViolation(page, 'dark', COLORS)
  }
  await expectToFit(page)
}

// The target's size is of WCAG 2.2, and off unless asked for.
const EVERY_RULE: RunOptions = { rules: { 'target-size': { enabled: true } } }

// The themes differ in their colours alone.
const COLORS: RunOptions = { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } }

const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

async function expectNoViolation(page: Page, theme: 'light' | 'dark', options: RunOptions): Promise<void> {
  await page.emulateMedia({ colorScheme: theme })
  // Half a megabyte, sent once for each document.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe)
  const found = await page.evaluate(violations, options)
  expect
    .soft(found, `${new URL(page.url()).pathname}, ${page.viewportSize()?.width} px, ${theme}`)
    .toEqual([])
}

// Runs in the page, once no color is on its way to another. Of what no rule objects to, axe keeps no more than it must.
async function violations(options: RunOptions): Promise<string[]> {
  const transitions = document.getAnimations().filter((animation) => animation instanceof CSSTransition)
  await Promise.allSettled(transitions.map(({ finished }) => finished))
  const { axe } = window as unknown as { axe: typeof import('axe-core') }
  const { violations } = await axe.run(document, { ...options, resultTypes: ['violations'] })
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, any }) => `${id}: ${help}: ${html} ${any.map(({ message }) => message).join('; ')}`),
  )
}

async function expectToFit(page: Page): Promise<void> {
  await page.setViewportSize(NARROWEST)
  const width = await page.evaluate(() => document.documentElement.scrollWidth)
  expect.soft(width, `${new URL(page.url()).pathname} at ${NARROWEST.width} px`).toBe(NARROWEST.width)
}
