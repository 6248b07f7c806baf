import { largePicture, picture } from '../support/picture.ts'
import { expectAccessible } from './support/accessibility.ts'
import { callApi, send } from './support/http.ts'
import { newInvestorWithDocument, unlockKey } from './support/kyc.ts'
import { changeSettings, newInvestor, operatorSession } from './support/people.ts'
import { fillRiskReason, openCase, valueFor } from './support/screens.ts'
import { expect, test } from './support/test.ts'

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }

test('a phone’s photograph is refused with a reason or sent with its progress, and survives a lost connection', async ({
  open,
  allowFault,
}) => {
  test.setTimeout(120_000)
  allowFault(/ERR_INTERNET_DISCONNECTED/)
  const { session } = await newInvestor({ kyc: 'none' })
  const page = await open(session, PHONE)
  await page.goto('/dashboard/kyc')
  const file = page.getByLabel('Sample picture', { exact: true })
  const submit = page.getByRole('button', { name: 'Submit for Review' })
  await expect(page.getByText('Choose a file')).toBeVisible()
  await expect(page.getByText('or drop one here')).toBeHidden()
  await expect(page.getByRole('combobox', { name: 'Verification method' }).getByRole('option')).toHaveText([
    'Passport',
  ])

  // Some phones send HEIC pictures without a MIME type.
  await file.setInputFiles({ name: 'IMG_4711.HEIC', mimeType: '', buffer: Buffer.alloc(3_000_000, 1) })
  await expect(file).toHaveAccessibleDescription(/HEIC pictures.* save it as a JPEG/)
  // Playwright hands the bytes to the browser, which takes a busy machine long.
  const patience = { timeout: 60_000 }
  await file.setInputFiles(
    { name: 'IMG_4712.JPG', mimeType: 'image/jpeg', buffer: Buffer.alloc(9_000_000) },
    patience,
  )
  await expect(file).toHaveAccessibleDescription(/larger than 8 MB/)

  await file.setInputFiles(largePicture('IMG_4713.png', 7.9), patience)
  await expect(page.getByRole('img', { name: 'Preview of the file' })).toBeVisible()
  await page.context().setOffline(true)
  await submit.click()
  await expect(page.getByText('We could not reach the server')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Remove IMG_4713.png' })).toBeVisible()
  await page.context().setOffline(false)

  const line = await page.context().newCDPSession(page)
  const speed = { offline: false, latency: 50, downloadThroughput: 4_000_000, uploadThroughput: 2_000_000 }
  await line.send('Network.emulateNetworkConditions', speed)
  await submit.click()
  await expect(page.getByText(/^Sending, [1-9]\d?%$/)).toBeVisible()
  const dialog = page.getByRole('dialog', { name: 'KYC Request Sent' })
  await expect(dialog.getByText('is awaiting review')).toBeVisible({ timeout: 30_000 })
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect(valueFor(page, 'Status')).toHaveText('Awaiting review')
  await expect(page.getByText('We tell you by mail when a reviewer has decided')).toBeVisible()
})

test('an investor sends a proof of address, reads why it was rejected, sends another, and a reviewer approves it', async ({
  open,
}) => {
  test.setTimeout(120_000)
  // More than anybody withdraws in other tests.
  await changeSettings({ addressProofAbove: 5_000_000 })
  try {
    const { session, email } = await newInvestor()
    const page = await open(session, PHONE)
    await page.goto('/dashboard/kyc')
    await expect(page.getByText('You can withdraw $5,000,000.00 more without it.')).toBeVisible()
    const send = async () => {
      await page.getByRole('combobox', { name: 'Kind of document' }).selectOption('Bank statement')
      await page.getByLabel('Sample picture', { exact: true }).setInputFiles(picture('statement.png'))
      await page.getByRole('button', { name: 'Submit for Review' }).click()
      const dialog = page.getByRole('dialog', { name: 'KYC Request Sent' })
      await dialog.getByRole('button', { name: 'Close' }).click()
      await expect(
        page.getByRole('heading', { name: 'Your proof of address is awaiting review' }),
      ).toBeVisible()
    }
    await send()
    await expectAccessible(page)

    const desk = await open(operatorSession('first'))
    await desk.goto('/operator')
    const first = await openCase(desk, 'KYC', email)
    await expect(valueFor(first, 'Address in the profile')).toHaveText('None')
    await desk.getByRole('button', { name: 'Reject document' }).click()
    await desk.getByLabel('Message to the investor').selectOption({ index: 1 })
    await desk.getByRole('button', { name: 'Reject the document' }).click()
    await expect(desk.getByText('They can send another picture.').last()).toBeVisible()

    await page.reload()
    await expect(page.getByText('Your proof of address was not accepted')).toBeVisible()
    await expect(page.getByText('older than three months. Please send a newer one')).toBeVisible()
    await send()

    await desk.goto('/operator')
    await unlockKey(await openCase(desk, 'KYC', email), 'Unlock and open')
    const statements = desk.getByRole('img', { name: /^Bank statement of/ })
    await expect(statements).toBeVisible({ timeout: 60_000 })
    await desk.getByRole('combobox', { name: 'Compare with' }).selectOption({ index: 1 })
    await expect(statements).toHaveCount(2)
    await desk.getByLabel('Issued on').fill(new Date().toISOString().slice(0, 10))
    await desk.getByRole('combobox', { name: 'Country' }).fill('Germany')
    const checks = desk.getByRole('group', { name: 'Check the document' }).getByRole('checkbox')
    for (const check of await checks.all()) await check.check()
    await expectAccessible(desk)
    await fillRiskReason(desk.getByRole('dialog'))
    await desk.getByRole('button', { name: /^Approve address of/ }).click()
    await expect(desk.getByText('can now withdraw any amount')).toBeVisible()

    await page.reload()
    await expect(page.getByRole('heading', { name: 'Your proof of address', exact: true })).toBeVisible()
    await expect(page.getByText('more without it')).toBeHidden()
  } finally {
    await changeSettings({ addressProofAbove: 0 })
  }
})

test('a rejection for good is confirmed once its second reviewer has opened the document', async ({
  open,
}) => {
  const { email } = await newInvestorWithDocument(open)
  const { token } = operatorSession('second')
  const query = encodeURIComponent(email)
  const [row] = await callApi<{ _id: string }[]>('GET', `/operator/kyc?query=${query}`, { token })
  await send('GET', `/operator/kyc/${row?._id}/document`, { token })
  await callApi('POST', `/operator/kyc/${row?._id}/reject`, {
    token,
    json: { reason: 'The document belongs to another person.', final: true },
  })
  const desk = await open(operatorSession('first'))
  await desk.goto('/operator')
  const opened = await openCase(desk, 'KYC', email)
  await expect(opened.getByText('Open the document to confirm the rejection for good.')).toBeVisible()
  const confirm = opened.getByRole('button', { name: 'Reject for good' })
  await expect(confirm).toBeHidden()
  await unlockKey(opened, 'Unlock and open')
  await confirm.click()
  await expect(desk.getByText('No other document is accepted.').last()).toBeVisible()
})
