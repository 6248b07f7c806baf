import { DAY_MS } from '../../src/time.ts'
import { segwitSigner } from '../support/signers.ts'
import { expectAccessible } from './support/accessibility.ts'
import { saveAddress } from './support/addressBook.ts'
import { authenticatorCode } from './support/authenticator.ts'
import { waitForMail } from './support/mailbox.ts'
import { newInvestor, operatorSession, PASSWORD, turnOnSecondFactorLongAgo } from './support/people.ts'
import {
  BITCOIN_ADDRESS,
  confirmAddress,
  confirmByApp,
  confirmByMail,
  fillRiskReason,
  openCase,
  valueFor,
  withdrawBitcoin,
} from './support/screens.ts'
import { expect, test } from './support/test.ts'

const OTHER_ADDRESS = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'

test('a withdrawal to a new destination confirmed by mail is delayed, and everybody sees until when and why', async ({
  open,
}) => {
  const { email, session } = await newInvestor({ available: 500 })
  const page = await open(session)
  await page.goto('/dashboard/withdrawal')
  const before = page.getByRole('region', { name: 'Before you send it' })
  await expect(page.getByRole('region', { name: 'What happens next' })).toContainText(/typical time|within/)
  await withdrawBitcoin(page, '100')
  await expect(valueFor(before, 'Paid at the earliest')).toContainText('because the destination is new')
  await expect(valueFor(before, 'In BTC today')).toContainText(/^About 0\.0\d+ BTC, at \$/)
  await expect(page.getByRole('dialog', { name: 'Confirm this withdrawal' })).toContainText(
    /The destination is new, so it is paid .+ at the earliest/,
  )
  await confirmByMail(page, email)
  const completed = page.getByRole('dialog', { name: 'Withdrawal Request Completed' })
  await expect(completed).toContainText(/paid on .+ at the earliest, because its destination is new/)
  const until = await completed.getByRole('time').getAttribute('datetime')
  expect(Math.abs(Date.parse(until ?? '') - Date.now() - DAY_MS)).toBeLessThan(120_000)
  await expect(completed.getByText('confirm with a second factor does not wait')).toBeVisible()
  await expectAccessible(page)
  await completed.getByRole('link', { name: 'in your profile' }).click()
  await expect(page).toHaveURL('/dashboard/profile#security')

  await page.goto('/dashboard/transaction-history')
  const own = page.getByRole('row').filter({ hasText: '−$100.00' })
  await expect(own).toContainText('Not paid before')
  await own.getByRole('button').click()
  const detail = page.getByRole('dialog', { name: 'Withdrawal' })
  await expect(detail.getByText('On hold')).toBeVisible()
  await expect(valueFor(detail, 'Not paid before').getByRole('time')).toHaveAttribute('datetime', until ?? '')

  const operator = await open(operatorSession('first'))
  await operator.goto('/operator')
  const opened = await openCase(operator, 'Withdrawals', email)
  await expect(valueFor(opened, 'Payable from')).toContainText('confirmed by e-mail only')
  await expect(opened.getByText('You can approve it now. It can be paid from')).toBeVisible()
  await fillRiskReason(opened)
  await opened.getByRole('button', { name: 'Approve payout of $100.00' }).click()
  await expect(opened.getByText(/can be paid to .* from/)).toBeVisible()
  await opened.getByRole('button', { name: 'Close', exact: true }).last().click()
  // It is listed as delayed, and not among what is to be paid.
  const payable = operator.waitForResponse((response) => response.url().includes('hold=payable'))
  await operator.getByRole('radio', { name: 'To be paid' }).check()
  await payable
  await expect(operator.getByRole('row').filter({ hasText: email })).toHaveCount(0)
  await operator.getByRole('radio', { name: 'Delayed' }).check()
  const row = operator.getByRole('row').filter({ hasText: email })
  await expect(row.getByText('Payable from')).toBeVisible()
  await row.getByRole('button').click()
  await expect(opened.getByText('Delayed: do not pay it yet')).toBeVisible()
  await expect(opened.getByText('You can record the payment after the delay.')).toBeVisible()
  await expect(opened.getByRole('button', { name: /^Record payment/ })).toHaveCount(0)
  await expectAccessible(operator)
})

