import { expect, type Locator, type Page } from '@playwright/test'
import { picture } from '../../support/picture.ts'
import { type Investor, newInvestor, type Session } from './people.ts'

/** The passphrase of both seeded operators' reviewer keys. */
export const PASSPHRASE = 'sample passphrase of development'

/** Submits a document on /dashboard/kyc. */
export async function submitDocument(page: Page, name = 'passport.png'): Promise<void> {
  await page.getByLabel('Sample picture').setInputFiles(picture(name))
  await page.getByRole('button', { name: 'Submit for Review' }).click()
  await expect(page.getByRole('dialog', { name: 'KYC Request Sent' })).toBeVisible()
}

/** Creates an investor whose document was encrypted in the browser and awaits review. */
export async function newInvestorWithDocument(open: (session: Session) => Promise<Page>): Promise<Investor> {
  const investor = await newInvestor({ kyc: 'none' })
  const page = await open(investor.session)
  await page.goto('/dashboard/kyc')
  await submitDocument(page)
  await page.close()
  return investor
}

/** Enters the passphrase of a reviewer key. */
export async function unlockKey(
  place: Page | Locator,
  button: string,
  passphrase = PASSPHRASE,
): Promise<void> {
  await place.getByLabel('Passphrase of your key', { exact: true }).fill(passphrase)
  await place.getByRole('button', { name: button, exact: true }).click()
}
