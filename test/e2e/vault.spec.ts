import type { Page } from '@playwright/test'
import { picture } from '../support/picture.ts'
import { expectAccessible } from './support/accessibility.ts'
import { newInvestorWithDocument, PASSPHRASE, submitDocument, unlockKey } from './support/kyc.ts'
import { newInvestor, operatorSession, PASSWORD } from './support/people.ts'
import { recordRequestBodies } from './support/requestBodies.ts'
import { openCase, valueFor } from './support/screens.ts'
import { expect, test } from './support/test.ts'

const DESKTOP = { width: 1280, height: 800 }
/** Deriving a key from a passphrase takes seconds by design, and more on a busy machine. */
const SLOW = { timeout: 60_000 }

test('an identity document leaves the browser encrypted, and no part of the picture leaves it unencrypted', async ({
  open,
}) => {
  const { session } = await newInvestor({ kyc: 'none' })
  const page = await open(session)
  const sent = await recordRequestBodies(page)
  await page.goto('/dashboard/kyc')
  await page.getByText(/^Encrypted in your browser\. Can be opened with \d keys$/).click()
  for (const name of ['Sample Operator', 'Recovery key (kept offline)'])
    await expect(page.getByRole('listitem').filter({ hasText: name }).first()).toContainText(
      /(?:[0-9A-F]{4} ){4}[0-9A-F]{4}/,
    )
  await submitDocument(page, 'Ana Torres.png')
  const bodies = Buffer.concat(sent).toString('latin1')
  expect(bodies).toMatch(
    /name="image"; filename="document\.age"\r\nContent-Type: application\/age\r\n\r\nage-encryption\.org\/v1\n/,
  )
  const { buffer } = picture('Ana Torres.png')
  for (let at = 0; at + 8 <= buffer.length; at += 8)
    expect(bodies).not.toContain(buffer.subarray(at, at + 8).toString('latin1'))
  expect(bodies).not.toContain('Ana Torres')

  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  await expect(valueFor(page, 'Encrypted')).toHaveText('In your browser, for the reviewers')
  await expect(page.getByText('Nobody has looked at it yet.')).toBeVisible()
  await expectAccessible(page)
})

test('a browser that cannot encrypt sends nothing until the investor accepts weaker protection', async ({
  open,
  allowFault,
}) => {
  allowFault(/TransformStream/)
  const { session } = await newInvestor({ kyc: 'none' })
  const page = await open(session)
  const sent = await recordRequestBodies(page)
  await page.addInitScript(() => Reflect.deleteProperty(globalThis, 'TransformStream'))
  await page.goto('/dashboard/kyc')
  await page.getByLabel('Sample picture', { exact: true }).setInputFiles(picture('passport.png'))
  const submit = page.getByRole('button', { name: 'Submit for Review' })
  await submit.click()
  await expect(page.getByText('Your browser could not encrypt the document')).toBeVisible()
  expect(sent).toEqual([])
  await submit.click()
  await expect(submit).toBeEnabled()
  expect(sent).toEqual([])
  await expectAccessible(page)
  await page.getByRole('checkbox', { name: 'Send it without end-to-end encryption' }).check()
  await submit.click()
  await page.getByRole('dialog', { name: 'KYC Request Sent' }).getByRole('button', { name: 'Close' }).click()
  await expect(valueFor(page, 'Encrypted')).toHaveText('By our server, when it arrived')
})

test('a reviewer opens a document with their passphrase, and the investor sees who looked', async ({
  open,
}) => {
  const { name, email, session } = await newInvestorWithDocument(open)
  const reviewer = await open(operatorSession('first'))
  await reviewer.goto('/operator')
  const opened = await openCase(reviewer, 'KYC', email)
  const passport = opened.getByRole('img', { name: `Passport of ${name}` })
  await unlockKey(opened, 'Unlock and open', 'another passphrase')
  await expect(opened.getByText('This is not the passphrase of that key')).toBeVisible(SLOW)
  await expect(opened.getByLabel('Passphrase of your key', { exact: true })).toBeFocused()
  await expectAccessible(reviewer)
  await opened.getByLabel('Passphrase of your key', { exact: true }).fill(PASSPHRASE)
  await opened.getByLabel('Passphrase of your key', { exact: true }).press('Enter')
  await expect(passport).toHaveJSProperty('naturalWidth', 320, SLOW)
  await expectAccessible(reviewer)
  const saved = reviewer.waitForEvent('download')
  await opened.getByRole('link', { name: 'Save' }).click()
  expect((await saved).suggestedFilename()).toMatch(/^KYC-[0-9A-Z]{8}\.png$/)

  await opened.getByRole('button', { name: 'Lock' }).click()
  await expect(passport).toHaveCount(0)
  await expect(opened.getByLabel('Passphrase of your key', { exact: true })).toBeVisible()
  expect(await storageOf(reviewer)).not.toMatch(/AGE-SECRET-KEY|sample passphrase/)

  const investor = await open(session)
  await investor.goto('/dashboard/kyc')
  await expect(investor.getByRole('heading', { name: 'Who looked at it' })).toBeVisible()
  await expect(investor.getByRole('listitem').filter({ hasText: 'Sample Operator' })).toHaveCount(1)
})

