import type { Page } from '@playwright/test'

/** Adds up layout shifts, from the page's next document on. Shifts within half a second of user input do not count. */
export async function recordLayoutShifts(page: Page): Promise<void> {
  await page.addInitScript(addUp)
}

/** The sum of all layout shifts. It is never less than Cumulative Layout Shift, which takes the worst five seconds. */
export async function layoutShift(page: Page): Promise<number> {
  return await page.evaluate(() => Number(Reflect.get(globalThis, 'layoutShift') ?? 0))
}

// Runs in the page.
function addUp(): void {
  let sum = 0
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { value, hadRecentInput } = entry as PerformanceEntry & { value: number; hadRecentInput: boolean }
      if (!hadRecentInput) sum += value
      Reflect.set(globalThis, 'layoutShift', sum)
    }
  }).observe({ type: 'layout-shift', buffered: true })
}
