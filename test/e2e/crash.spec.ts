import { newInvestor } from './support/people.ts'
import { expect, test } from './support/test.ts'

test('a component that crashes shows the error page’s words and a link home', async ({
  open,
  allowFault,
}) => {
  allowFault(/Cannot use 'in' operator/)
  const { session } = await newInvestor({ kyc: 'none' })
  const page = await open(session)
  // The API never answers this. The component that reads it throws.
  await page.route('**/api/v1/transaction-history*', (route) => route.fulfill({ json: [null] }))
  await page.goto('/dashboard/transaction-history')
  const crash = page.getByRole('alert')
  await expect(crash.getByRole('heading', { name: 'Unexpected Application Error!' })).toBeVisible()
  await expect(crash).toContainText("Cannot use 'in' operator")
  await expect(crash.getByRole('link', { name: 'Contact us' })).toHaveAttribute('href', '/contact-us')
  await expect(page.getByRole('navigation', { name: 'Dashboard' })).toBeVisible()
  await crash.getByRole('link', { name: 'Go home' }).click()
  await expect(page).toHaveURL('/dashboard/overview')
})
