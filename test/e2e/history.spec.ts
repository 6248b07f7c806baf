import type { Page } from '@playwright/test'
import { expectAccessible, waitForLoaded } from './support/accessibility.ts'
import { callApi, holdRequests, SERVER_ERROR } from './support/http.ts'
import { fileDeposit, newInvestor } from './support/people.ts'
import { valueFor } from './support/screens.ts'
import { expect, test } from './support/test.ts'

const PHONE = { width: 390, height: 844 }
const LENGTH = 120
const PAGE = 50

test('a transaction opens at its own address, closes with the back button, and links to its entries', async ({
  open,
}) => {
  const { session } = await newInvestor({ available: 90 })
  await fileDeposit(session.token, 12.34)
  const [pending, credited] = await callApi<{ ref: string; _id: string }[]>('GET', '/transaction-history', {
    token: session.token,
  })
  const page = await open(session, { viewport: PHONE })
  await page.goto('/dashboard/transaction-history?kind=deposit')
  const dialog = page.getByRole('dialog', { name: 'Deposit' })
  const rows = page.getByRole('table', { name: 'Transaction history' }).getByRole('row')
  await expect(page.getByText('2 transactions match, newest first.')).toBeVisible()

  await test.step('its address survives a reload and the back button', async () => {
    const row = rows.filter({ hasText: '$90.00' }).getByRole('button')
    await row.click()
    await expect(page).toHaveURL(`/dashboard/transaction-history?kind=deposit&open=${credited?.ref}`)
    await expect(dialog.getByText('In your books')).toBeVisible()
    await page.reload()
    await expect(dialog.getByText('In your books')).toBeVisible()
    await page.goBack()
    await expect(dialog).toBeHidden()
    await page.goForward()
    await expect(dialog).toBeVisible()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expect(page).toHaveURL('/dashboard/transaction-history?kind=deposit')
    await row.click()
    await dialog.getByRole('button', { name: 'Close' }).click()
    await expect(row).toBeFocused()
  })

  await test.step('its details are shown and can be copied', async () => {
    await page.goto(`/dashboard/transaction-history?open=${credited?._id}`)
    await expect(dialog.getByText('$90.00', { exact: true }).first()).toBeVisible()
    await expect(valueFor(dialog, 'Fee')).toHaveText('0 USD')
    await expect(valueFor(dialog, 'Reference')).toContainText(credited?.ref ?? '')
    await expect(valueFor(dialog, 'Transaction ID')).toContainText(/[0-9a-f]{64}/)
    await expect(dialog.getByRole('button', { name: 'Copy transaction ID' })).toBeVisible()
    await expect(dialog.getByRole('button', { name: 'Copy address' })).toBeVisible()
    await expect(dialog.getByRole('list', { name: 'Timeline' })).toContainText(/Pending.*Approved/s)
    await expect(dialog.getByText('Deposit credited, $90.00')).toBeVisible()
    await expect(dialog.getByText('balance +$90.00')).toBeVisible()
    await expectAccessible(page)
    await page.setViewportSize(PHONE)
  })

  await test.step('its entries are in a statement, which links back', async () => {
    await dialog.getByRole('link', { name: 'See the statement with this entry' }).click()
    const entries = page.getByRole('table', { name: 'Entries of the statement' })
    await expect(entries.getByRole('row').filter({ hasText: 'Deposit credited' })).toContainText('+$90.00')
    await entries.getByRole('link', { name: credited?.ref ?? '' }).click()
    await expect(dialog.getByText('In your books')).toBeVisible()
    // A link opened it, so closing stays on this page instead of going back.
    await dialog.getByRole('button', { name: 'Close' }).click()
    await expect(page).toHaveURL('/dashboard/transaction-history')
  })

  await test.step('cancelled, it says so in its row at once', async () => {
    const release = await holdRequests(page, `**/api/v1/transaction-history/${pending?.ref}`)
    await page.goto(`/dashboard/transaction-history?status=pending&open=${pending?.ref}`)
    // The button comes with the last of the dialog, and does not move away from a click.
    await expect(dialog.getByText('$12.34')).toBeVisible()
    await expect(dialog.getByRole('button', { name: 'Cancel this request' })).toBeHidden()
    release()
    await expect(dialog.getByText('Nothing yet: a deposit counts once it is credited.')).toBeVisible()
    await dialog.getByRole('button', { name: 'Cancel this request' }).click()
    await dialog.getByRole('button', { name: 'Yes, cancel it' }).click()
    await expect(dialog.getByRole('list', { name: 'Timeline' })).toContainText(/Pending.*Cancelled/s)
    await dialog.getByRole('button', { name: 'Close' }).click()
    await expect(rows.filter({ hasText: '$12.34' })).toContainText('Cancelled')
  })

  await test.step('another investor’s transaction is not found', async () => {
    await page.goto('/dashboard/transaction-history?open=WDR-00000000')
    const stranger = page.getByRole('dialog', { name: 'Transaction' })
    await expect(stranger.getByText('None of your transactions has the reference WDR-00000000')).toBeVisible()
  })
})

