import { PRACTICE_NOTICE } from '../../src/site.ts'
import { send } from './support/http.ts'
import { waitForMail } from './support/mailbox.ts'
import { newInvestor, PASSWORD } from './support/people.ts'
import { openProfile } from './support/screens.ts'
import { expect, test } from './support/test.ts'

test('a key is created with the password, copied once, and revoked', async ({ open }) => {
  const { email, session } = await newInvestor({ kyc: 'none' })
  const page = await openProfile(open, session, 'security')
  await page.getByRole('button', { name: 'Create a Key' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name', { exact: true }).fill('My spreadsheet')
  await dialog.getByLabel('Only from these networks').fill('not a network')
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await dialog.getByRole('button', { name: 'Create the Key' }).click()
  await expect(dialog.getByText('is not an address or a range')).toBeVisible()
  await dialog.getByLabel('Only from these networks').fill('')
  await dialog.getByRole('button', { name: 'Create the Key' }).click()
  await expect(dialog.getByText('Copy it now. We do not show it again')).toBeVisible()
  const key = (await dialog.locator('code').textContent()) ?? ''
  expect(key).toMatch(/^key_[\w-]{43}$/)
  await expect(dialog.getByRole('button', { name: 'Copy key' })).toBeVisible()
  await dialog.getByRole('button', { name: 'Done' }).click()
  const entry = page.getByRole('list', { name: 'Keys and guest links' }).getByRole('listitem')
  await expect(entry).toContainText('Not used yet')
  await expect(page.getByText(key)).toBeHidden()
  await waitForMail(email, /^A key for a program was created/)

  expect((await send('GET', '/users/balances', { token: key })).status).toBe(200)
  await page.reload()
  await expect(entry).toContainText('Last used')
  await entry.getByRole('button', { name: /^Revoke/ }).click()
  await dialog.getByRole('button', { name: 'Revoke' }).click()
  await expect(page.getByText('The key was revoked.')).toBeVisible()
  await expect(entry).toContainText('Revoked')
  expect((await send('GET', '/users/balances', { token: key })).status).toBe(401)
})

test('a guest link shows the account on a phone without sign-in, until it is revoked', async ({
  open,
  allowFault,
}) => {
  const { email, session } = await newInvestor({ available: 1234.56 })
  const page = await openProfile(open, session, 'security')
  await page.getByRole('button', { name: 'Create a Guest Link' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name', { exact: true }).fill('My accountant')
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await dialog.getByRole('button', { name: 'Create the Link' }).click()
  const link = new URL((await dialog.locator('code').textContent()) ?? '')
  expect(link.pathname).toBe('/guest')

  const guest = await open(null, { viewport: { width: 390, height: 844 } })
  const sent: string[] = []
  await guest.route('**/api/v1/users/balances', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), since: '2024-05-01T00:00:00.000Z' } })
  })
  guest.on('request', (request) => sent.push(`${request.url()} ${request.headers().referer ?? ''}`))
  await guest.goto(link.pathname + link.hash)
  await expect(guest.getByRole('heading', { name: /^Account of / })).toBeVisible()
  await expect(guest.getByText('Shared with My accountant')).toBeVisible()
  await expect(guest.getByText('$1,234.56').first()).toBeVisible()
  await expect(guest.getByText('Deposit credited').first()).toBeVisible()
  await expect(guest.getByText(PRACTICE_NOTICE)).toHaveCount(1)
  await expect(guest.getByText(email)).toHaveCount(0)
  await expect(guest.locator('meta[name="robots"]')).toHaveAttribute('content', /noindex/)
  expect(await guest.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  const years = guest.getByRole('navigation', { name: 'Year' }).getByRole('button')
  await years.last().click()
  await expect(guest.getByText('No entries in 2024')).toBeVisible()
  await expect(guest.getByRole('button', { name: 'Gains of 2024' })).toBeVisible()
  await years.first().click()
  await expect(guest.getByText('Deposit credited').first()).toBeVisible()
  const downloading = guest.waitForEvent('download')
  await guest.getByRole('button', { name: 'All entries' }).click()
  expect((await downloading).suggestedFilename()).toMatch(/-statement\.csv$/)
  // The key is in no address that left the browser.
  expect(sent.filter((line) => line.includes(link.hash.slice(1)))).toEqual([])

  await dialog.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'Revoke My accountant' }).click()
  await dialog.getByRole('button', { name: 'Revoke' }).click()
  await expect(page.getByText('The guest link was revoked.')).toBeVisible()
  allowFault(/401/)
  await guest.unroute('**/api/v1/users/balances')
  await guest.reload()
  await expect(guest.getByText('This link does not work')).toBeVisible()
  await guest.goto('/guest')
  await expect(guest.getByText('This link is incomplete')).toBeVisible()
})