test('an address that was used is saved under a name, chosen again, renamed and deleted', async ({
  open,
}) => {
  const { email } = await newInvestor({ available: 900 })
  const { secret, session } = await turnOnSecondFactorLongAgo(email)
  const page = await open(session)
  await page.goto('/dashboard/withdrawal')
  await withdrawBitcoin(page, '10')
  await confirmByApp(page, authenticatorCode(0, secret))
  const completed = page.getByRole('dialog', { name: 'Withdrawal Request Completed' })
  await expect(completed.getByText('at the earliest')).toHaveCount(0)
  const name = completed.getByRole('textbox', { name: 'Save this address as' })
  await completed.getByRole('button', { name: 'Save Address' }).click()
  await expect(name).toHaveAccessibleDescription(/Please give the address a name/)
  await name.fill('Cold wallet')
  await expectAccessible(page)
  await completed.getByRole('button', { name: 'Save Address' }).click()
  // A stolen session must not choose whom the owner pays.
  await expect(page.getByText('Your address book decides whom you pay.')).toBeVisible()
  await expect(
    page.getByRole('dialog', { name: 'Confirm this address' }).getByText(BITCOIN_ADDRESS),
  ).toBeVisible()
  await expectAccessible(page)
  await confirmAddress(page, email)
  await expect(completed.getByText('Saved as “Cold wallet”')).toBeVisible()
  expect((await waitForMail(email, /^Your address book was changed$/)).text).toContain(BITCOIN_ADDRESS)
  await completed.getByRole('button', { name: 'Close' }).click()

  const token = session.token
  const other = { label: 'Old exchange', type: 'bitcoin', network: 'btc', address: OTHER_ADDRESS }
  await saveAddress({ email, token }, other)
  await page.reload()
  const choice = page.getByRole('combobox', { name: 'Saved address' })
  const address = page.getByRole('textbox', { name: 'Withdrawal address' })
  await page.getByRole('radio', { name: 'Ethereum' }).check()
  await expect(page.getByRole('button', { name: 'Manage saved addresses' })).toBeVisible()
  await expect(choice).toHaveCount(0)
  await page.getByRole('radio', { name: 'Bitcoin' }).check()
  await choice.selectOption({ label: 'Cold wallet (bc1qw508…v8f3t4)' })
  await expect(address).toHaveValue(BITCOIN_ADDRESS)
  await address.fill('something else')
  await expect(choice).toHaveValue('')
  await choice.selectOption({ label: 'Old exchange (1A1zP1eP…DivfNa)' })
  await expect(address).toHaveValue(OTHER_ADDRESS)

  await page.getByRole('button', { name: 'Manage saved addresses' }).click()
  const book = page.getByRole('dialog', { name: 'Saved addresses' })
  await expect(book.getByText(BITCOIN_ADDRESS)).toBeVisible()
  await expectAccessible(page)
  await book.getByRole('button', { name: 'Rename Old exchange' }).click()
  await book.getByRole('textbox', { name: 'Name' }).fill('cold WALLET')
  await book.getByRole('button', { name: 'Save Name' }).click()
  await expect(book.getByText('You already use this name for another address')).toBeVisible()
  await book.getByRole('textbox', { name: 'Name' }).fill('New exchange')
  await book.getByRole('button', { name: 'Save Name' }).click()
  await confirmAddress(page, email, 2)
  await expect(book.getByText('New exchange')).toBeVisible()
  await book.getByRole('button', { name: 'Delete Cold wallet' }).click()
  await expect(book.getByRole('listitem')).toHaveCount(1)
  await book.getByRole('button', { name: 'Close' }).click()
  await expect(choice.getByRole('option')).toHaveText([
    'None, I will type it',
    'New exchange (1A1zP1eP…DivfNa)',
  ])

  // A saved address that was never paid to is still a new destination.
  await page.getByRole('textbox', { name: 'Amount in USD' }).fill('20')
  await page.getByRole('button', { name: 'Send Withdrawal Request' }).click()
  await expect(
    page.getByText('You have not confirmed a withdrawal to this destination before.'),
  ).toBeVisible()
  await confirmByMail(page, email, 1)
  await expect(completed).toBeVisible()
  await expect(completed.getByText('Save this address as')).toHaveCount(0)
})

test('on a phone: only saved destinations, an address saved under it, and its proof by a signature', async ({
  open,
}) => {
  const { email, session } = await newInvestor({ available: 500 })
  const page = await open(session, { viewport: { width: 390, height: 844 } })
  await page.goto('/dashboard/profile#security')
  await page.getByRole('button', { name: 'Switch On Now' }).click()
  await expect(page.getByRole('button', { name: 'Switch Off in 48 Hours' })).toBeVisible()
  await expectAccessible(page)

  const mine = segwitSigner('a wallet of the browser test')
  await page.goto('/dashboard/withdrawal')
  await expect(page.getByText('your withdrawals go only to your saved addresses')).toBeVisible()
  await withdrawBitcoin(page, '100', mine.address)
  await expect(page.getByText('Save this address first: you can use it 48 hours later.')).toBeVisible()
  await page.getByRole('textbox', { name: 'Save this address as' }).fill('Cold wallet')
  await page.getByRole('button', { name: 'Save Address' }).click()
  await confirmAddress(page, email)
  await expect(page.getByText('You can use it from')).toBeVisible()
  await expectAccessible(page)

  await page.reload()
  await page.getByRole('radio', { name: 'Bitcoin' }).check()
  await page.getByRole('button', { name: 'Manage saved addresses' }).click()
  const book = page.getByRole('dialog', { name: 'Saved addresses' })
  await book.getByRole('button', { name: 'Prove It Is Yours: Cold wallet' }).click()
  const message = await book
    .getByText(/: investor .+ owns bc1q/)
    .first()
    .innerText()
  await expectAccessible(page)
  const signature = book.getByRole('textbox', { name: 'Signature' })
  await book.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await signature.fill(mine.sign('another message'))
  await book.getByRole('button', { name: 'Check Signature' }).click()
  await expect(book.getByText('This signature does not match the message and the address')).toBeVisible()
  await signature.fill(mine.sign(message.trim()))
  await book.getByRole('button', { name: 'Check Signature' }).click()
  await expect(book.getByText('Proved as yours')).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)

  await page.goto('/dashboard/profile#security')
  await page.getByRole('button', { name: 'Switch Off in 48 Hours' }).click()
  const dialog = page.getByRole('dialog', { name: 'Switch off “only saved destinations”?' })
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await dialog.getByRole('button', { name: 'Switch Off in 48 Hours' }).click()
  await expect(page.getByText('This will be switched off')).toBeVisible()
  expect((await waitForMail(email, /will be switched off$/)).text).toContain('/lock-account')
  await page.getByRole('button', { name: 'Keep It On' }).click()
  await expect(page.getByRole('button', { name: 'Switch Off in 48 Hours' })).toBeVisible()
})
