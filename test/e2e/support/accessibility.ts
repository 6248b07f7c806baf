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
  await page.evaluate(async () => {
    await document.fonts.ready
  })
}

/**
 * Checks the page as it is now against axe's default rules and WCAG 2.2 AA: on a phone in dark colours and on a desktop in light
 * ones. An open modal dialog is checked alone, because nobody reaches the page behind it. On both, each target must be large enough for a finger. The page must also fit a width of 320 pixels without scrolling
 * sideways.
 */
export async function expectAccessible(page: Page): Promise<void> {
  await expectNoViolation(page, PHONE, 'dark', EVERY_RULE)
  await expectRoomyTargets(page)
  await expectNoViolation(page, DESKTOP, 'light', EVERY_RULE)
  await expectRoomyTargets(page)
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

// Axe would write out each element that it looks at. `violations` does that for the violations alone.
const axe = `${readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')}
axe.configure({ noHtml: true })`

async function expectNoViolation(
  page: Page,
  viewport: typeof PHONE,
  theme: 'light' | 'dark',
  options: RunOptions,
): Promise<void> {
  await page.setViewportSize(viewport)
  await page.emulateMedia({ colorScheme: theme })
  // The next frame has the new width: a table that scrolls since then is reachable by keyboard from there on.
  await page.evaluate(
    () => new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted))),
  )
  // Axe is half a megabyte, so each document gets it once.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe)
  const found = await page.evaluate(violations, options)
  expect.soft(found, `${new URL(page.url()).pathname}, ${viewport.width} px, ${theme}`).toEqual([])
}

/** Each target takes 24 × 24 pixels. Axe also accepts smaller ones with room around them. Links in sentences are excepted. */
async function expectRoomyTargets(page: Page): Promise<void> {
  const small = await page.evaluate(smallTargets)
  expect
    .soft(small, `${new URL(page.url()).pathname}, small targets at ${page.viewportSize()?.width} px`)
    .toEqual([])
}

// Runs in the page.
function smallTargets(): string[] {
  const LEAST = 24
  const isLarge = ({ width, height }: DOMRect) => Math.min(width, height) > LEAST - 0.1
  const open = document.querySelector('dialog:modal, [popover]:popover-open') ?? document
  return [...open.querySelectorAll<HTMLElement>('a[href], button, input, select, textarea, summary')]
    .filter((target) => target.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
    .filter((target) => {
      const labels = target instanceof HTMLInputElement ? [...(target.labels ?? [])] : []
      return ![target, ...labels].some((element) => isLarge(element.getBoundingClientRect()))
    })
    .filter((target) => !isInSentence(target) && !takesRow(target))
    .map(({ outerHTML }) => outerHTML.slice(0, 160))

  function isInSentence(target: HTMLElement): boolean {
    if (getComputedStyle(target).display !== 'inline') return false
    let block = target.parentElement
    while (block && getComputedStyle(block).display === 'inline') block = block.parentElement
    return block !== null && block.textContent.trim() !== target.textContent.trim()
  }

  /** The whole row answers, as in tables: its link covers it with a pseudo-element. */
  function takesRow(target: HTMLElement): boolean {
    const cover = getComputedStyle(target, '::after')
    return cover.position === 'absolute' && Number.parseFloat(cover.height) > LEAST
  }
}

// Runs in the page. Waits for transitions to end, because a colour in transition has a different contrast.
async function violations(options: RunOptions): Promise<string[]> {
  const transitions = document.getAnimations().filter((animation) => animation instanceof CSSTransition)
  await Promise.allSettled(transitions.map(({ finished }) => finished))
  const { axe } = window as unknown as { axe: typeof import('axe-core') }
  const [dialog] = [...document.querySelectorAll('dialog:modal')].slice(-1)
  // Neither frames, foreign style sheets nor selectors are needed, and each takes its time.
  const { violations } = await axe.run(dialog ?? document, {
    ...options,
    ...{ resultTypes: ['violations'], iframes: false, preload: false, selectors: false, elementRef: true },
  })
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(
      ({ element, any }) =>
        `${id}: ${help}: ${element?.outerHTML.slice(0, 300)} ${any.map(({ message }) => message).join('; ')}`,
    ),
  )
}
