import { expectAccessible } from './support/accessibility.ts'
import { callApi } from './support/http.ts'
import { linkIn, waitForMail } from './support/mailbox.ts'
import { createSession, newAddress, newInvestor, operatorSession, PASSWORD } from './support/people.ts'
import { openProfile, valueFor } from './support/screens.ts'
import { expect, test } from './support/test.ts'

const HOSTILE = '<img src=x onerror="document.title=1"><script>document.title=2</script>"\'>{{7*7}}'

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
    await expect(valueFor(page, label)).toHaveText(value)
    // A click anywhere on the line counts, because the button covers it.
    const line = await valueFor(page, label).boundingBox()
    await page.mouse.click((line?.x ?? 0) + 4, (line?.y ?? 0) + 4)
    await expect(dialog.getByLabel(label, { exact: true })).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expect(page.getByRole('button', { name: `Change ${label}`, exact: true })).toBeFocused()
  }
})

test('only changed fields are sent, and they show at once, also in the top bar', async ({ open }) => {
  const { email, session } = await newInvestor({ kyc: 'none' })
  const page = await openProfile(open, session)
  await page.getByRole('button', { name: 'Change Full Name' }).click()
  const dialog = page.getByRole('dialog', { name: 'Update Profile' })
  await expect(dialog.getByLabel('Email')).toHaveAttribute('readonly')
  await dialog.getByLabel('Full Name').fill('Ana de la Torre')
  await dialog.getByLabel('Address').fill('Hafenweg 3\n4057 Basel')
  // The name at home is replaced by the English one.
  await dialog.getByLabel('Country').fill('deutschland')
  await dialog.getByLabel('Country').blur()
  await expect(dialog.getByLabel('Country')).toHaveValue('Germany')
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
  await expect(valueFor(page, 'Full Name')).toHaveText('Ana de la Torre')
  await expect(valueFor(page, 'Address')).toHaveText('Hafenweg 3\n4057 Basel')
  await expect(valueFor(page, 'Country')).toHaveText('Germany')
  await expect(valueFor(page, 'Phone Number')).toHaveText('+41 79 123 45 67')
  await expect(page.getByRole('button', { name: 'Ana de la Torre' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('button', { name: 'Ana de la Torre' })).toBeVisible()
  expect((await createSession({ email, password: PASSWORD })).name).toBe('Ana de la Torre')
})

test('a server error about a field is shown beside it, and the input stays', async ({ open }) => {
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
  // Marital status is a list in the form, but free text in the API.
  await callApi('PATCH', '/users/user-info', {
    token: session.token,
    json: { maritalStatus: HOSTILE.slice(0, 60) },
  })
  await page.reload()
  for (const label of ['Full Name', 'Address', 'Marital Status', 'Gender'])
    await expect(valueFor(page, label)).toHaveText(HOSTILE.slice(0, 60))
  await page.getByRole('button', { name: 'Change Marital Status' }).click()
  await expect(dialog.getByLabel('Marital Status')).toHaveValue(HOSTILE.slice(0, 60))
  expect(await page.locator('main img, main script').count()).toBe(0)
  await expect(page).toHaveTitle(/Profile/)
})

test('an e-mail address is changed in the profile, and used everywhere once both mailboxes confirm', async ({
  open,
}) => {
  const { name, email, session } = await newInvestor({ kyc: 'none' })
  const newEmail = newAddress()
  const page = await openProfile(open, session)
  await page.getByRole('button', { name: 'Change Email', exact: true }).click()
  await page.getByRole('button', { name: 'Change Email Address' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change e-mail address' })
  const address = dialog.getByLabel('New email')
  const password = dialog.getByLabel('Password', { exact: true })
  const send = dialog.getByRole('button', { name: 'Send Both Mails' })
  await expect(address).toBeFocused()
  await expectAccessible(page)
  await send.click()
  await expect(address).toHaveAccessibleDescription(/Email is required/)
  await address.fill(email)
  await password.fill('not my password')
  await send.click()
  await expect(address).toHaveAccessibleDescription(/This is already your address/)
  await address.fill(newEmail)
  await send.click()
  await expect(password).toHaveAccessibleDescription(/password is wrong/)
  await password.fill(PASSWORD)
  await password.press('Enter')
  await expect(dialog.getByText('We sent a link to each mailbox.')).toBeVisible()
  for (const mailbox of [email, newEmail])
    await expect(dialog.getByRole('listitem').filter({ hasText: mailbox })).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Okay' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Change Email', exact: true })).toBeFocused()
  await expect(valueFor(page, 'Email')).toHaveText(email)

  // After a reload the pending change shows the status of both mailboxes and can be cancelled.
  await page.reload()
  await expect(valueFor(page, 'New address')).toHaveText(newEmail)
  for (const mailbox of ['Your present mailbox', 'The new mailbox'])
    await expect(valueFor(page, mailbox)).toHaveText('Not confirmed yet')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Cancel the Change' }).click()
  await expect(page.getByText('The change was cancelled.')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Your e-mail address is not changed yet' })).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Change Email', exact: true })).toBeFocused()

  await callApi('POST', '/users/email', {
    token: session.token,
    json: { email: newEmail, password: PASSWORD },
  })
  await page.reload()
  await page.getByRole('button', { name: 'Send Both Mails Again' }).click()
  await expect(address).toHaveValue(newEmail)
  await expect(password).toBeFocused()
  await password.fill(PASSWORD)
  await send.click()
  await dialog.getByRole('button', { name: 'Okay' }).click()

  for (const mailbox of [email, newEmail]) {
    const link = linkIn(await waitForMail(mailbox, /^Confirm the change/, 2), '/confirm-email')
    const token = link.searchParams.get('token')
    await callApi('POST', '/auth/confirm-email-change', { json: { token } })
  }
  await page.reload()
  await expect(valueFor(page, 'Email')).toHaveText(newEmail)
  await page.getByRole('button', { name }).click()
  await expect(page.getByRole('paragraph').filter({ hasText: newEmail })).toBeVisible()
  await createSession({ email: newEmail, password: PASSWORD })
})

