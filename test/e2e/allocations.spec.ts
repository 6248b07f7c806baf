import { expectAccessible } from './support/accessibility.ts'
import { callApi, timeHeader } from './support/http.ts'
import { waitForMail } from './support/mailbox.ts'
import { createSession, newInvestor, PASSWORD } from './support/people.ts'
import { BANK_TEXTS, BITCOIN_ADDRESS, confirmByMail, fillBankFields, valueFor } from './support/screens.ts'
import { expect, test } from './support/test.ts'

test('the list has the figures of the public pages, opens what evidence means in place, and lays curves over each other', async ({
  open,
}) => {
  const page = await open((await newInvestor()).session, { viewport: { width: 390, height: 844 } })
  await page.goto('/dashboard/strategies')
  const rows = page
    .getByRole('table', { name: /^All strategies/ })
    .getByRole('row')
    .filter({ has: page.getByRole('button') })
  await expect(rows).toHaveCount(8)
  expect((await rows.first().boundingBox())?.y).toBeLessThanOrEqual(360)
  const words = await page.getByRole('main').innerText()
  for (const word of [/luck/gi, /drawdown/gi]) expect(words.match(word)?.length ?? 0).toBeLessThanOrEqual(5)
  await expectAccessible(page)

  for (const width of [700, 768, 900, 1024]) {
    await page.setViewportSize({ width, height: 800 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth), `${width} px`).toBe(width)
  }
  await page.setViewportSize({ width: 1280, height: 800 })
  for (const row of await rows.all()) {
    const slug = await row.locator('[data-row]').getAttribute('data-row')
    const html = await (await page.request.get(`/strategies/${slug}/simulated`)).text()
    const published = ['x1-maximumDrawdown', 'became', 'held-became'].map(
      (key) => new RegExp(`data-figure="${key}"[^>]*>([^<]+)<`).exec(html)?.[1],
    )
    expect((await row.getByRole('cell').allInnerTexts()).slice(2, 5), `${slug}`).toEqual(published)
  }
  await rows.nth(1).getByRole('button', { name: 'Evidence: Weak' }).click()
  await expect(page.getByText('Assume that its figures are chance.')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL('/dashboard/strategies')

  for (const name of ['Slow Trend', 'Buy and Hold', 'Even Keel'])
    await page.getByRole('checkbox', { name: `Compare ${name}` }).check()
  await expect(page.getByRole('checkbox', { name: 'Compare Breakout' })).toBeDisabled()
  await expect(page.getByText('3 chosen, the most')).toBeVisible()
  await page.getByRole('button', { name: 'Compare', exact: true }).click()
  const compared = page.getByRole('dialog', { name: 'Side by side' })
  await expect(compared).toContainText(/\$1,000 in each on Jul\s19,\s2020/)
  await compared.getByRole('slider', { name: 'Day' }).press('Home')
  await expect(compared).toContainText(
    /Jul\s19,\s2020: \$1,000\.00, at its highest, Buy and Hold \$1,000\.00, Even Keel \$1,000\.00/,
  )
  await expect(compared.getByRole('row', { name: /^Slow Trend/ })).toContainText('−54.7%')
  await compared.getByText('As a table').click()
  await expect(compared.getByRole('row', { name: /^Jul 2020/ })).toBeVisible()
  await expectAccessible(page)
  await compared.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('checkbox', { name: 'Compare Slow Trend' }).uncheck()
  await expect(page.getByText('2 chosen')).toBeVisible()
})

test('an investor invests from the trading plans after confirming the possible loss, and cancels before the order is priced', async ({
  open,
}) => {
  const { session } = await newInvestor({ available: 500 })
  const page = await open(session)
  await page.goto('/dashboard/trading-plans')
  await page.getByRole('main').getByRole('link', { name: 'strategies' }).click()
  const first = page
    .getByRole('table', { name: /^All strategies/ })
    .getByRole('row')
    .nth(1)
  await expect(first).toContainText('−74.')
  await page.getByRole('button', { name: 'Slow Trend' }).click()
  await expect(page).toHaveURL('/dashboard/strategies?strategy=slow-trend')

  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Slow Trend')
  const main = page.getByRole('main')
  await expect(main).toContainText(
    /Since it started on .*: [−+]?\d+\.\d%\. The test says [−+]?\d+\.\d%\. Why · Check the record/,
  )
  for (const [name, href] of [
    ['All details', '/strategies/slow-trend/simulated'],
    ['Why', '/strategies/slow-trend/simulated#gaps'],
    ['Check the record', '/strategies/slow-trend/simulated#record'],
  ] as const)
    await expect(main.getByRole('link', { name, exact: true })).toHaveAttribute('href', href)
  const form = page.getByRole('region', { name: 'Invest' })
  await expect(form).toContainText('$1,000.00 became')
  await expect(form).toContainText(
    'Our checks of the test: No better than luck. Paused at its drawdown limit: ',
  )
  await expect(form.getByText('You could lose all the money you invest.')).toBeVisible()
  await form.getByRole('textbox', { name: 'Amount in USD' }).fill('600')
  await form.getByRole('button', { name: 'Invest $600' }).click()
  await expect(form.getByText('Please confirm that you know what could be lost')).toBeVisible()
  await expect(form).toContainText(/In the worst year of the test, \d{4}, \$600\.00 became \$/)
  await form.getByRole('checkbox', { name: /^I know that I could lose/ }).check()
  await form.getByRole('button', { name: 'Invest $600' }).click()
  await expect(form.getByText('That is more than what is available.')).toBeVisible()
  await expectAccessible(page)
  // Another amount changes the loss in dollars, and keeps the confirmation.
  await form.getByRole('button', { name: '$100', exact: true }).click()
  await expect(form).toContainText(/\$100\.00 became \$/)
  await expect(form.getByRole('checkbox')).toBeChecked()
  await form.getByRole('button', { name: 'Invest $100', exact: true }).click()
  const placed = page.getByRole('dialog', { name: 'Your order is placed' })
  await expect(placed).toContainText(/\$100\.00 is invested at the price of .* UTC/)
  await expectAccessible(page)
  await placed.getByRole('button', { name: 'Close' }).click()

  const order = page.getByRole('region', { name: 'Orders' }).getByRole('row').filter({ hasText: 'ALC-' })
  await expect(order).toContainText('Pending')
  await expect(form.getByText('Available: $400.00')).toBeVisible()
  await page.goto('/dashboard/overview')
  await expect(page.getByRole('region', { name: 'Invested' })).toContainText('$100.00 in')
  await page.getByRole('region', { name: 'Invested' }).getByRole('link', { name: 'Slow Trend' }).click()
  await order.getByRole('button', { name: /^Cancel/ }).click()
  await expect(order).toContainText('Cancelled')
  await expect(form.getByText('Available: $500.00')).toBeVisible()
})

test('a position shows its returns, and a redemption with a withdrawal can be ordered and cancelled', async ({
  open,
}) => {
  const email = 'investor@example.com'
  const page = await open(await createSession({ email, password: PASSWORD }))
  await page.goto('/dashboard/strategies')
  await page.getByRole('button', { name: 'Strongest Two' }).first().click()
  const position = page.getByRole('region', { name: 'What you have in it' })
  await expect(position.getByText('time-weighted')).toBeVisible()
  await expect(position.getByText('money-weighted')).toBeVisible()
  await position.getByText('As a table').click()
  await expect(position.getByRole('table')).toBeVisible()
  await expectAccessible(page)

  await position.getByRole('button', { name: 'Redeem' }).click()
  const dialog = page.getByRole('dialog', { name: 'Redeem from Strongest Two' })
  await dialog.getByRole('button', { name: 'Redeem' }).click()
  await expect(dialog.getByText('Please input the amount to redeem in USD, or choose all')).toBeVisible()
  await dialog.getByRole('checkbox', { name: 'All of it' }).check()
  await dialog.getByRole('checkbox', { name: 'Withdraw it as soon as it is redeemed' }).check()
  await dialog.getByRole('radio', { name: 'Bitcoin' }).check()
  await dialog.getByRole('textbox', { name: 'Withdrawal address' }).fill(BITCOIN_ADDRESS)
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Redeem' }).click()
  await confirmByMail(page, email)
  const order = page
    .getByRole('region', { name: 'Orders' })
    .getByRole('row')
    .filter({ hasText: 'RDM-' })
    .first()
  await expect(order).toContainText(`then withdraw to the Bitcoin address ${BITCOIN_ADDRESS}`)
  await expect(order).toContainText('Pending')
  await expect(position.getByText(/\$0\.00 in, \$\d+\.\d\d out/)).toBeVisible()
  await order.getByRole('button', { name: /^Cancel/ }).click()
  await expect(order).toContainText('Cancelled')
})

test('a stop is previewed, set, changed and ended', async ({ open }) => {
  const email = 'investor@example.com'
  const page = await open(await createSession({ email, password: PASSWORD }), {
    viewport: { width: 390, height: 844 },
  })
  await page.goto('/dashboard/strategies?strategy=strongest-two')
  const position = page.getByRole('region', { name: 'What you have in it' })
  await position.getByRole('button', { name: 'Set a Stop' }).click()
  const dialog = page.getByRole('dialog', { name: 'Stop in Strongest Two' })
  const percent = dialog.getByRole('textbox', { name: 'Percent below your average cost' })
  await expect(dialog.getByText(/^Sells when a unit is worth \$[\d.]+ or less/)).toBeVisible()
  await expect(dialog.getByText('That price may be lower than your stop')).toBeVisible()
  // Losses stand beside gains, with the stop and without it.
  await expect(dialog).toContainText(/the stop would have sold \d+ times\. \d+ times you would have had less/)
  await expect(dialog).toContainText('Simulated, not a forecast.')
  await dialog.getByText('Year by year').click()
  const table = dialog.getByRole('table', { name: 'One year after buying' })
  await expect(table.getByRole('row').last()).toContainText('All years')
  const before = await table.getByRole('row').last().innerText()
  await percent.fill('5')
  await expect(table.getByRole('row').last()).not.toHaveText(before)
  await expectAccessible(page)
  await percent.fill('96')
  await dialog.getByRole('button', { name: 'Set Stop' }).click()
  await expect(dialog.getByText('Please give a whole number of percent from 1 to 95')).toBeVisible()
  await percent.fill('30')
  await dialog.getByRole('button', { name: 'Set Stop' }).click()
  const stop = valueFor(position, 'Stop')
  await expect(stop).toContainText(/Sells all of it when a unit is worth \$[\d.]+ or less.*: 30% below/)
  await expect(stop).toContainText('at the next open, a day later, whose price may be lower than the stop')
  await expectAccessible(page)
  await position.getByRole('button', { name: 'Change Stop' }).click()
  await expect(percent).toHaveValue('30')
  await percent.fill('40')
  await dialog.getByRole('button', { name: 'Change Stop' }).click()
  await expect(stop).toContainText('40% below')
  await position.getByRole('button', { name: 'Change Stop' }).click()
  await dialog.getByRole('button', { name: 'End Stop' }).click()
  await expect(position.getByRole('button', { name: 'Set a Stop' })).toBeVisible()
  await expect(stop).toHaveCount(0)
})

test('an investment becomes a position the next day, and is withdrawn to a bank the day after', async ({
  open,
}) => {
  // This test moves the strategy to later days, so orders of other tests today would be late. No other test uses it.
  const strategy = 'a-little-each-month'
  const { email, session } = await newInvestor({ available: 500 })
  const nextDay = async () => {
    const { at } = await callApi<{ at: string }>('POST', `/dev/strategies/${strategy}/next-day`)
    return { at, ana: await createSession({ email, password: PASSWORD }, at) }
  }
  const onDay = async ({ at, ana }: Awaited<ReturnType<typeof nextDay>>) => {
    const page = await open(ana, { extraHTTPHeaders: timeHeader(at) })
    await page.goto(`/dashboard/strategies?strategy=${strategy}`)
    return {
      page,
      order: page
        .getByRole('region', { name: 'Orders' })
        .getByRole('row')
        .filter({ hasText: /[A-Z]-/ }),
    }
  }
  await callApi('POST', '/allocations', { token: session.token, json: { strategy, amount: 300 } })

  const { page, order } = await onDay(await nextDay())
  await expect(order.first()).toContainText('Settled')
  await expect(order.first()).toContainText('units at $')
  const position = page.getByRole('region', { name: 'What you have in it' })
  await expect(position.getByText('$300.00')).toBeVisible()
  await position.getByRole('button', { name: 'Redeem' }).click()
  const dialog = page.getByRole('dialog', { name: 'Redeem from A Little Each Month' })
  const proof = page.getByRole('dialog', { name: 'Confirm this withdrawal' })
  await dialog.getByRole('textbox', { name: 'Amount in USD' }).fill('301')
  await expect(dialog.getByText('That is more than can be redeemed now.')).toBeVisible()
  await dialog.getByRole('checkbox', { name: 'All of it' }).check()
  await dialog.getByRole('checkbox', { name: 'Withdraw it as soon as it is redeemed' }).check()
  await dialog.getByRole('radio', { name: 'Online Service Withdrawal' }).check()
  await dialog.getByRole('button', { name: 'Redeem' }).click()
  await expect(dialog.getByText('Please provide IBAN')).toBeVisible()
  await fillBankFields(dialog)
  await expectAccessible(page)
  // Escape closes only the dialog for the code. The input survives closing the redemption dialog too.
  await dialog.getByRole('button', { name: 'Redeem' }).click()
  await expect(proof).toContainText('the account ••••5566 at First Harbour Bank, held by Ana Torres')
  await page.keyboard.press('Escape')
  await expect(proof).toBeHidden()
  await dialog.getByRole('button', { name: 'Close' }).click()
  await position.getByRole('button', { name: 'Redeem' }).click()
  await expect(dialog.getByRole('textbox', { name: 'Bank name' })).toHaveValue(BANK_TEXTS['Bank name'])
  await dialog.getByRole('button', { name: 'Redeem' }).click()
  await confirmByMail(page, email, 1)
  await expect(order.first()).toContainText('then withdraw to the account ••••5566 at “First Harbour Bank”')
  await expect(page.getByRole('button', { name: /^Cancel RDM-/ })).toBeVisible()

  const after = await onDay(await nextDay())
  await expect(after.order.first()).toContainText(/RDM-.*, withdrawn as WDR-/)
  await expect(after.order.first()).toContainText('Settled')
  const formerPosition = after.page.getByRole('region', { name: 'What you had in it' })
  await expect(valueFor(formerPosition, 'Invested')).toHaveText('$300.00')
  await expect(valueFor(formerPosition, 'Held')).toHaveText(/: 1 day$/)
  expect((await waitForMail(email, /^Your redemption/)).text).toContain('••••5566 at “First Harbour Bank”')
  await after.page.goto('/dashboard/transaction-history')
  // Orders are in the history too, with signs, and open their own details.
  await expect(after.page.getByRole('row').filter({ hasText: 'Redemption' })).toContainText('+$')
  const allocated = after.page.getByRole('row').filter({ hasText: 'Investment' })
  await expect(allocated).toContainText('−$300.00')
  await after.page.getByRole('combobox', { name: 'Kind' }).selectOption('Investment')
  await expect(after.page.getByRole('row').filter({ hasText: 'Online Service Withdrawal' })).toHaveCount(0)
  await allocated.getByRole('button').click()
  const opened = after.page.getByRole('dialog', { name: 'Investment' })
  await expect(valueFor(opened, 'Reference')).toContainText('ALC-')
  await expectAccessible(after.page)
  await opened.getByRole('button', { name: 'Close' }).click()
  await after.page.getByRole('button', { name: 'Clear filters' }).click()
  const row = after.page.getByRole('row').filter({ hasText: 'Online Service Withdrawal' })
  await expect(row).toContainText('Pending')
  await row.getByRole('button').click()
  const details = after.page.getByRole('dialog')
  await expect(details).toContainText('••••5566')
  await expect(details).not.toContainText(BANK_TEXTS['Account number'])
})
