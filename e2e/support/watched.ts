import type { BrowserContext, Page } from '@playwright/test'
import { origin } from './http.ts'
import { expect } from './test.ts'

/** A page that counts what runs: a dialog, a call of what the texts call, or a way to another host. */
export async function watched(page: Page, context: BrowserContext = page.context()): Promise<Page> {
  await context.addInitScript(() => {
    const ran = () => {
      const top = window.top ?? window
      Reflect.set(top, 'ranSomething', Number(Reflect.get(top, 'ranSomething') ?? 0) + 1)
    }
    for (const name of ['alert', 'confirm', 'prompt', 'print']) Reflect.set(window, name, ran)
  })
  page.on('dialog', (dialog) => {
    void dialog.dismiss()
    throw new Error(`A dialog opened: ${dialog.message()}`)
  })
  page.on('request', (request) => {
    if (/^https?:/.test(request.url()) && !request.url().startsWith(origin) && context.pages().length > 0)
      foreign.push(request.url())
  })
  await page.goto('about:blank')
  return page
}

/** Addresses on other hosts that were asked for. */
const foreign: string[] = []

/** How often something ran. */
export function ranOn(page: Page): Promise<number> {
  return page.evaluate(() => Number(Reflect.get(window, 'ranSomething') ?? 0))
}

/** A row by its id, and what stands in the dialog that it opens. */
export type Opened = [id: string, texts: readonly string[]]

/** Opens a screen and what lies behind its rows: the texts stand there as text, nothing of them became markup, nothing ran. */
export async function shows(
  page: Page,
  path: string,
  texts: readonly string[],
  opened: readonly Opened[],
): Promise<void> {
  await page.goto(path)
  await expect(page.locator('astro-island[ssr]')).toHaveCount(0)
  await expect(page.locator('main [aria-busy="true"]')).toHaveCount(0)
  await harmless(page, path)
  for (const text of texts) await expect(page.locator('main')).toContainText(text)
  for (const [id, within] of opened) {
    // As the way back does it: the screen reads what is open from its address.
    await page.evaluate((open) => {
      const url = new URL(location.href)
      url.searchParams.set('open', open)
      history.replaceState(null, '', url)
      dispatchEvent(new PopStateEvent('popstate'))
    }, id)
    // In a dialog over the list, or in its place.
    const opening = page.getByRole('dialog').or(page.getByRole('article'))
    await expect(opening.getByRole('term').first()).toBeVisible()
    for (const text of within) await expect(opening).toContainText(text)
    await harmless(page, `${path} ${id}`)
  }
}

/** Nothing that was written stands there as markup, ran, or led elsewhere. */
export async function harmless(page: Page, where: string): Promise<void> {
  const found = await page.evaluate(() => {
    const markup = [...document.querySelectorAll('*')].filter((element) =>
      [...element.attributes].some(
        ({ name, value }) =>
          name.startsWith('on') ||
          /^\s*(?:javascript|data:text|vbscript):/i.test(value.replaceAll(/\s/g, '')),
      ),
    )
    const foreigners = [
      ...document.querySelectorAll('iframe, object, embed, base, math, marquee, audio, body script'),
    ]
    return [...markup, ...foreigners]
      .filter(
        (element) => !(element instanceof HTMLScriptElement) || element.textContent.includes('alert(1)'),
      )
      .map((element) => element.outerHTML.slice(0, 200))
  })
  expect([where, found, await ranOn(page), foreign]).toEqual([where, [], 0, []])
}
