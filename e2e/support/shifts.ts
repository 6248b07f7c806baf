import type { Page } from '@playwright/test'

/** From the page's next document on, adds up what moves in it by itself. What follows a press within half a second does not count. */
export async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(addUp)
}

/** All that moved by itself, summed: never less than the Cumulative Layout Shift, which takes the worst five seconds. */
export async function shifted(page: Page): Promise<number> {
  return await page.evaluate(() => Number(Reflect.get(globalThis, 'shifted') ?? 0))
}

// Runs in the page.
function addUp(): void {
  let sum = 0
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { value, hadRecentInput } = entry as PerformanceEntry & { value: number; hadRecentInput: boolean }
      if (!hadRecentInput) sum += value
      Reflect.set(globalThis, 'shifted', sum)
    }
  }).observe({ type: 'layout-shift', buffered: true })
}
