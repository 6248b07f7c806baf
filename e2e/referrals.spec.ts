import { newInvestor } from './scene/people.ts'
import { expect, test } from './scene/test.ts'

test('the referral program shows the link, copies it, says what it earns, and lists who joined by initials', async ({
  open,
}) => {
  const ana = await newInvestor({ kyc: 'none' })
  const page = await open(ana.session, { permissions: ['clipboard-read', 'clipboard-write'] })
  await page.goto('/dashboard/referral-program')
  const link = page.getByRole('region', { name: 'Your referral link' })
  await expect(link.getByText('There is no referral bonus at present.')).toBeVisible()
  await expect(page.getByText('Nobody has joined with your link yet')).toBeVisible()
  await expect(page.getByRole('heading', { level: 3 })).toHaveText([
    'Send invitation',
    'Registration',
    'Get referral bonus',
  ])

  const copy = link.getByRole('button', { name: 'Copy referral link' })
  await copy.click()
  await expect(link.getByRole('button', { name: 'Copied referral link' })).toBeVisible()
  const copied = new URL(await page.evaluate(() => navigator.clipboard.readText()))
  expect(copied.pathname).toBe('/sign-up')
  await expect(copy).toBeVisible()

  await newInvestor({ name: 'Ben Okri', kyc: 'none', referralID: copied.searchParams.get('ref') ?? '' })
  await page.reload()
  const table = page.getByRole('table', { name: 'Who joined with your link' })
  await expect(table.getByRole('row').filter({ hasText: 'B. O.' })).toContainText('None')
  await expect(page.getByText(/Ben|Okri/)).toHaveCount(0)
})
