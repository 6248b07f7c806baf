import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { site } from '../../src/site.ts'
import { expectAccessible } from './support/accessibility.ts'
import { authenticatorCode } from './support/authenticator.ts'
import { codeIn, waitForMail } from './support/mailbox.ts'
import {
  CONFIRM_FACTOR,
  createSession,
  newInvestor,
  operatorSession,
  PASSWORD,
  turnOnSecondFactor,
} from './support/people.ts'
import { fillSignIn, openProfile } from './support/screens.ts'
import { expect, test } from './support/test.ts'

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
  await expect(setUp.getByRole('link', { name: 'Open your authenticator app' })).toHaveAttribute(
    'href',
    new RegExp(`^otpauth://totp/.*secret=${secret}`),
  )
  const code = setUp.getByLabel('Code from the app')
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
  const mailed = setUp.getByLabel('Code in our mail')
  await expect(mailed).toBeFocused()
  await expectAccessible(page)
  await mailed.fill('000000')
  await setUp.getByRole('button', { name: 'Turn On' }).click()
  await expect(mailed).toHaveAccessibleDescription(/wrong, was used already or has expired/)
  await mailed.fill('')
  await setUp.getByRole('button', { name: 'Turn On' }).click()
  await expect(mailed).toHaveAccessibleDescription(/mailed you a new one/)
  // The password field keeps its value.
  await expect(password).toHaveValue(PASSWORD)
  await mailed.fill(codeIn(await waitForMail(email, CONFIRM_FACTOR, 1)))
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
  expect(download.suggestedFilename()).toBe(`${site.slug}-recovery-codes.txt`)
  const text = readFileSync(await download.path(), 'utf8')
  for (const each of codes) expect(text).toContain(each)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await keeping.getByRole('button', { name: 'Copy all recovery codes' }).click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(codes.join('\n'))
  await keeping.getByRole('button', { name: 'I have kept them' }).click()
  await expect(keeping).toBeHidden()
  await expect(panel.getByText('On', { exact: true })).toBeVisible()
  await expect(panel.getByText('10 recovery codes are left.')).toBeVisible()
  await expect(panel.getByRole('button', { name: 'New Recovery Codes' })).toBeFocused()

  // The code that turned it on cannot be used again, so this is the next one.
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
  await waitForMail(email, /second factor was turned off/)
  await createSession({ email, password: PASSWORD })
})

test('an operator’s second factor cannot be turned off', async ({ open }) => {
  const page = await openProfile(open, operatorSession('second'), 'security')
  const panel = page.getByRole('region', { name: 'Second factor' })
  await expect(panel.getByText('An operator’s second factor cannot be removed.')).toBeVisible()
  await expect(panel.getByRole('button', { name: 'New Recovery Codes' })).toBeVisible()
  await expect(panel.getByRole('button', { name: 'Turn Off' })).toHaveCount(0)
})

test('new recovery codes replace the old ones, for the password and a code', async ({ open }) => {
  const { email, session } = await newInvestor({ kyc: 'none' })
  const secret = await turnOnSecondFactor(session)
  const page = await openProfile(open, session, 'security')
  const panel = page.getByRole('region', { name: 'Second factor' })
  await panel.getByRole('button', { name: 'New Recovery Codes' }).click()
  const dialog = page.getByRole('dialog', { name: 'New recovery codes' })
  const password = dialog.getByLabel('Password', { exact: true })
  const code = dialog.getByRole('textbox', { name: 'Code' })
  const submit = dialog.getByRole('button', { name: 'Get New Codes' })
  await expect(password).toBeFocused()
  await expectAccessible(page)
  await password.fill('not my password')
  await code.fill(authenticatorCode(0, secret))
  await submit.click()
  await expect(password).toHaveAccessibleDescription(/password is wrong/)
  await password.fill(PASSWORD)
  await code.fill('000000')
  await submit.click()
  await expect(code).toHaveAccessibleDescription(/wrong, was used already or has expired/)
  await code.fill(authenticatorCode(0, secret))
  await submit.click()
  const keeping = page.getByRole('dialog', { name: 'Your recovery codes' })
  await expect(keeping.getByText('You have new recovery codes')).toBeVisible()
  const codes = await keeping.getByRole('listitem').allInnerTexts()
  expect(codes).toHaveLength(10)
  await keeping.getByRole('button', { name: 'I have kept them' }).click()
  await expect(panel.getByText('10 recovery codes are left.')).toBeVisible()
  await expect(panel.getByRole('button', { name: 'New Recovery Codes' })).toBeFocused()
  await waitForMail(email, /recovery codes/)
  await createSession({ email, password: PASSWORD, code: codes[0] ?? '' })
})

async function signInWith(page: Page, email: string, code: string): Promise<void> {
  await page.goto('/sign-in')
  await fillSignIn(page, email)
  await page.getByRole('textbox', { name: 'Authentication code' }).fill(code)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page).toHaveURL('/dashboard/overview')
}
