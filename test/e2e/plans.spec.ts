import { readFile } from 'node:fs/promises'
import { expectAccessible } from './support/accessibility.ts'
import { saveAddress } from './support/addressBook.ts'
import { callApi } from './support/http.ts'
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
  await page.getByRole('main').getByRole('link', { name: 'recurring plans', exact: true }).click()
  await expect(page.getByText('No recurring plans yet')).toBeVisible()
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
  const row = page.getByRole('table', { name: 'Your recurring plans' }).getByRole('row').nth(1)
  await expect(row).toContainText('Invest $150.00 in Even Basket')
  await expectAccessible(page)
  await row.getByRole('button').click()
  await page.getByRole('button', { name: 'End plan' }).click()
  await page.getByRole('button', { name: 'End It For Good' }).click()
  await expect(valueFor(page, 'State')).toHaveText('Ended')
  await expect(page.getByRole('button', { name: 'Change' })).toHaveCount(0)
})

test('a plan that withdraws keeps what was typed, takes a proof when it is made, and stops with its address', async ({
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
  await page.route('**/api/v1/allocations', (route) =>
    route.fulfill({ json: [{ strategy: 'even-basket', name: 'Even Basket', units: 1 }] }),
  )
  await page.goto('/dashboard/plans?new=yes')
  await page.getByRole('radio', { name: /^Withdraw an amount/ }).check()
  const form = page.getByRole('form', { name: 'New plan' })
  await form.getByRole('textbox', { name: 'Amount in USD' }).fill('200')
  await form.getByRole('combobox', { name: 'Saved address' }).selectOption({ index: 1 })
  await form.getByRole('combobox', { name: /^If too little is available/ }).selectOption('even-basket')
  const does = /Withdraw \$200\.00 to .*Cold wallet.*, redeeming what is missing from Even Basket/
  await expect(form.getByRole('listitem').first()).toContainText(does)
  await expect(form).toContainText('It becomes smaller if the price falls until then, and never larger.')
  await page.reload()
  await expect(form).toContainText('We restored what you typed here.')
  await expect(form.getByRole('listitem').first()).toContainText(does)
  await expectAccessible(page)
  await form.getByRole('button', { name: 'Make Plan' }).click()
  const proof = page.getByRole('dialog', { name: 'Confirm this plan' })
  await expect(proof).toContainText(/Withdraw \$200\.00 on the 1st of each month, to .*Cold wallet/)
  await expect(proof).toContainText('This plan pays out regularly.')
  await expectAccessible(page)
  const mail = await waitForMail(email, /^Confirm your recurring plan$/)
  await proof.getByRole('textbox', { name: 'Code' }).fill(codeIn(mail))
  await proof.getByRole('button', { name: 'Confirm Plan' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    'Withdraw $200.00 on the 1st of each month',
  )
  await expect(valueFor(page, 'Destination')).toContainText(BITCOIN_ADDRESS)
  await expect(valueFor(page, 'If too little is available')).toHaveText(
    'Redeem what is missing from Even Basket',
  )
  const plan = page.url()

  await page.goto('/dashboard/withdrawal')
  await page.getByRole('radio', { name: 'Bitcoin' }).check()
  await page.getByRole('button', { name: 'Manage saved addresses' }).click()
  const book = page.getByRole('dialog', { name: 'Saved addresses' })
  await book.getByRole('button', { name: /^Delete .*Cold wallet/ }).click()
  await expect(book).toContainText('A recurring plan pays to it')
  await expect(book).toContainText('If you delete this address, the plan is paused.')
  await expectAccessible(page)
  await book.getByRole('button', { name: 'Delete and Pause' }).click()
  await expect(book).toContainText('No saved addresses yet.')
  await page.goto(plan)
  await expect(valueFor(page, 'State')).toContainText('Its saved address was deleted.')
  await page.getByRole('button', { name: 'Resume' }).click()
  await expect(page.getByRole('form', { name: 'Resume' })).toContainText('Choose another one')
})

test('the dates of a plan say that the amount got smaller, or why nothing moved, and orders name their plan', async ({
  open,
}) => {
  const { session } = await newInvestor({ available: 500 })
  const schedule = { rhythm: 'monthly', starts: '2026-01-01', zone: 'UTC' }
  const json = { kind: 'invest', amount: 100, strategy: 'even-basket', schedule }
  const { plan } = await callApi<{ plan: { _id: string } }>('POST', '/plans', { token: session.token, json })
  const date = { at: '2026-01-01T09:00:00.000Z', announcedAt: null, decidedAt: null, redemption: null }
  const none = { ...date, announced: 100, ref: null, amount: null, reason: null }
  const runs = [
    { ...none, on: '2026-03-01', status: 'done', ref: 'WDR-SMALLER1', amount: 60 },
    { ...none, on: '2026-02-01', status: 'failed', reason: 'That is more than what is available.' },
    { ...none, on: '2026-01-01', status: 'done', ref: 'RDM-FIRST001', redemption: 'pending' },
  ]
  const page = await open(session, PHONE)
  await page.route(`**/api/v1/plans/${plan._id}`, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), runs } })
  })
  await page.goto(`/dashboard/plans?plan=${plan._id}`)
  const dates = page.getByRole('table', { name: /^Dates of this plan/ }).getByRole('row')
  await expect(dates.nth(1)).toContainText(/\$60\.00.*Done, smaller than announced/)
  await expect(dates.nth(2)).toContainText(/Did not run.*That is more than what is available\./)
  await expect(dates.nth(3)).toContainText('Redeeming, then withdrawing')
  await expectAccessible(page)

  const order = await callApi<{ ref: string }>('POST', '/allocations', {
    token: session.token,
    json: { strategy: 'even-basket', amount: 50 },
  })
  await page.route('**/api/v1/allocations/orders*', async (route) => {
    const response = await route.fetch()
    const orders: object[] = await response.json()
    await route.fulfill({ response, json: orders.map((filed) => ({ ...filed, plan: plan._id })) })
  })
  await page.goto(`/dashboard/transaction-history?open=${order.ref}`)
  await page.getByRole('dialog').getByRole('link', { name: 'Your recurring plan' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Invest \$100\.00 in Even Basket/)
})

test('a deposit can only be remembered, and a strategy leads to a plan for it', async ({ open }) => {
  const page = await open((await newInvestor()).session, PHONE)
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
  await page.getByRole('link', { name: 'With a recurring plan' }).click()
  await expect(page.getByRole('combobox', { name: 'Strategy' })).toHaveValue('even-basket')
})
