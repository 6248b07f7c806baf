import { expectAccessible } from './support/accessibility.ts'
import { origin } from './support/http.ts'
import { newInvestor } from './support/people.ts'
import { expect, test } from './support/test.ts'

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

test('a phone opens its share sheet, and a browser without a clipboard selects the link', async ({
  open,
}) => {
  const { session } = await newInvestor({ kyc: 'none' })
  const page = await open(session, { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true })
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'share', {
      value: async (shared: ShareData) => Reflect.set(globalThis, 'shared', shared.url),
    })
    Object.defineProperty(navigator, 'clipboard', { value: undefined })
  })
  await page.goto('/dashboard/referral-program')
  const link = await page.getByRole('code').textContent()
  await page.getByRole('button', { name: 'Share', exact: true }).tap()
  expect(await page.evaluate(() => Reflect.get(globalThis, 'shared'))).toBe(link)
  await page.getByRole('button', { name: 'Copy referral link' }).tap()
  await expect(page.getByText('Please copy the referral link by hand.')).toBeVisible()
  expect(await page.evaluate(() => String(getSelection()))).toBe(link)
  await expectAccessible(page)
})

test('the referral program shows its bonus until the maximum is reached', async ({ open }) => {
  const { session } = await newInvestor({ kyc: 'none' })
  const page = await open(session)
  const terms = {
    referralLink: `${origin}/sign-up?ref=sample12`,
    bonus: 25,
    most: 10,
    granted: 3,
    earned: 75,
  }
  await page.route('**/users/referral-terms', (route) => route.fulfill({ json: terms }))
  await page.route('**/users/referrals*', (route) => {
    const from = Number(new URL(route.request().url()).searchParams.get('cursor') ?? 0)
    const json = Array.from({ length: 50 }, (_, n) => ({
      _id: String(from + n),
      initials: 'B. O.',
      joinedAt: '2026-01-31T09:30:00.000Z',
      bonus: n === 0 ? 25 : null,
    }))
    const headers: Record<string, string> =
      from === 0 ? { Link: '</api/v1/users/referrals?cursor=50>; rel="next"' } : {}
    return route.fulfill({ json, headers })
  })
  await page.goto('/dashboard/referral-program')
  await expect(page.getByText('$25.00 is added to your balance for each person')).toBeVisible()
  await expect(page.getByText('So far $75.00 for 3 people.')).toBeVisible()
  const rows = page.getByRole('row').filter({ hasText: 'B. O.' })
  await expect(rows.first()).toContainText('$25.00')
  await expect(rows.nth(1)).toContainText('None so far')
  await page.getByRole('button', { name: 'Show more' }).click()
  await expect(rows).toHaveCount(100)
  await expectAccessible(page)

  Object.assign(terms, { granted: 10, earned: 250 })
  await page.reload()
  await expect(page.getByText('You have earned the bonus for 10 people, which is the maximum.')).toBeVisible()
  await expect(page.getByText('You have earned the maximum.')).toBeVisible()
  await expect(page.getByText('is added to your balance')).toHaveCount(0)
})
