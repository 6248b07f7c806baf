import type { Page } from '@playwright/test'
import { expectAccessible } from './support/accessibility.ts'
import { addVirtualAuthenticator, authenticatorCode } from './support/authenticator.ts'
import { codeIn, waitForMail } from './support/mailbox.ts'
import { CONFIRM_FACTOR, newInvestor, PASSWORD, turnOnSecondFactor } from './support/people.ts'
import { confirmByMail, fillSignIn, openProfile, withdrawBitcoin } from './support/screens.ts'
import { expect, test } from './support/test.ts'

const SCREENS = { computer: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } }

const passkeysOf = (page: Page) => page.getByRole('region', { name: 'Passkeys' })

/** Opens the dialog for a new passkey and enters name and password. */
async function startAdding(page: Page, name: string) {
  await passkeysOf(page).getByRole('button', { name: 'Add a Passkey' }).click()
  const adding = page.getByRole('dialog', { name: 'Add a passkey' })
  await adding.getByLabel('Name').fill(name)
  await adding.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await adding.getByRole('button', { name: 'Continue' }).click()
  return adding
}

/** Confirms the new passkey with the mailed code. */
async function confirmPasskey(page: Page, email: string, mailsBefore = 0): Promise<void> {
  const adding = page.getByRole('dialog', { name: 'Add a passkey' })
  const code = codeIn(await waitForMail(email, CONFIRM_FACTOR, mailsBefore))
  await adding.getByLabel('Code in our mail').fill(code)
  await adding.getByRole('button', { name: 'Add This Passkey' }).click()
}

/** Returns the recovery codes on the screen and closes their dialog. */
async function saveRecoveryCodes(page: Page): Promise<string[]> {
  const keeping = page.getByRole('dialog', { name: 'Your recovery codes' })
  await expect(keeping.getByRole('listitem')).toHaveCount(10)
  const codes = await keeping.getByRole('listitem').allInnerTexts()
  await keeping.getByRole('button', { name: 'I have kept them' }).click()
  return codes
}

async function signInAgain(page: Page, email: string): Promise<void> {
  await page.goto('/about-us')
  await page.evaluate(() => localStorage.clear())
  await page.goto('/sign-in')
  await fillSignIn(page, email)
}

async function withdraw(page: Page, amount: string) {
  await page.goto('/dashboard/withdrawal')
  await withdrawBitcoin(page, amount)
  return page.getByRole('dialog', { name: 'Confirm this withdrawal' })
}

