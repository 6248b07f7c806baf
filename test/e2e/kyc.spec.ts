import { expectAccessible } from './support/accessibility.ts'
import { newInvestor } from './support/people.ts'
import { largePicture } from './support/picture.ts'
import { valueFor } from './support/screens.ts'
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
  await file.setInputFiles({ name: 'IMG_4712.JPG', mimeType: 'image/jpeg', buffer: Buffer.alloc(9_000_000) })
  await expect(file).toHaveAccessibleDescription(/larger than 8 MB/)

  await file.setInputFiles(largePicture('IMG_4713.png', 7.9))
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
