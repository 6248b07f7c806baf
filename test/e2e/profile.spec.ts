import { expectAccessible, waitForLoaded } from './support/accessibility.ts'
import { UNAVAILABLE } from './support/http.ts'
import { newInvestor } from './support/people.ts'
import { fillSignIn, openProfile, waitForScripts } from './support/screens.ts'
import { expect, test } from './support/test.ts'

test('the account menu leads to the profile, and the address keeps the open tab', async ({ open }) => {
  const { name, session } = await newInvestor({ kyc: 'none' })
  const page = await open(session)
  await page.goto('/dashboard/overview')
  await page.getByRole('button', { name }).click()
  await page.getByRole('link', { name: 'Account Settings' }).click()
  await expect(page).toHaveURL('/dashboard/profile')
  await expect(page.getByRole('tab', { selected: true })).toHaveText('Personal Information')
  await waitForScripts(page)
  await page.getByRole('tab', { name: 'Personal Information' }).press('ArrowRight')
  await expect(page).toHaveURL('/dashboard/profile#security')
  await page.reload()
  await expect(page.getByRole('tab', { selected: true })).toHaveText('Security Information')
  await expect(page.getByRole('tabpanel', { name: 'Security Information' })).toBeVisible()
})

test('a link to a tab of the profile opens it after sign-in', async ({ page }) => {
  const { email } = await newInvestor({ kyc: 'none' })
  await page.goto('/dashboard/profile#security')
  await fillSignIn(page, email)
  await expect(page).toHaveURL('/dashboard/profile#security')
  await expect(page.getByRole('button', { name: 'Change Password' })).toBeVisible()
})

test('a failed load says so and can be retried', async ({ open, allowFault }) => {
  allowFault(/status of 503/)
  const { session } = await newInvestor({ kyc: 'none' })
  const page = await open(session)
  await page.route(/\/api\/v1\/(users|auth)\//, (route) => route.fulfill(UNAVAILABLE))
  await page.goto('/dashboard/profile')
  await expect(page.getByText('We cannot answer right now.')).toBeVisible()
  await waitForScripts(page)
  await page.getByRole('tab', { name: 'Security Information' }).click()
  const factor = page.getByRole('region', { name: 'Second factor' })
  await expect(factor.getByText('We cannot answer right now.')).toBeVisible()
  await page.unroute(/\/api\/v1\/(users|auth)\//)
  await factor.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('button', { name: 'Set Up' })).toBeVisible()
})

test('every security dialog is accessible', async ({ open }) => {
  const { session } = await newInvestor({ kyc: 'none' })
  const page = await openProfile(open, session, 'security')
  await waitForLoaded(page)
  await expectAccessible(page)
  for (const [button, inside] of [
    ['Change Password', 'Update Password'],
    ['Set Up', 'Turn On'],
  ] as const) {
    await page.getByRole('button', { name: button }).click()
    await expect(page.getByRole('dialog').getByRole('button', { name: inside })).toBeVisible()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
  }
})

test('the personal information and its form are accessible', async ({ open }) => {
  const { session } = await newInvestor({ kyc: 'none' })
  const page = await openProfile(open, session)
  await waitForLoaded(page)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Change Address' }).click()
  await expect(page.getByRole('button', { name: 'Update Info' })).toBeVisible()
  await expectAccessible(page)
})