for (const [kind, viewport] of Object.entries(SCREENS)) {
  test(`a passkey of a ${kind} is added, signs in, confirms a withdrawal to a new destination, and is removed`, async ({
    open,
  }) => {
    const { email, session } = await newInvestor({ available: 500 })
    const page = await openProfile((who) => open(who, { viewport }), session, 'security')
    const device = await addVirtualAuthenticator(page)
    const panel = passkeysOf(page)
    await device.refuse()
    const adding = await startAdding(page, 'My device')
    await expect(adding.getByRole('alert')).toContainText('Nothing was added')
    await device.accept()
    await adding.getByRole('button', { name: 'Try Again' }).click()
    const mailed = adding.getByLabel('Code in our mail')
    await expect(mailed).toBeFocused()
    await expectAccessible(page)
    await mailed.fill('000000')
    await adding.getByRole('button', { name: 'Add This Passkey' }).click()
    await expect(mailed).toHaveAccessibleDescription(/wrong, was used already or has expired/)
    await confirmPasskey(page, email)
    await saveRecoveryCodes(page)
    await expect(panel.getByRole('listitem')).toContainText(/My device.*Not used yet/s)
    await expect(page.getByRole('region', { name: 'Second factor' })).toContainText('By passkey')
    await waitForMail(email, /passkey was added/)
    await panel.getByRole('button', { name: 'Rename My device' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('My own device')
    await page.getByRole('button', { name: 'Save Name' }).click()
    await expect(panel.getByRole('listitem')).toContainText('My own device')

    await signInAgain(page, email)
    await device.refuse()
    await page.getByRole('button', { name: 'Use Your Passkey' }).click()
    await expect(page.getByRole('alert')).toContainText('Nothing was sent')
    await device.accept()
    await page.getByRole('button', { name: 'Use Your Passkey' }).click()
    await expect(page).toHaveURL('/dashboard/overview')

    // Alone, without address and password. The overview would store the session again with its figures.
    await page.goto('/about-us')
    await page.evaluate(() => localStorage.clear())
    await page.goto('/sign-in')
    await device.refuse()
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await expect(page.getByRole('alert')).toContainText('Sign in with your password instead.')
    await device.accept()
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await expect(page).toHaveURL('/dashboard/overview')

    const proof = await withdraw(page, '300')
    await expect(
      proof.getByText('You have not confirmed a withdrawal to this destination before.'),
    ).toBeVisible()
    await expect(proof.getByRole('textbox')).toHaveCount(0)
    await proof.getByRole('button', { name: 'Confirm With Your Passkey' }).click()
    const completed = page.getByRole('dialog', { name: 'Withdrawal Request Completed' })
    // A passkey younger than three days does not spare a new destination its delay.
    await expect(completed.getByText('at the earliest')).toBeVisible()

    await page.goto('/dashboard/profile#security')
    await expect(panel.getByRole('listitem')).toContainText('Last used')
    await panel.getByRole('button', { name: 'Remove My own device' }).click()
    const removing = page.getByRole('dialog', { name: 'Remove the passkey?' })
    await expect(removing).toContainText('Your password alone will')
    await removing.getByLabel('Password', { exact: true }).fill('not my password')
    await removing.getByRole('button', { name: 'Remove' }).click()
    await expect(removing.getByLabel('Password', { exact: true })).toHaveAccessibleDescription(
      /password is wrong/,
    )
    await removing.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await removing.getByRole('button', { name: 'Remove' }).click()
    await expect(removing.getByText('Follow your browser to confirm with a passkey')).toBeVisible()
    await removing.getByRole('button', { name: 'Remove' }).click()
    await expect(removing).toBeHidden()
    await expect(panel.getByRole('listitem')).toHaveCount(0)
    await waitForMail(email, /passkey was removed/)
    await signInAgain(page, email)
    await expect(page).toHaveURL('/dashboard/overview')
  })
}

test('a code works instead of a passkey, at sign-in and for a withdrawal', async ({ open }) => {
  const { email, session } = await newInvestor({ available: 500 })
  const page = await openProfile(open, session, 'security')
  await addVirtualAuthenticator(page)
  await startAdding(page, 'My device')
  await confirmPasskey(page, email)
  const [recoveryCode = ''] = await saveRecoveryCodes(page)

  await signInAgain(page, email)
  await expect(page.getByRole('button', { name: 'Use Your Passkey' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Use a code instead' }).click()
  const code = page.getByLabel('Authentication code')
  await expect(code).toBeFocused()
  await code.fill('123456')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(code).toHaveAccessibleDescription(/That code is wrong/)
  await expect(page.getByRole('button', { name: 'Use a passkey instead' })).toBeVisible()
  await code.fill(recoveryCode)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page).toHaveURL('/dashboard/overview')

  const proof = await withdraw(page, '100')
  await expect(proof.getByRole('button', { name: 'Confirm With Your Passkey' })).toBeVisible()
  await expectAccessible(page)
  await proof.getByRole('button', { name: 'Use a code instead' }).click()
  await expect(proof.getByRole('textbox', { name: 'Code' })).toBeFocused()
  await confirmByMail(page, email)
  await expect(page.getByRole('dialog', { name: 'Withdrawal Request Completed' })).toContainText(
    'at the earliest',
  )
})

test('an authenticator app and a passkey can both be on, and each confirms changes of the other', async ({
  open,
}) => {
  const { session } = await newInvestor({ kyc: 'none' })
  const secret = await turnOnSecondFactor(session)
  const page = await openProfile(open, session, 'security')
  await addVirtualAuthenticator(page)
  const adding = await startAdding(page, 'My device')
  await expectAccessible(page)
  await adding.getByLabel('Code').fill(authenticatorCode(0, secret))
  await adding.getByRole('button', { name: 'Continue' }).click()
  await confirmPasskey(page, session.email, 1)
  await expect(adding).toBeHidden()
  await expect(passkeysOf(page).getByRole('listitem')).toContainText('My device')
  const app = page.getByRole('region', { name: 'Second factor' })
  await expect(app).toContainText('or a passkey')
  await app.getByRole('button', { name: 'Turn Off' }).click()
  const off = page.getByRole('dialog', { name: 'Turn off the second factor' })
  await expect(off).toContainText('Your recovery codes keep working')
  await off.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await off.getByRole('button', { name: 'Turn Off' }).click()
  await expect(off.getByText('Follow your browser to confirm with a passkey')).toBeVisible()
  await expectAccessible(page)
  await off.getByRole('button', { name: 'Turn Off' }).click()
  await expect(off).toBeHidden()
  await expect(app).toContainText('By passkey')
  await app.getByRole('button', { name: 'Set Up' }).click()
  const setUp = page.getByRole('dialog', { name: 'Set up the second factor' })
  const fresh = ((await setUp.locator('code').textContent()) ?? '').replaceAll(' ', '')
  await setUp.getByLabel('Code from the app').fill(authenticatorCode(0, fresh))
  await setUp.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await setUp.getByRole('button', { name: 'Turn On' }).click()
  await setUp.getByRole('button', { name: 'Use Your Passkey' }).click()
  await setUp.getByLabel('Code in our mail').fill(codeIn(await waitForMail(session.email, CONFIRM_FACTOR, 2)))
  await setUp.getByRole('button', { name: 'Use Your Passkey' }).click()
  await saveRecoveryCodes(page)
  await expect(app).toContainText('or a passkey')
})

test('a browser without passkeys says so, and takes a recovery code', async ({ open }) => {
  const { email, session } = await newInvestor({ kyc: 'none' })
  const able = await openProfile(open, session, 'security')
  await addVirtualAuthenticator(able)
  await startAdding(able, 'My device')
  await confirmPasskey(able, email)
  const [recoveryCode = ''] = await saveRecoveryCodes(able)

  const page = await open()
  await page.addInitScript(() => Reflect.deleteProperty(globalThis, 'PublicKeyCredential'))
  await page.goto('/sign-in')
  await signInAgain(page, email)
  const code = page.getByLabel('Authentication code')
  await expect(code).toHaveAccessibleDescription(
    /This browser has no passkeys. Enter one of your recovery codes./,
  )
  await code.fill(recoveryCode)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page).toHaveURL('/dashboard/overview')
  await page.goto('/dashboard/profile#security')
  await passkeysOf(page).getByRole('button', { name: 'Add a Passkey' }).click()
  await expect(page.getByRole('dialog', { name: 'Add a passkey' })).toContainText(
    'This browser has no passkeys',
  )
})
