import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { expectAccessible, settled } from './scene/accessible.ts'
import { ask, send } from './scene/http.ts'
import { mailTo } from './scene/mailbox.ts'
import { newInvestor, operatorSession, PASSWORD, type Session, signedIn } from './scene/people.ts'
import { factOf, scriptsReady } from './scene/screens.ts'
import { expect, test } from './scene/test.ts'
import { authenticatorCode } from './scene/totp.ts'

const NEW_PASSWORD = 'ein Kahn liegt im Hafen'
const HOSTILE = '<img src=x onerror="document.title=1"><script>document.title=2</script>"\'>{{7*7}}'

test('the menu of the account leads to the profile, whose tabs stand in the address', async ({ open }) => {
  const { name, session } = await newInvestor({ kyc: 'none' })
  const page = await open(session)
  await page.goto('/dashboard/overview')
  await page.getByRole('button', { name }).click()
  await page.getByRole('link', { name: 'Account Settings' }).click()
  await expect(page).toHaveURL('/dashboard/profile')
  await expect(page.getByRole('tab', { selected: true })).toHaveText('Personal Information')
  await scriptsReady(page)
  await page.getByRole('tab', { name: 'Personal Information' }).press('ArrowRight')
  await expect(page).toHaveURL('/dashboard/profile#security')
  await page.reload()
  await expect(page.getByRole('tab', { selected: true })).toHaveText('Security Information')
  await expect(page.getByRole('tabpanel', { name: 'Security Information' })).toBeVisible()
})

test('a link to a part of the profile is come back to after signing in', async ({ page }) => {
  const { email } = await newInvestor({ kyc: 'none' })
  await page.goto('/dashboard/profile#security')
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page).toHaveURL('/dashboard/profile#security')
  await expect(page.getByRole('button', { name: 'Change Password' })).toBeVisible()
})

test('each item of the personal information opens the form at its field', async ({ open }) => {
  const { email, session } = await newInvestor({ kyc: 'none' })
  const page = await openProfile(open, session)
  const shown = {
    'Full Name': 'Ana Torres',
    Email: email,
    'Phone Number': '+41 79 123 45 67',
    Address: 'unknown',
    Country: 'Switzerland',
    'Marital Status': 'unknown',
    Gender: 'unknown',
  }
  const dialog = page.getByRole('dialog', { name: 'Update Profile' })
  for (const [label, value] of Object.entries(shown)) {
    await expect(factOf(page, label)).toHaveText(value)
    // Anywhere on the line: the button's area is all of it.
    const line = await factOf(page, label).boundingBox()
    await page.mouse.click((line?.x ?? 0) + 4, (line?.y ?? 0) + 4)
    await expect(dialog.getByLabel(label, { exact: true })).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expect(page.getByRole('button', { name: `Change ${label}`, exact: true })).toBeFocused()
  }
})

