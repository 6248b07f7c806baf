import { newInvestor } from './support/people.ts'
import { expect, test } from './support/test.ts'

test('a call that is blocked while others are answered is retried four times, and then the page says so', async ({
  open,
  allowFault,
}) => {
  allowFault(/ERR_FAILED/)
  const { session } = await newInvestor({ available: 30 })
  const page = await open(session)
  await page.clock.install()
  let calls = 0
  await page.route('**/api/v1/limits', (route) => {
    calls++
    return route.abort()
  })
  await page.goto('/dashboard/withdrawal')
  const alert = page.getByRole('main').getByRole('alert')
  await expect(async () => {
    await page.clock.runFor(2000)
    await expect(alert).toContainText('although our server answers', { timeout: 200 })
  }).toPass({ timeout: 20_000 })
  // One before the islands' scripts, one by them, and four retries.
  expect(calls).toBeLessThanOrEqual(6)
  const before = calls
  await page.clock.runFor(60_000)
  expect(calls).toBe(before)
})
