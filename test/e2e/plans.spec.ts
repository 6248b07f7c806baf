import { readFile } from 'node:fs/promises'
import { expectAccessible } from './support/accessibility.ts'
import { saveAddress } from './support/addressBook.ts'
import { codeIn, waitForMail } from './support/mailbox.ts'
import { newInvestor } from './support/people.ts'
import { BITCOIN_ADDRESS, valueFor } from './support/screens.ts'
import { expect, test } from './support/test.ts'

const PHONE = { viewport: { width: 390, height: 844 } }

test('a plan that invests is previewed, made, skipped once, paused, resumed, changed and ended', async ({
  open,
}) => {
  const { session } = await newInvestor({ available: 500 })
  const page = await open(session, PHONE)
  await page.goto('/dashboard/strategies')
  await page.getByRole('main').getByRole('link', { name: 'plans', exact: true }).click()
  await expect(page.getByText('No plans yet')).toBeVisible()
  await expectAccessible(page)

  await page.getByRole('button', { name: 'New plan' }).click()
  const form = page.getByRole('form', { name: 'New plan' })
  await form.getByRole('button', { name: 'Make Plan' }).click()
  await expect(form.getByText('Please choose a strategy')).toBeVisible()
  await expect(form.getByText('Please confirm that you know what could be lost')).toBeVisible()
  await form.getByRole('textbox', { name: 'Amount in USD' }).fill('100')
  await form.getByRole('combobox', { name: 'Strategy' }).selectOption('Even Basket')
  await form.getByLabel('First date').fill('2026-01-31')
  await form.getByRole('checkbox', { name: 'On the last day of each month' }).check()
  const preview = form.getByRole('region', { name: 'The next three dates' })
  await expect(preview).toContainText('on the last day of each month')
  await expect(preview.getByRole('listitem')).toHaveCount(3)
  await expect(preview.getByRole('listitem').first()).toContainText('Invest $100.00 in Even Basket')
  await expect(preview).toContainText('At 9:00 in your time zone')
  // Never one line alone: bad, middle and good stand together, with the worst year first.
  await expect(form).toContainText(/In a year like the worst of the test, 2023, \$1,200 paid in/)
  await expect(form.getByRole('img', { name: /Bad: \$[\d,]+.* Middle: \$[\d,]+.* Good: \$/ })).toBeVisible()
  await expect(form).toContainText('Simulated, not a forecast.')
  await form.getByText('As a table').click()
  await expect(
    form.getByRole('table', { name: 'What the plan could be worth' }).getByRole('row'),
  ).toHaveCount(6)
  await form.getByRole('checkbox', { name: /^I know that I could lose/ }).check()
  await expectAccessible(page)
  await form.getByRole('button', { name: 'Make Plan' }).click()

  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    'Invest $100.00 in Even Basket on the last day of each month',
  )
  await expect(valueFor(page, 'State')).toHaveText('Active')
  await expectAccessible(page)
  const dates = valueFor(page, 'Next dates').getByRole('listitem')
  const second = await dates.nth(1).innerText()
  await page.getByRole('button', { name: /^Skip / }).click()
  await expect(dates.first()).toHaveText(second)
  await expect(page.getByRole('table', { name: /^Dates of this plan/ })).toContainText('Skipped')
  await page.getByRole('button', { name: 'Pause' }).click()
  await expect(valueFor(page, 'State')).toHaveText('Paused')
  await page.getByRole('button', { name: 'Resume' }).click()
  await expect(valueFor(page, 'State')).toHaveText('Active')
  await page.getByRole('button', { name: 'Change', exact: true }).click()
  const change = page.getByRole('dialog', { name: 'Change this plan' })
  await change.getByRole('textbox', { name: 'Amount in USD' }).fill('150')
  await expect(change.getByRole('listitem').first()).toContainText('Invest $150.00 in Even Basket')
  await expectAccessible(page)
  await change.getByRole('button', { name: 'Save Changes' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Invest \$150\.00/)

  await page.getByRole('button', { name: 'All plans' }).click()
  const row = page.getByRole('table', { name: 'Your plans' }).getByRole('row').nth(1)
  await expect(row).toContainText('Invest $150.00 in Even Basket')
  await expectAccessible(page)
  await row.getByRole('button').click()
  await page.getByRole('button', { name: 'End plan' }).click()
  await page.getByRole('button', { name: 'End It For Good' }).click()
  await expect(valueFor(page, 'State')).toHaveText('Ended')
  await expect(page.getByRole('button', { name: 'Change' })).toHaveCount(0)
})

test('a plan that withdraws takes a proof when it is made, and a deposit can only be remembered', async ({
  open,
}) => {
  const { email, session } = await newInvestor({ available: 500 })
  await saveAddress(session, {
    label: 'Cold wallet',
    type: 'bitcoin',
    network: 'btc',
    address: BITCOIN_ADDRESS,
  })
  const page = await open(session, PHONE)
  await page.goto('/dashboard/plans?new=yes')
  await page.getByRole('radio', { name: /^Withdraw an amount/ }).check()
  const form = page.getByRole('form', { name: 'New plan' })
  await form.getByRole('textbox', { name: 'Amount in USD' }).fill('200')
  await form.getByRole('combobox', { name: 'Saved address' }).selectOption({ index: 1 })
  await expect(form.getByRole('listitem').first()).toContainText(/Withdraw \$200\.00 to .*Cold wallet/)
  await form.getByRole('button', { name: 'Make Plan' }).click()
  const proof = page.getByRole('dialog', { name: 'Confirm this plan' })
  await expect(proof).toContainText(/Withdraw \$200\.00 on the 1st of each month, to .*Cold wallet/)
  await expect(proof).toContainText('This plan pays out regularly.')
  await expectAccessible(page)
  const mail = await waitForMail(email, /^Confirm your plan$/)
  await proof.getByRole('textbox', { name: 'Code' }).fill(codeIn(mail))
  await proof.getByRole('button', { name: 'Confirm Plan' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    'Withdraw $200.00 on the 1st of each month',
  )
  await expect(valueFor(page, 'Destination')).toContainText(BITCOIN_ADDRESS)

  await page.goto('/dashboard/plans?new=yes')
  await page.getByRole('radio', { name: /^Remind me to deposit/ }).check()
  const reminder = page.getByRole('form', { name: 'Deposit reminder' })
  await expect(reminder).toContainText('We cannot pull coins from your wallet.')
  await reminder.getByRole('textbox', { name: 'Amount in USD' }).fill('250')
  await expectAccessible(page)
  const download = page.waitForEvent('download')
  await reminder.getByRole('button', { name: 'Save Calendar File' }).click()
  const text = await readFile(await (await download).path(), 'utf8')
  expect(text).toContain('SUMMARY:Deposit $250.00 to ')
  expect(text).toContain('RRULE:FREQ=MONTHLY;BYMONTHDAY=1')

  await page.goto('/dashboard/strategies?strategy=even-basket')
  await page.getByRole('link', { name: 'With a plan' }).click()
  await expect(page.getByRole('combobox', { name: 'Strategy' })).toHaveValue('even-basket')
})