test('what was changed is sent alone, and shows at once, in the top bar too', async ({ open }) => {
  const { email, session } = await newInvestor({ kyc: 'none' })
  const page = await openProfile(open, session)
  await page.getByRole('button', { name: 'Change Full Name' }).click()
  const dialog = page.getByRole('dialog', { name: 'Update Profile' })
  await expect(dialog.getByLabel('Email')).toHaveAttribute('readonly')
  await dialog.getByLabel('Full Name').fill('Ana de la Torre')
  await dialog.getByLabel('Address').fill('Hafenweg 3\n4057 Basel')
  await dialog.getByLabel('Country').selectOption({ label: 'Germany (Deutschland)' })
  await dialog.getByLabel('Phone Number').fill('')
  const sent = page.waitForRequest((request) => request.method() === 'PATCH')
  await dialog.getByRole('button', { name: 'Update Info' }).click()
  expect((await sent).postDataJSON()).toEqual({
    fullname: 'ana de la torre',
    displayName: 'Ana de la Torre',
    address: 'Hafenweg 3\n4057 Basel',
    country: 'Germany',
  })
  await expect(page.getByText('Your information was updated.')).toBeVisible()
  await expect(dialog).toBeHidden()
  await expect(factOf(page, 'Full Name')).toHaveText('Ana de la Torre')
  await expect(factOf(page, 'Address')).toHaveText('Hafenweg 3\n4057 Basel')
  await expect(factOf(page, 'Country')).toHaveText('Germany')
  await expect(factOf(page, 'Phone Number')).toHaveText('+41 79 123 45 67')
  await expect(page.getByRole('button', { name: 'Ana de la Torre' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('button', { name: 'Ana de la Torre' })).toBeVisible()
  expect((await signedIn({ email, password: PASSWORD })).name).toBe('Ana de la Torre')
})

test('what the server has against a field stands beside it, and what was typed stays', async ({ open }) => {
  const { session } = await newInvestor({ kyc: 'none' })
  const page = await openProfile(open, session)
  await page.getByRole('button', { name: 'Change Phone Number' }).click()
  const dialog = page.getByRole('dialog', { name: 'Update Profile' })
  await dialog.getByRole('button', { name: 'Update Info' }).click()
  await expect(dialog.getByRole('alert')).toHaveText('There is nothing to change')
  const phone = dialog.getByLabel('Phone Number')
  await phone.fill('12')
  await dialog.getByRole('button', { name: 'Update Info' }).click()
  await expect(phone).toHaveAccessibleDescription(/Invalid phone number/)
  await expect(phone).toBeFocused()
  await expect(phone).toHaveValue('12')
})

test('hostile text in any field is shown as text', async ({ open }) => {
  const { session } = await newInvestor({ kyc: 'none' })
  const page = await openProfile(open, session)
  await page.getByRole('button', { name: 'Change Full Name' }).click()
  const dialog = page.getByRole('dialog', { name: 'Update Profile' })
  for (const label of ['Full Name', 'Address', 'Gender'])
    await dialog.getByLabel(label).fill(HOSTILE.slice(0, 60))
  await dialog.getByRole('button', { name: 'Update Info' }).click()
  await expect(dialog).toBeHidden()
  // A choice in our form is free text to the API.
  await ask('PATCH', '/users/user-info', {
    token: session.token,
    json: { maritalStatus: HOSTILE.slice(0, 60) },
  })
  await page.reload()
  for (const label of ['Full Name', 'Address', 'Marital Status', 'Gender'])
    await expect(factOf(page, label)).toHaveText(HOSTILE.slice(0, 60))
  await page.getByRole('button', { name: 'Change Marital Status' }).click()
  await expect(dialog.getByLabel('Marital Status')).toHaveValue(HOSTILE.slice(0, 60))
  expect(await page.locator('main img, main script').count()).toBe(0)
  await expect(page).toHaveTitle(/Profile/)
})

test('everything held on somebody is downloaded as one file', async ({ open }) => {
  const { email, session } = await newInvestor({ kyc: 'none' })
  const page = await openProfile(open, session)
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download My Data' }).click()
  const download = await downloading
  expect(download.suggestedFilename()).toBe('evenkeel-my-data.json')
  const data: unknown = JSON.parse(readFileSync(await download.path(), 'utf8'))
  expect(data).toMatchObject({ account: { email }, complete: true })
  await expect(page.getByText('Your data was downloaded.')).toBeVisible()
})

test('a new password is weighed in words, and ends every other session', async ({ open }) => {
  const { email, session } = await newInvestor({ kyc: 'none' })
  const other = await signedIn({ email, password: PASSWORD })
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
    [NEW_PASSWORD, /Strong by its length/],
  ] as const) {
    await chosen.fill(password)
    await expect(meter).toHaveText(words)
  }
  await expect(dialog.getByText('Every other session of yours ends')).toBeVisible()
  const submit = dialog.getByRole('button', { name: 'Update Password' })
  await current.fill('not my password')
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
  await mailTo(email, /password was changed/)
  await signedIn({ email, password: NEW_PASSWORD })
})

