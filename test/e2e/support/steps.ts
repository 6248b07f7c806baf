import { expect, type Locator, type Page } from '@playwright/test'

/** Counts the clicks and keys of a task. Typed text does not count. */
export class Steps {
  count = 0
  readonly #page: Page

  constructor(page: Page) {
    this.#page = page
  }

  async click(target: Locator): Promise<void> {
    await expect(target).toBeEnabled()
    await target.click()
    this.count++
  }

  async press(key: string): Promise<void> {
    await this.#page.keyboard.press(key)
    this.count++
  }

  /** Presses Tab until the target has the focus. */
  async reach(target: Locator): Promise<void> {
    await expect(target).toBeEnabled()
    for (let presses = 0; presses < 80; presses++) {
      if (await target.evaluate((element) => element === document.activeElement)) return
      await this.press('Tab')
    }
    throw new Error(`Tab never reaches ${target}`)
  }
}
