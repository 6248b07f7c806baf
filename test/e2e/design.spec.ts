import { expectAccessible } from './support/accessibility.ts'
import { waitForScripts } from './support/screens.ts'
import { expect, test } from './support/test.ts'

test('every design component is accessible', async ({ page }) => {
  await page.goto('/design')
  await waitForScripts(page)
  await expectAccessible(page)
})

test('a component that crashes says so and leaves the rest of the page', async ({ page, allowFault }) => {
  allowFault(/A sample of a crash/)
  await page.goto('/design')
  await waitForScripts(page)
  await page.getByRole('button', { name: 'Let this part crash' }).click()
  await expect(page.getByText('A sample of a crash, from the page of the design.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Open a dialog' })).toBeVisible()
})