test('an altered document is reported and not shown', async ({ open }) => {
  test.setTimeout(120_000)
  const { name, email } = await newInvestorWithDocument(open)
  const reviewer = await open(operatorSession('first'))
  await reviewer.route('**/document', async (route) => {
    const answer = await route.fetch()
    const body = await answer.body()
    body[body.length - 1] = (body.at(-1) ?? 0) ^ 1
    await route.fulfill({ response: answer, body })
  })
  await reviewer.goto('/operator')
  const opened = await openCase(reviewer, 'KYC', email)
  await unlockKey(opened, 'Unlock and open')
  await expect(opened.getByText('This file was changed after it was encrypted')).toBeVisible(SLOW)
  await expect(opened.getByRole('img', { name: `Passport of ${name}` })).toHaveCount(0)
})

test('a new key works once a colleague has approved it, and opens older documents once they are encrypted to it', async ({
  open,
}) => {
  test.setTimeout(240_000)
  const passphrase = 'four harbours and a keel'
  const { email } = await newInvestorWithDocument(open)
  const second = await open(operatorSession('second'))
  const first = await open(operatorSession('first'))

  const fingerprint = await test.step('the second operator makes a key', async () => {
    await second.goto('/operator/keys')
    await second.getByRole('button', { name: /^Create (?:a new|your) key$/ }).click()
    const dialog = second.getByRole('dialog', { name: 'Create your key' })
    await dialog.getByLabel('Passphrase', { exact: true }).fill('too short')
    await dialog.getByRole('button', { name: 'Create key' }).click()
    await expect(dialog.getByText('Please use at least 12 characters')).toBeVisible()
    await expectAccessible(second)
    await second.setViewportSize(DESKTOP)
    await dialog.getByLabel('Passphrase', { exact: true }).fill(passphrase)
    await dialog.getByLabel('Passphrase again', { exact: true }).fill(passphrase)
    await dialog.getByLabel('Password of your account', { exact: true }).fill('not my password')
    await dialog.getByRole('button', { name: 'Create key' }).click()
    await expect(dialog.getByLabel('Password of your account', { exact: true })).toBeFocused(SLOW)
    await dialog.getByLabel('Password of your account', { exact: true }).fill(PASSWORD)
    await dialog.getByRole('button', { name: 'Create key' }).click()
    await expect(dialog.getByText('Your key is waiting for approval')).toBeVisible(SLOW)
    const text = await dialog.getByRole('code').textContent()
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await expect(second.getByText('Your new key is waiting for approval')).toBeVisible()
    return text ?? ''
  })

  await test.step('the first one compares the fingerprint and approves it', async () => {
    await first.goto('/operator')
    const proposal = await openCase(first, 'Proposals', fingerprint)
    await expect(valueFor(proposal, 'Fingerprint')).toHaveText(fingerprint)
    await proposal.getByRole('button', { name: 'Approve key' }).click()
    await expect(proposal.getByText('Approve the key only if it is the same')).toBeVisible()
    await proposal.getByRole('button', { name: 'Approve key' }).click()
    await expect(first.getByRole('dialog').getByText(/New documents will be encrypted/)).toBeVisible()
  })

  await test.step('a new document is encrypted to the new key', async () => {
    const { name, email: newer } = await newInvestorWithDocument(open)
    await second.goto('/operator')
    const opened = await openCase(second, 'KYC', newer)
    await expect(opened.getByText(`Key ${fingerprint}`)).toBeVisible()
    await unlockKey(opened, 'Unlock and open', passphrase)
    await expect(opened.getByRole('img', { name: `Passport of ${name}` })).toHaveJSProperty(
      'naturalWidth',
      320,
    )
  })

  await test.step('an older document is not, until the first operator encrypts it again', async () => {
    await second.goto('/operator')
    const before = await openCase(second, 'KYC', email)
    await expect(valueFor(before, 'Encrypted to')).toHaveText('Outdated keys')
    await expect(before.getByText(`Key ${fingerprint}`)).toHaveCount(0)

    await first.goto('/operator/keys')
    await first.getByRole('button', { name: 'Find documents' }).click()
    await unlockKey(first, 'Unlock')
    await expect(first.getByRole('button', { name: /^Encrypt .* again$/ })).toBeVisible(SLOW)
    await expectAccessible(first)
    await first.setViewportSize(DESKTOP)
    await first.getByRole('button', { name: /^Encrypt .* again$/ }).click()
    await expect(first.getByText(/encrypted to the current keys\.$/)).toBeVisible(SLOW)
    await first.getByRole('button', { name: 'Search again' }).click()

    await second.goto('/operator')
    const after = await openCase(second, 'KYC', email)
    await expect(valueFor(after, 'Encrypted to')).toHaveCount(0)
    await unlockKey(after, 'Unlock and open', passphrase)
    await expect(after.getByRole('img', { name: /^Passport of/ })).toHaveJSProperty('naturalWidth', 320, SLOW)
  })
})

/** Everything that a page stores in the browser. */
function storageOf(page: Page): Promise<string> {
  return page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]))
}
