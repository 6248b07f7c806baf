import { expectAccessible } from './support/accessibility.ts'
import { callApi } from './support/http.ts'
import { createSession, newInvestor, PASSWORD } from './support/people.ts'
import { fillSignIn, openProfile } from './support/screens.ts'
import { expect, test } from './support/test.ts'

test('the activity log lists events with their browser, address and time', async ({ open }) => {
  const { email, session } = await newInvestor({ kyc: 'none' })
  await callApi('PATCH', '/users/user-info', { token: session.token, json: { address: 'Hafenweg 3' } })
  const page = await open()
  await page.goto('/sign-in?next=%2Fdashboard%2Fprofile%23security')
  await fillSignIn(page, email)
  const table = page.getByRole('table', { name: 'Activity' })
  const newest = table.getByRole('row').nth(1)
  await expect(newest).toContainText('Signed in')
  await expect(newest).toContainText(/Chrome on Linux/)
  await expect(newest.getByRole('time')).toHaveAttribute('datetime', /Z$/)
  await expect(table.getByRole('row', { name: /Personal information changed/ })).toBeVisible()
  await expect(table.getByRole('row', { name: /Account opened/ })).toBeVisible()
})

test('turning the activity log off asks first and empties it, and turning it on starts a new one', async ({
  open,
}) => {
  const { email, session } = await newInvestor({ kyc: 'none' })
  const page = await openProfile(open, session, 'security')
  const panel = page.getByRole('region', { name: 'Activity' })
  const log = panel.getByRole('switch', { name: 'Activity log' })
  const rows = panel.getByRole('table').getByRole('row')
  await expect(log).toBeChecked()
  await expect(rows.filter({ hasText: 'Signed in' })).toHaveCount(1)
  const question = page.getByRole('dialog', { name: 'Turn the activity log off?' })
  await log.click()
  await question.getByRole('button', { name: 'Keep It On' }).click()
  await expect(log).toBeChecked()
  await expect(log).toBeFocused()
  await log.press('Space')
  await expectAccessible(page)
  await question.getByRole('button', { name: 'Turn Off and Delete' }).click()
  await expect(log).not.toBeChecked()
  await expect(log).toBeFocused()
  await expect(panel.getByText('The log is off')).toBeVisible()
  await expectAccessible(page)
  await createSession({ email, password: PASSWORD })
  const saved = page.waitForResponse((response) => response.request().method() === 'PATCH')
  await log.click()
  await expect(log).toBeChecked()
  await saved
  await expect(rows.filter({ hasText: 'Signed in' })).toHaveCount(0)
  await createSession({ email, password: PASSWORD })
  await page.reload()
  await expect(rows.filter({ hasText: 'Signed in' })).toHaveCount(1)
})

test('a long activity log loads page by page', async ({ open }) => {
  const { session } = await newInvestor({ kyc: 'none' })
  const page = await open(session)
  await page.route(/\/api\/v1\/users\/activity/, (route) => {
    const isFirst = !route.request().url().includes('cursor=')
    const rows = Array.from({ length: isFirst ? 50 : 3 }, (_, index) => ({
      _id: `${isFirst ? 'a' : 'b'}${index}`,
      at: '2026-01-31T09:30:00.000Z',
      event: 'session.opened',
      label: 'Signed in',
      ip: null,
      userAgent: null,
    }))
    return route.fulfill({
      json: rows,
      headers: isFirst ? { Link: '</api/v1/users/activity?cursor=further>; rel="next"' } : {},
    })
  })
  await page.goto('/dashboard/profile#security')
  const panel = page.getByRole('region', { name: 'Activity' })
  await expect(panel.getByRole('row', { name: /Unknown program/ })).toHaveCount(50)
  await panel.getByRole('button', { name: 'Show more' }).click()
  await expect(panel.getByRole('row', { name: /Unknown program/ })).toHaveCount(53)
  await expect(panel.getByRole('button', { name: 'Show more' })).toBeHidden()
})