test('a second factor is set up, asked for, replaced by a recovery code, and turned off', async ({
  open,
}) => {
  const { email, session } = await newInvestor({ kyc: 'none' })
  const page = await openProfile(open, session, 'security')
  const panel = page.getByRole('region', { name: 'Second factor' })
  await expect(panel.getByText('Off', { exact: true })).toBeVisible()
  await panel.getByRole('button', { name: 'Set Up' }).click()
  const setUp = page.getByRole('dialog', { name: 'Set up the second factor' })
  await expect(setUp.getByRole('img', { name: /QR code/ })).toHaveJSProperty('complete', true)
  const secret = ((await setUp.locator('code').textContent()) ?? '').replaceAll(' ', '')
  expect(secret).toMatch(/^[A-Z2-7]{32}$/)
  await expect(setUp.getByRole('link', { name: 'open it in your app' })).toHaveAttribute(
    'href',
    new RegExp(`^otpauth://totp/.*secret=${secret}`),
  )
  const code = setUp.getByLabel('Code that the app shows')
  const password = setUp.getByLabel('Password', { exact: true })
  await setUp.getByRole('button', { name: 'Turn On' }).click()
  await expect(password).toHaveAccessibleDescription(/Password is required/)
  await code.fill('000000')
  await password.fill('not my password')
  await setUp.getByRole('button', { name: 'Turn On' }).click()
  await expect(code).toHaveAccessibleDescription(/That code is wrong/)
  await code.fill(authenticatorCode(0, secret))
  await setUp.getByRole('button', { name: 'Turn On' }).click()
  await expect(password).toHaveAccessibleDescription(/The current password is wrong/)
  await password.fill(PASSWORD)
  await setUp.getByRole('button', { name: 'Turn On' }).click()

  const keeping = page.getByRole('dialog', { name: 'Your recovery codes' })
  await expect(keeping.getByRole('listitem')).toHaveCount(10)
  const codes = await keeping.getByRole('listitem').allInnerTexts()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(keeping).toBeVisible()
  await expect(keeping.getByRole('button', { name: 'Close' })).toHaveCount(0)
  const downloading = page.waitForEvent('download')
  await keeping.getByRole('link', { name: 'Download as text' }).click()
  const download = await downloading
  expect(download.suggestedFilename()).toBe('evenkeel-recovery-codes.txt')
  const text = readFileSync(await download.path(), 'utf8')
  for (const each of codes) expect(text).toContain(each)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await keeping.getByRole('button', { name: 'Copy all recovery codes' }).click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(codes.join('\n'))
  await keeping.getByRole('button', { name: 'I have kept them' }).click()
  await expect(keeping).toBeHidden()
  await expect(panel.getByText('On', { exact: true })).toBeVisible()
  await expect(panel.getByText('10 recovery codes are left.')).toBeVisible()
  await expect(panel.getByRole('button', { name: 'Turn Off' })).toBeFocused()

  // One step later than the code that turned it on, which works no more.
  await signInWith(await open(), email, authenticatorCode(-1, secret))
  await signInWith(await open(), email, codes[0] ?? '')
  await page.reload()
  await expect(panel.getByText('9 recovery codes are left.')).toBeVisible()

  await panel.getByRole('button', { name: 'Turn Off' }).click()
  const turnOff = page.getByRole('dialog', { name: 'Turn off the second factor' })
  const submit = turnOff.getByRole('button', { name: 'Turn Off' })
  await turnOff.getByLabel('Password', { exact: true }).fill('not my password')
  await turnOff.getByLabel('Code').fill(codes[1] ?? '')
  await submit.click()
  await expect(turnOff.getByLabel('Password', { exact: true })).toHaveAccessibleDescription(
    /password is wrong/,
  )
  await turnOff.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await turnOff.getByLabel('Code').fill(codes[0] ?? '')
  await submit.click()
  await expect(turnOff.getByLabel('Code')).toHaveAccessibleDescription(
    /wrong, was used already or has expired/,
  )
  await turnOff.getByLabel('Code').fill(codes[1] ?? '')
  await submit.click()
  await expect(page.getByText('Your second factor is off.')).toBeVisible()
  await expect(panel.getByText('Off', { exact: true })).toBeVisible()
  await expect(panel.getByRole('button', { name: 'Set Up' })).toBeFocused()
  await mailTo(email, /second factor was turned off/)
  await signedIn({ email, password: PASSWORD })
})

test('an operator’s second factor cannot be turned off', async ({ open }) => {
  const page = await openProfile(open, operatorSession('second'), 'security')
  const panel = page.getByRole('region', { name: 'Second factor' })
  await expect(panel.getByText('An operator’s second factor cannot be taken off.')).toBeVisible()
  await expect(panel.getByRole('button')).toHaveCount(0)
})

test('what cannot be loaded says so, and comes with another try', async ({ open, forgive }) => {
  forgive(/status of 503/)
  const { session } = await newInvestor({ kyc: 'none' })
  const page = await open(session)
  await page.route(/\/api\/v1\/(users|auth)\//, (route) =>
    route.fulfill({ status: 503, json: { msg: 'We cannot answer right now.', code: 'unavailable' } }),
  )
  await page.goto('/dashboard/profile')
  await expect(page.getByText('We cannot answer right now.')).toBeVisible()
  await scriptsReady(page)
  await page.getByRole('tab', { name: 'Security Information' }).click()
  await expect(page.getByText('We cannot answer right now.').first()).toBeVisible()
  await page.unroute(/\/api\/v1\/(users|auth)\//)
  await page.getByRole('region', { name: 'Second factor' }).getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('button', { name: 'Set Up' })).toBeVisible()
})

test('every tab and dialog of the profile is for everybody', async ({ open }) => {
  const { session } = await newInvestor({ kyc: 'none' })
  const page = await openProfile(open, session, 'security')
  await settled(page)
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
  await page.getByRole('tab', { name: 'Personal Information' }).click()
  await page.getByRole('button', { name: 'Change Address' }).click()
  await expect(page.getByRole('button', { name: 'Update Info' })).toBeVisible()
  await expectAccessible(page)
})

async function openProfile(
  open: (session: Session) => Promise<Page>,
  session: Session,
  tab = 'personal',
): Promise<Page> {
  const page = await open(session)
  await page.goto(`/dashboard/profile#${tab}`)
  return page
}

async function signInWith(page: Page, email: string, code: string): Promise<void> {
  await page.goto('/sign-in')
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('textbox', { name: 'Authentication code' }).fill(code)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page).toHaveURL('/dashboard/overview')
}