test('a long history loads page by page, and its filters stay in the address', async ({
  open,
  allowFault,
}) => {
  allowFault(/net::ERR_FAILED|status of 500/)
  const { session } = await newInvestor()
  const page = await open(session, { timezoneId: 'America/New_York' })
  const api = await serveLongHistory(page)
  await page.goto('/dashboard/transaction-history')
  const rows = page.getByRole('table', { name: 'Transaction history' }).locator('tbody').getByRole('row')
  const more = page.getByRole('button', { name: 'Show more' })
  await expect(page.getByText('The newest 50 transactions; there are more.')).toBeVisible()
  await expect(page.getByText('Times in America/New York.')).toBeVisible()

  await test.step('more rows are added at the end, and the first of them gets the focus', async () => {
    await more.focus()
    await page.keyboard.press('Enter')
    await expect(rows).toHaveCount(2 * PAGE)
    await expect(rows.nth(PAGE).getByRole('button')).toBeFocused()
  })

  await test.step('a lost connection keeps the rows, and loading continues after it', async () => {
    api.isOffline = true
    await more.click()
    await expect(page.getByRole('region', { name: 'Messages' })).toContainText(/connection|reach/i)
    await expect(rows).toHaveCount(2 * PAGE)
    api.isOffline = false
    await more.click()
    await expect(rows).toHaveCount(LENGTH)
    await expect(more).toHaveCount(0)
    await expect(rows.nth(2 * PAGE).getByRole('button')).toBeFocused()
    await expect(page.getByText('120 transactions, newest first.')).toBeVisible()
  })

  await test.step('a day is one in the reader’s time zone', async () => {
    await page.getByLabel('From').fill('2026-01-31')
    await page.getByLabel('To', { exact: true }).fill('2026-01-31')
    await page.getByRole('combobox', { name: 'Kind' }).selectOption('Deposit')
    await expect(page).toHaveURL('/dashboard/transaction-history?from=2026-01-31&to=2026-01-31&kind=deposit')
    await expect
      .poll(() => api.lastUrl.search)
      .toBe('?kind=deposit&from=2026-01-31T05%3A00%3A00.000Z&to=2026-02-01T04%3A59%3A59.999Z')
    await page.reload()
    await expect(page.getByLabel('From')).toHaveValue('2026-01-31')
    await expect(page.getByRole('combobox', { name: 'Kind' })).toHaveValue('deposit')
  })

  await test.step('a range that ends before it starts is reported without a request', async () => {
    await page.getByLabel('To', { exact: true }).fill('2026-01-30')
    await expect(page.getByLabel('To', { exact: true })).toHaveAccessibleDescription(
      'The last day comes before the first',
    )
    await expect(page.getByText('Nothing matches')).toBeVisible()
    await waitForLoaded(page)
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await expect(page).toHaveURL('/dashboard/transaction-history')
    await expect(rows).toHaveCount(PAGE)
  })

  await test.step('the rows stay, dimmed, until a new filter has loaded', async () => {
    api.gate = Promise.withResolvers<void>()
    await page.getByRole('combobox', { name: 'Kind' }).selectOption('Withdrawal')
    await expect(page.locator('main [aria-busy="true"] > :has(> table)')).toHaveCSS('opacity', '0.5')
    await expect(page.getByRole('main').getByRole('status')).toHaveText('Loading…')
    await expect(rows).toHaveCount(PAGE)
    api.gate.resolve()
    await expect(page.getByText('The newest 50 transactions that match; there are more.')).toBeVisible()
    await expect(page.locator('main [aria-busy="true"]')).toHaveCount(0)
  })

  await test.step('a failed load is reported in place of the list and can be retried', async () => {
    // An error answer, because after a lost connection the list would reload by itself.
    api.isFailing = true
    await page.getByRole('combobox', { name: 'Status' }).selectOption('Completed')
    const again = page.getByRole('button', { name: 'Try again' })
    await expect(again).toBeVisible()
    api.isFailing = false
    await again.click()
    await expect(rows).toHaveCount(PAGE)
  })
})

/** Serves a long transaction history in pages, as the API does. */
async function serveLongHistory(page: Page) {
  const api = {
    isOffline: false,
    isFailing: false,
    /** Answers wait for this promise. */
    gate: Promise.withResolvers<void>(),
    lastUrl: new URL('http://nowhere'),
  }
  api.gate.resolve()
  await page.route(/\/api\/v1\/transaction-history(?:\?.*)?$/, async (route) => {
    if (api.isOffline) return route.abort()
    if (api.isFailing) return route.fulfill(SERVER_ERROR)
    await api.gate.promise
    api.lastUrl = new URL(route.request().url())
    const first = Number(api.lastUrl.searchParams.get('cursor') ?? 0)
    const next = first + PAGE
    return route.fulfill({
      json: Array.from({ length: Math.min(PAGE, LENGTH - first) }, (_, i) => transaction(first + i)),
      headers: next < LENGTH ? { Link: `</api/v1/transaction-history?cursor=${next}>; rel="next"` } : {},
    })
  })
  return api
}

function transaction(i: number) {
  return {
    _id: `long-${i}`,
    ref: `DEP-LONG${String(i).padStart(4, '0')}`,
    amount: 1000.5 + i,
    createdAt: new Date(Date.UTC(2026, 0, 31) - i * 3_600_000).toISOString(),
    trxType: 'deposit',
    status: 'approved',
    fee: 0,
    type: 'usdt',
    network: 'usdt-trc20',
    paymentTo: 'TLong',
  }
}