test('closing the e-mail form keeps the input of the form below it', async ({ open }) => {
  const { session } = await newInvestor({ kyc: 'none' })
  const page = await openProfile(open, session)
  await page.getByRole('button', { name: 'Change Address' }).click()
  const profile = page.getByRole('dialog', { name: 'Update Profile' })
  await profile.getByLabel('Address').fill('Hafenweg 3')
  await profile.getByRole('button', { name: 'Change Email Address' }).click()
  await expect(page.getByLabel('New email')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog', { name: 'Change e-mail address' })).toBeHidden()
  await expect(profile.getByRole('button', { name: 'Change Email Address' })).toBeFocused()
  await expect(profile.getByLabel('Address')).toHaveValue('Hafenweg 3')
})

test('an operator cannot change their e-mail address', async ({ open }) => {
  const page = await openProfile(open, operatorSession('second'))
  await page.getByRole('button', { name: 'Change Email', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Update Profile' })
  await expect(dialog.getByLabel('Email')).toHaveAccessibleDescription(/Operators cannot change it/)
  await expect(dialog.getByRole('button', { name: 'Change Email Address' })).toHaveCount(0)
})

test('an investor says where they pay taxes, and it is there again', async ({ open }) => {
  const { session } = await newInvestor()
  const page = await openProfile(open, session)
  const dialog = page.getByRole('dialog', { name: 'Tax residence' })
  await page.getByRole('button', { name: 'Tax residence' }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByText('Please enter your city')).toBeVisible()
  await dialog.getByLabel('First name').fill('Ana')
  await dialog.getByLabel('Last name').fill('Torres')
  await dialog.getByLabel('City').fill('Basel')
  await dialog.getByLabel('Country').fill('Switzerland')
  await dialog.getByLabel('Tax number').fill('756.1234')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Your tax residence was saved.')).toBeVisible()
  await page.getByRole('button', { name: 'Tax residence' }).click()
  await expect(dialog.getByLabel('Tax number')).toHaveValue('756.1234')
})
