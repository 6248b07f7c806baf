import type { BrowserContext, Page } from '@playwright/test'
import { origin } from './http.ts'
import { expect } from './test.ts'

/** Counts calls of `alert` and its like on a page, and records requests to other hosts. An open dialog fails the test. */
export async function watchForInjection(page: Page, context: BrowserContext = page.context()): Promise<Page> {
  await context.addInitScript(() => {
    const countCall = () => {
      const top = window.top ?? window
      Reflect.set(top, 'scriptsRun', Number(Reflect.get(top, 'scriptsRun') ?? 0) + 1)
    }
    for (const name of ['alert', 'confirm', 'prompt', 'print']) Reflect.set(window, name, countCall)
  })
  page.on('dialog', (dialog) => {
    void dialog.dismiss()
    throw new Error(`A dialog opened: ${dialog.message()}`)
  })
  page.on('request', (request) => {
    if (/^https?:/.test(request.url()) && !request.url().startsWith(origin) && context.pages().length > 0)
      foreignRequests.push(request.url())
  })
  await page.goto('about:blank')
  return page
}

/** Requested addresses on other hosts. */
const foreignRequests: string[] = []

/** How often an injected script ran. */
export function scriptsRunOn(page: Page): Promise<number> {
  return page.evaluate(() => Number(Reflect.get(window, 'scriptsRun') ?? 0))
}

/** The id of a row, and the texts in the dialog that it opens. */
export type OpenedRow = [id: string, texts: readonly string[]]

/** Opens a screen and the details of its rows. The texts must appear as text: none became markup and none ran. */
export async function expectShownAsText(
  page: Page,
  path: string,
  texts: readonly string[],
  rows: readonly OpenedRow[],
): Promise<void> {
  await page.goto(path)
  await expect(page.locator('astro-island[ssr]')).toHaveCount(0)
  await expect(page.locator('main [aria-busy="true"]')).toHaveCount(0)
  await expectNoInjection(page, path)
  for (const text of texts) await expect(page.locator('main')).toContainText(text)
  for (const [id, rowTexts] of rows) {
    // The screen reads the open row from the address, as it does after "back".
    await page.evaluate((open) => {
      const url = new URL(location.href)
      url.searchParams.set('open', open)
      history.replaceState(null, '', url)
      dispatchEvent(new PopStateEvent('popstate'))
    }, id)
    // Details open in a dialog over the list, or replace it.
    const details = page.getByRole('dialog').or(page.getByRole('article'))
    await expect(details.getByRole('term').first()).toBeVisible()
    for (const text of rowTexts) await expect(details).toContainText(text)
    await expectNoInjection(page, `${path} ${id}`)
  }
}

/** Checks that no injected text became markup, ran, or made a request to another host. */
export async function expectNoInjection(page: Page, where: string): Promise<void> {
  const found = await page.evaluate(() => {
    const withHandlers = [...document.querySelectorAll('*')].filter((element) =>
      [...element.attributes].some(
        ({ name, value }) =>
          name.startsWith('on') ||
          /^\s*(?:javascript|data:text|vbscript):/i.test(value.replaceAll(/\s/g, '')),
      ),
    )
    const forbidden = [
      ...document.querySelectorAll('iframe, object, embed, base, math, marquee, audio, body script'),
    ]
    return [...withHandlers, ...forbidden]
      .filter(
        (element) => !(element instanceof HTMLScriptElement) || element.textContent.includes('alert(1)'),
      )
      .map((element) => element.outerHTML.slice(0, 200))
  })
  expect([where, found, await scriptsRunOn(page), foreignRequests]).toEqual([where, [], 0, []])
}
