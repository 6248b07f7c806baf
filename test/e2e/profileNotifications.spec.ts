import { expectAccessible, waitForLoaded } from './support/accessibility.ts'
import { callApi, UNAVAILABLE } from './support/http.ts'
import { newInvestor } from './support/people.ts'
import { openProfile } from './support/screens.ts'
import { expect, test } from './support/test.ts'

interface Preferences {
  activityLog: boolean
  emails: Record<string, boolean>
}

const DEFAULTS = {
  'Unusual activity': true,
  'New browser sign-in': false,
  'Sales and latest news': true,
  'New features and updates': true,
  'Tips on using your account': true,
}

test('each mail preference is saved as it is switched, and kept', async ({ open }) => {
  const { session } = await newInvestor({ kyc: 'none' })
  const page = await openProfile(open, session, 'notifications')
  for (const [label, isOn] of Object.entries(DEFAULTS))
    await expect(page.getByRole('switch', { name: label })).toBeChecked({ checked: isOn })
  await page.getByRole('switch', { name: 'New browser sign-in' }).press('Space')
  await expect(page.getByRole('switch', { name: 'New browser sign-in' })).toBeChecked()
  await expect(
    page.getByRole('region', { name: 'Messages' }).getByText('Your choice was saved.'),
  ).toBeVisible()
  await page.reload()
  await expect(page.getByRole('switch', { name: 'New browser sign-in' })).toBeChecked()
  const { emails } = await callApi<Preferences>('GET', '/users/preferences', { token: session.token })
  expect(emails).toEqual({
    unusualActivity: true,
    newBrowserSignIn: true,
    salesNews: true,
    features: true,
    tips: true,
  })
})

test('switches changed in quick succession are all saved', async ({ open }) => {
  const { session } = await newInvestor({ kyc: 'none' })
  const page = await openProfile(open, session, 'notifications')
  await page.route('**/api/v1/users/preferences', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 300))
    await route.continue()
  })
  for (const label of ['Sales and latest news', 'New features and updates', 'Tips on using your account']) {
    await page.getByText(label, { exact: true }).click()
    await expect(page.getByRole('switch', { name: label })).not.toBeChecked({ timeout: 200 })
  }
  await expect
    .poll(
      async () => (await callApi<Preferences>('GET', '/users/preferences', { token: session.token })).emails,
    )
    .toEqual({
      unusualActivity: true,
      newBrowserSignIn: false,
      salesNews: false,
      features: false,
      tips: false,
    })
  await expect(page.getByRole('switch', { name: 'Sales and latest news' })).not.toBeChecked()
})

test('a preference that cannot be saved is undone, with the reason beside it', async ({
  open,
  allowFault,
}) => {
  allowFault(/status of 503/)
  const { session } = await newInvestor({ kyc: 'none' })
  const page = await openProfile(open, session, 'notifications')
  const tips = page.getByRole('switch', { name: 'Tips on using your account' })
  await expect(tips).toBeChecked()
  await page.route('**/api/v1/users/preferences', (route) => route.fulfill(UNAVAILABLE))
  await tips.click()
  await expect(tips).toHaveAccessibleDescription(/It is still on\. We cannot answer right now\./)
  await expect(tips).toBeChecked()
  await expect(tips).toBeFocused()
  await expectAccessible(page)
})

test('preferences that fail to load say so and can be retried', async ({ open, allowFault }) => {
  allowFault(/status of 503/)
  const { session } = await newInvestor({ kyc: 'none' })
  const page = await open(session)
  await page.route('**/api/v1/users/preferences', (route) => route.fulfill(UNAVAILABLE))
  await page.goto('/dashboard/profile#notifications')
  await expect(page.getByText('We cannot answer right now.')).toBeVisible()
  await page.unroute('**/api/v1/users/preferences')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('switch', { name: 'Unusual activity' })).toBeChecked()
})

test('the notifications tab is accessible and lists the mails that are always sent', async ({ open }) => {
  const { session } = await newInvestor({ kyc: 'none' })
  const page = await openProfile(open, session, 'notifications')
  await expect(page.getByRole('switch')).toHaveCount(5)
  const always = page.getByRole('region', { name: 'Always sent' })
  for (const words of [/password/, /second factor/, /e-mail address/, /locked/, /withdrawals/])
    await expect(always.getByRole('listitem').filter({ hasText: words }).first()).toBeVisible()
  await waitForLoaded(page)
  await expectAccessible(page)
})
