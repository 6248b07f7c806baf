import type { Page } from '@playwright/test'
import { picture } from '../support/picture.ts'
import { expectAccessible, waitForLoaded } from './support/accessibility.ts'
import { callApi } from './support/http.ts'
import { fileDeposit, newInvestor, operatorSession, PASSWORD, type Session } from './support/people.ts'
import {
  BITCOIN_ADDRESS,
  confirmByMail,
  fillBankForm,
  fillDepositForm,
  fillQuantity,
  fillSignIn,
  openCase,
} from './support/screens.ts'
import { expect, test } from './support/test.ts'

test.describe('axe finds no violation in', () => {
  test('an empty sign-up form with its errors', async ({ page }) => {
    await page.goto('/sign-up')
    await page.getByRole('button', { name: 'Create an account' }).click()
    await expect(page.getByText('Email is required')).toBeVisible()
    await expectAccessible(page)
  })

  test('a sign-in that needs a code', async ({ page }) => {
    await page.goto('/sign-in?next=%2Fdashboard%2Fkyc')
    await fillSignIn(page, operatorSession('first').email)
    await expect(page.getByLabel('Authentication code')).toBeVisible()
    await page.getByRole('button', { name: 'Sign in' }).click()
    await expect(page.getByLabel('Authentication code')).toHaveAttribute('aria-invalid', 'true')
    await expectAccessible(page)
  })

  test('choosing a new password', async ({ page }) => {
    await page.goto('/change-password?email=ana%40example.com&token=some-token')
    await page.getByLabel('New password', { exact: true }).fill(PASSWORD)
    await page.getByLabel('Confirm new password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Change Password' }).click()
    await expect(page.getByRole('link', { name: 'Request a new link' })).toBeVisible()
    await expectAccessible(page)
  })

  test('a deposit form and its confirmation', async ({ open }) => {
    const { session } = await newInvestor()
    const page = await open(session)
    await page.goto('/dashboard/deposit')
    await fillDepositForm(page, 'USDT', '20')
    await page.getByRole('button', { name: 'Send Deposit Request' }).click()
    await expect(page.getByText('Please upload the receipt of your payment')).toBeVisible()
    await page.getByRole('radio', { name: 'TRON (TRC-20)' }).check()
    await expect(page.getByText(/20 USDT$/)).toBeVisible()
    await expectAccessible(page)
    await page.getByLabel('Receipt', { exact: true }).setInputFiles(picture('receipt.png'))
    await page.getByRole('button', { name: 'Send Deposit Request' }).click()
    await expect(page.getByRole('dialog', { name: 'Deposit Request Completed' })).toBeVisible()
    await expectAccessible(page)
  })

  test('a withdrawal form, its extra proof and its confirmation', async ({ open }) => {
    const { email, session } = await newInvestor({ available: 90 })
    const page = await open(session)
    await page.goto('/dashboard/withdrawal')
    await page.getByRole('radio', { name: 'USDT' }).check()
    await page.getByLabel('Withdrawal address').fill(BITCOIN_ADDRESS)
    await page.getByRole('button', { name: 'Send Withdrawal Request' }).click()
    await expect(page.getByText('Please choose a network')).toBeVisible()
    await expectAccessible(page)
    await fillBankForm(page, '60')
    await page.getByLabel('Surname').fill('')
    await page.getByRole('button', { name: 'Send Withdrawal Request' }).click()
    await expect(page.getByText('Please provide surname')).toBeVisible()
    await expectAccessible(page)
    await page.getByLabel('Surname').fill('Torres')
    await page.getByRole('button', { name: 'Send Withdrawal Request' }).click()
    await expect(page.getByRole('dialog', { name: 'Confirm this withdrawal' })).toBeVisible()
    await expectAccessible(page)
    await confirmByMail(page, email)
    await expect(page.getByRole('dialog', { name: 'Withdrawal Request Completed' })).toBeVisible()
    await expectAccessible(page)
  })

  test('an empty history, a request, and the question before cancelling it', async ({ open }) => {
    const { session } = await newInvestor()
    const page = await open(session)
    await page.goto('/dashboard/transaction-history')
    await expect(page.getByText('You currently do not have any transaction history')).toBeVisible()
    await expectAccessible(page)
    await fileDeposit(session.token, 12.34)
    await page.reload()
    await page.getByRole('row').filter({ hasText: '$12.34' }).getByRole('button').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel this request' }).click()
    await expect(page.getByText('Cancel this deposit request?')).toBeVisible()
    await expectAccessible(page)
  })

  for (const kyc of ['none', 'pending', 'rejected'] as const) {
    test(`the KYC and withdrawal pages with identity status ${kyc}`, async ({ open }) => {
      const { session } = await newInvestor({ kyc })
      const page = await open(session)
      await page.goto('/dashboard/kyc')
      await waitForLoaded(page)
      if (kyc !== 'pending') {
        await page.getByLabel('Sample picture', { exact: true }).setInputFiles(picture('tiny.png', 8, 8))
        await page.getByRole('button', { name: 'Submit for Review' }).click()
        await expect(page.getByText('This picture is too small.')).toBeVisible()
      }
      await expectAccessible(page)
      await page.goto('/dashboard/withdrawal')
      await waitForLoaded(page)
      await expectAccessible(page)
    })
  }

  test('the menus', async ({ open }) => {
    const { name, session } = await newInvestor()
    const page = await open(session)
    await page.goto('/dashboard/overview')
    await page.getByRole('button', { name }).click()
    await expect(page.getByText(session.email)).toBeVisible()
    await expectAccessible(page)
    await page.goto('/')
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('button', { name: 'Open the menu' }).click()
    await expect(page.getByRole('navigation', { name: 'Menu' })).toBeVisible()
    await expectAccessible(page)
  })

  test('an operator’s view of a document and its rejection', async ({ open }) => {
    const { email } = await newInvestor({ kyc: 'pending' })
    const page = await openConsole(open)
    const dialog = await openCase(page, 'KYC', email)
    await dialog.getByRole('button', { name: 'Open document' }).click()
    await expect(dialog.getByRole('img', { name: /^Passport of/ })).toHaveJSProperty('naturalWidth', 48)
    await dialog.getByRole('button', { name: 'Reject document' }).click()
    await dialog.getByRole('button', { name: 'Reject the document' }).click()
    const message = dialog.getByRole('combobox', { name: 'Message to the investor' })
    await expect(message).toHaveAttribute('aria-invalid', 'true')
    await expectAccessible(page)
    await message.selectOption('The document has expired.')
    await expect(dialog.getByText('is rejected. They can send another picture.')).toBeVisible()
    await expectAccessible(page)
  })

  test('an operator’s credit of a deposit', async ({ open }) => {
    const { email, session } = await newInvestor()
    await fileDeposit(session.token, 12000)
    const page = await openConsole(open)
    const dialog = await openCase(page, 'Deposits', email)
    await expect(dialog.getByRole('img', { name: /^Receipt of/ })).toHaveJSProperty('naturalWidth', 48)
    await dialog.getByRole('button', { name: 'Propose credit of $12,000.00' }).click()
    await expect(dialog.getByLabel('Transaction id on the network')).toHaveAttribute('aria-invalid', 'true')
    await expectAccessible(page)
    await dialog.getByLabel('Transaction id on the network').fill('5f'.repeat(32))
    await fillQuantity(dialog, 12000)
    await expect(dialog.getByText('A second operator is needed')).toBeVisible()
    await expectAccessible(page)
  })

  test('an investor’s page in the console', async ({ open }) => {
    const { email } = await newInvestor({ name: 'Nadia Notified', available: 10 })
    const page = await open(operatorSession('first'))
    await page.goto(`/operator/investors?query=${encodeURIComponent(email)}`)
    await page.getByRole('row').filter({ hasText: email }).getByRole('link').click()
    const file = page.getByRole('article')
    await expect(file.getByText('$10.00').first()).toBeVisible()
    await expectAccessible(page)
    for (const name of ['Ledger', 'Documents', 'Notifications']) {
      await file.getByRole('tab', { name }).click()
      await expect(file.getByRole('tabpanel').getByRole('status')).toHaveCount(0)
      if (name !== 'Notifications') await expectAccessible(page)
    }
    await file.getByRole('button', { name: 'Write a notification' }).click()
    await file.getByRole('textbox', { name: 'Content' }).fill('<b>Hello</b>')
    await expect(file.getByRole('region', { name: 'Preview' }).getByText('Hello')).toBeVisible()
    await expectAccessible(page)
  })

  test('every form for a proposal', async ({ open }) => {
    const page = await open(operatorSession('first'))
    await page.goto('/operator/proposals')
    await page.getByRole('button', { name: 'Propose something' }).click()
    const kinds = page.getByRole('group', { name: 'What to propose' }).getByRole('radio')
    // `all` does not wait.
    await expect(kinds).not.toHaveCount(0)
    for (const kind of await kinds.all()) {
      await kind.check()
      await expectAccessible(page)
    }
  })

  test('a message to support', async ({ open }) => {
    const text = `How do I cancel? ${Date.now()}`
    await callApi('POST', '/contact-us', {
      json: { name: 'Vera Visitor', email: 'vera@example.com', message: text },
    })
    const page = await openConsole(open)
    const dialog = await openCase(page, 'Messages', text)
    await expect(dialog.getByText(text)).toBeVisible()
    await expectAccessible(page)
  })
})

async function openConsole(open: (session: Session) => Promise<Page>): Promise<Page> {
  const page = await open(operatorSession('first'))
  await page.goto('/operator')
  return page
}
