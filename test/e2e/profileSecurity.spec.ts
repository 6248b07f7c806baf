import { readFileSync } from 'node:fs'
import { site } from '../../src/site.ts'
import { waitForLoaded } from './support/accessibility.ts'
import { send, UNAVAILABLE } from './support/http.ts'
import { waitForMail } from './support/mailbox.ts'
import { createSession, newInvestor, PASSWORD } from './support/people.ts'
import { openProfile } from './support/screens.ts'
import { expect, test } from './support/test.ts'

const NEW_PASSWORD = 'ein Kahn liegt im Hafen'

test('all personal data is downloaded as one file', async ({ open }) => {
  const { email, session } = await newInvestor({ kyc: 'none' })
  const page = await openProfile(open, session, 'security')
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download My Data' }).click()
  const download = await downloading
  expect(download.suggestedFilename()).toBe(`${site.slug}-my-data.json`)
  const data: unknown = JSON.parse(readFileSync(await download.path(), 'utf8'))
  expect(data).toMatchObject({ account: { email }, complete: true })
  await expect(page.getByText('Your data was downloaded.')).toBeVisible()
})

test('a new password shows its strength, and ends every other session', async ({ open }) => {
  const { email, session } = await newInvestor({ kyc: 'none' })
  const other = await createSession({ email, password: PASSWORD })
  const page = await openProfile(open, session, 'security')
  await page.getByRole('button', { name: 'Change Password' }).click()
  const dialog = page.getByRole('dialog', { name: 'Update Password' })
  const current = dialog.getByLabel('Current password', { exact: true })
  const chosen = dialog.getByLabel('New password', { exact: true })
  const again = dialog.getByLabel('Confirm new password', { exact: true })
  const meter = dialog.getByRole('status')
  await expect(current).toBeFocused()
  for (const [password, words] of [
    ['short', /Too short/],
    ['password123', /one of the most common passwords/],
    ['my Torres boat', /your name or e-mail/],
    [NEW_PASSWORD, /Strong, if you use it nowhere else/],
  ] as const) {
    await chosen.fill(password)
    await expect(meter).toHaveText(words)
  }
  await expect(dialog.getByText('Your other sessions end')).toBeVisible()
  const submit = dialog.getByRole('button', { name: 'Update Password' })
  await chosen.fill('')
  await submit.click()
  await expect(current).toHaveAccessibleDescription(/Please give your current password/)
  await current.fill('not my password')
  await submit.click()
  await expect(chosen).toHaveAccessibleDescription(/Please choose a new password/)
  await chosen.fill(NEW_PASSWORD)
  await again.fill('something else')
  await submit.click()
  await expect(again).toHaveAccessibleDescription(/Passwords must match/)
  await again.fill(NEW_PASSWORD)
  await submit.click()
  await expect(current).toHaveAccessibleDescription(/The current password is wrong/)
  await expect(current).toBeFocused()
  await current.fill(PASSWORD)
  await submit.click()
  await expect(page.getByText('Your password was changed. Other sessions were ended.')).toBeVisible()
  await expect(dialog).toBeHidden()
  expect((await send('GET', '/users/user-info', { token: other.token })).status).toBe(401)
  expect((await send('GET', '/users/user-info', { token: session.token })).status).toBe(200)
  await waitForMail(email, /password was changed/)
  await createSession({ email, password: NEW_PASSWORD })
})

test('a session is ended from another one, which goes on', async ({ open }) => {
  const { email, session } = await newInvestor({ kyc: 'none' })
  const other = await createSession({ email, password: PASSWORD })
  const page = await openProfile(open, session, 'security')
  await waitForLoaded(page)
  const list = page.getByRole('list', { name: 'Sessions' })
  await expect(list.getByRole('listitem')).toHaveCount(2)
  const own = list.getByRole('listitem').filter({ hasText: 'This one' })
  await expect(own).toHaveCount(1)
  await expect(own.getByRole('button')).toHaveCount(0)
  await list.getByRole('button', { name: /^End the session of/ }).click()
  await expect(page.getByText('The session was ended.')).toBeVisible()
  await expect(list.getByRole('listitem')).toHaveCount(1)
  await expect(list).toBeFocused()
  await expect(page.getByRole('button', { name: 'End All Others' })).toBeHidden()
  expect((await send('GET', '/users/user-info', { token: other.token })).status).toBe(401)
  expect((await send('GET', '/users/user-info', { token: session.token })).status).toBe(200)
})

test('all other sessions are ended at once, after a confirmation', async ({ open }) => {
  const { email, session } = await newInvestor({ kyc: 'none' })
  const others = [
    await createSession({ email, password: PASSWORD }),
    await createSession({ email, password: PASSWORD }),
    await createSession({ email, password: PASSWORD }),
  ]
  const page = await openProfile(open, session, 'security')
  await waitForLoaded(page)
  const list = page.getByRole('list', { name: 'Sessions' })
  const dialog = page.getByRole('dialog', { name: 'End all other sessions?' })
  const button = page.getByRole('button', { name: 'End All Others' })
  await button.click()
  await dialog.getByRole('button', { name: 'Keep Them' }).click()
  await expect(button).toBeFocused()
  await expect(list.getByRole('listitem')).toHaveCount(4)
  await button.click()
  await dialog.getByRole('button', { name: 'End All Others' }).click()
  await expect(dialog).toBeHidden()
  await expect(list.getByRole('listitem')).toHaveCount(1)
  await expect(list).toBeFocused()
  for (const { token } of others) expect((await send('GET', '/users/user-info', { token })).status).toBe(401)
})

test('a session that cannot be ended stays in the list, with an error', async ({ open, allowFault }) => {
  allowFault(/status of 503/)
  const { email, session } = await newInvestor({ kyc: 'none' })
  await createSession({ email, password: PASSWORD })
  const page = await openProfile(open, session, 'security')
  await page.route('**/api/v1/users/sessions/*', (route) => route.fulfill(UNAVAILABLE))
  await waitForLoaded(page)
  const list = page.getByRole('list', { name: 'Sessions' })
  await list.getByRole('button', { name: /^End the session of/ }).click()
  await expect(page.getByText('We cannot answer right now.')).toBeVisible()
  await expect(list.getByRole('listitem')).toHaveCount(2)
})
