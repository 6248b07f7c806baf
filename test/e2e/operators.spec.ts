import { expectAccessible } from './support/accessibility.ts'
import { waitForMail } from './support/mailbox.ts'
import { fileDeposit, newInvestor, newReference, operatorSession } from './support/people.ts'
import {
  approveProposal,
  BITCOIN_ADDRESS,
  confirmByMail,
  confirmWithCode,
  expectFigures,
  fillQuantity,
  openCase,
  valueFor,
  withdrawBitcoin,
} from './support/screens.ts'
import { expect, test } from './support/test.ts'

test('a large deposit is credited once two operators have approved the same', async ({ open }) => {
  // Another test may have used the current code. Then this one waits for the next.
  test.setTimeout(180_000)
  const { name, email, session } = await newInvestor({ name: 'Ines Whale' })
  await fileDeposit(session.token, 12000)
  const reference = newReference()
  const first = await open(operatorSession('first'))
  await first.goto('/operator')
  const opened = await openCase(first, 'Deposits', email)
  const referenceField = opened.getByRole('textbox', { name: 'Transaction id on the network' })
  const quantity = await fillQuantity(opened, 12000)
  await referenceField.fill(`https://mempool.space/tx/${reference}`)
  // Enter checks the fields and leads to the summary. It sends nothing.
  await referenceField.press('Enter')
  await expect(
    opened.getByText('Please paste the transaction id or reference alone, not a link'),
  ).toBeVisible()
  await referenceField.fill(`0x${reference.toUpperCase()}`)
  await referenceField.press('Enter')
  await expect(opened.getByText(reference)).toBeVisible()
  await expect(opened.getByText('A second operator is needed')).toBeVisible()
  await opened.getByRole('button', { name: 'Propose credit of $12,000.00' }).click()
  await confirmWithCode(first, `$12,000.00 to ${name}`)
  await expect(opened.getByText('Approved once. A second operator must approve it too')).toBeVisible()

  const investor = await open(session)
  await expectFigures(investor, { 'Total Balance': '$0.00', 'Pending Deposits': '$12,000.00' })

  const second = await open(operatorSession('second'))
  await second.goto('/operator')
  const waiting = await openCase(second, 'Deposits', email)
  await expect(waiting.getByText(`Sample Operator approved $12,000.00 under ${reference}`)).toBeVisible()
  await waiting.getByRole('textbox', { name: 'Quantity that arrived' }).fill(quantity)
  await waiting.getByRole('textbox', { name: 'Transaction id on the network' }).fill(newReference())
  await waiting.getByRole('button', { name: 'Approve and credit $12,000.00' }).click()
  await expect(waiting.getByText('The first operator approved a different transaction id.')).toBeVisible()
  await waiting.getByRole('textbox', { name: 'Transaction id on the network' }).fill(reference)
  await waiting.getByRole('button', { name: 'Approve and credit $12,000.00' }).click()
  await confirmWithCode(second, `$12,000.00 to ${name}`)
  await expect(waiting.getByText(`$12,000.00 was credited to ${name}`)).toBeVisible()
  await expectFigures(investor, { 'Total Balance': '$12,000.00', 'Pending Deposits': '$0.00' })
})

test('an old session must confirm with the second factor again, and the input stays', async ({ open }) => {
  test.setTimeout(180_000)
  const { email, session } = await newInvestor({ name: 'Olga Late' })
  await fileDeposit(session.token, 30)
  const operator = await open(operatorSession('second'))
  await operator.goto('/operator')
  const opened = await openCase(operator, 'Deposits', email)
  await fillQuantity(opened, 30)
  await opened.getByRole('textbox', { name: 'Transaction id on the network' }).fill(newReference())
  // Answers as the server does once the factor is too old: the call without a code is refused.
  await operator.route('**/api/v1/operator/deposits/*/approve', (route) =>
    route.request().postDataJSON().code === undefined
      ? route.fulfill({
          status: 403,
          json: {
            msg: 'Please confirm with your second factor: it has been a while since you showed it.',
            code: 'step_up_required',
            reasons: ['fresh_factor'],
            methods: ['totp'],
          },
        })
      : route.fallback(),
  )
  await opened.getByRole('button', { name: 'Credit $30.00' }).click()
  const dialog = operator.getByRole('dialog', { name: 'Confirm with your second factor' })
  await expect(dialog.getByText('$30.00 to Olga Late')).toBeVisible()
  await expect(dialog.getByRole('textbox', { name: 'Code' })).toBeFocused()
  await expectAccessible(operator)
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await expect(dialog.getByText('Please enter the code')).toBeVisible()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(opened.getByText('Nothing was done: you did not confirm it.')).toBeVisible()
  await opened.getByRole('button', { name: 'Credit $30.00' }).click()
  await confirmWithCode(operator, '$30.00 to Olga Late')
  await expect(opened.getByText('$30.00 was credited to Olga Late')).toBeVisible()
})

/** A reason of the settings' list: an operator's own words are not told. */
const DESTINATION_REFUSED = 'We cannot pay to this destination. Please check it and try again.'

test('the hold of a rejected withdrawal returns, and the investor reads why', async ({ open }) => {
  const { email, session } = await newInvestor({ available: 800 })
  const investor = await open(session)
  await investor.goto('/dashboard/withdrawal')
  await investor.getByRole('button', { name: 'Withdraw all' }).click()
  await expect(investor.getByRole('textbox', { name: 'Amount in USD' })).toHaveValue('800.00')
  await investor.getByRole('radio', { name: 'Bitcoin' }).check()
  await investor.getByRole('textbox', { name: 'Withdrawal address' }).fill(BITCOIN_ADDRESS)
  await investor.getByRole('button', { name: 'Send Withdrawal Request' }).click()
  await confirmByMail(investor, email)
  await expect(investor.getByRole('dialog', { name: 'Withdrawal Request Completed' })).toBeVisible()
  await expectFigures(investor, { 'Total Balance': '$800.00', 'Pending Withdrawals': '$800.00' })
  await expect(investor.getByText('$0.00 available to withdraw')).toBeVisible()

  const operator = await open(operatorSession('second'))
  await operator.goto('/operator')
  const opened = await openCase(operator, 'Withdrawals', email)
  await expect(valueFor(opened, 'Extra proof')).toHaveText('A code sent by e-mail')
  await opened.getByRole('button', { name: 'Reject withdrawal' }).click()
  await opened.getByRole('combobox', { name: 'Message to the investor' }).selectOption(DESTINATION_REFUSED)
  await opened.getByRole('textbox', { name: 'Internal note' }).fill('The bank returned a test payment.')
  await expect(opened.getByText('$800.00 is available to Ana Torres again.')).toBeVisible()
  await opened.getByRole('button', { name: 'Reject the withdrawal' }).click()
  await expect(opened.getByText('We sent them the reason.')).toBeVisible()

  await expectFigures(investor, { 'Total Balance': '$800.00', 'Pending Withdrawals': '$0.00' })
  await expect(investor.getByText('$800.00 available to withdraw')).toBeVisible()
  await investor.getByRole('link', { name: 'Transaction History' }).click()
  await investor.getByRole('row').filter({ hasText: 'Rejected' }).getByRole('button').click()
  await expect(investor.getByRole('dialog').getByText('Why it was rejected')).toBeVisible()
  await expect(investor.getByRole('dialog').getByText(DESTINATION_REFUSED).first()).toBeVisible()
  expect((await waitForMail(email, /was rejected/)).text).toContain(DESTINATION_REFUSED)
})

test('a frozen account can be read but cannot move money until the freeze is lifted', async ({ open }) => {
  const { name, email, session } = await newInvestor({ name: 'Frida Frost', available: 300 })
  const operator = await open(operatorSession('second'))
  await operator.goto(`/operator/investors?query=${encodeURIComponent(email)}`)
  await operator.getByRole('row').filter({ hasText: email }).getByRole('link').click()
  const opened = operator.getByRole('article')
  await expect(opened.getByText('$300.00').first()).toBeVisible()
  await opened.getByRole('button', { name: 'Freeze the account' }).click()
  await opened.getByRole('textbox', { name: 'Internal note' }).fill('A test.')
  await opened.getByRole('button', { name: 'Freeze the account' }).click()
  await expect(opened.getByText(`The account is frozen. ${name} has been told.`)).toBeVisible()

  const investor = await open(session)
  await expectFigures(investor, { 'Total Balance': '$300.00' })
  await investor.getByRole('link', { name: 'Withdrawal', exact: true }).click()
  await withdrawBitcoin(investor, '10')
  await expect(investor.getByText('Your account is frozen', { exact: true })).toBeVisible()
  await expect(investor.getByText('Your account is frozen. You can read everything')).toBeVisible()

  await opened.getByRole('button', { name: 'Lift the freeze' }).click()
  await opened.getByRole('textbox', { name: 'Reason' }).fill('The test is over.')
  await opened.getByRole('button', { name: 'Lift the freeze' }).click()
  await expect(opened.getByText('The freeze is lifted.')).toBeVisible()
  await expect(opened.getByText('has been told.')).toHaveCount(1)
  await investor.getByRole('button', { name: 'Send Withdrawal Request' }).click()
  await expect(investor.getByRole('dialog', { name: 'Confirm this withdrawal' })).toBeVisible()
})

test('a bonus is proposed by one operator and granted by another', async ({ open }) => {
  const name = `Bea ${newReference().slice(3, 11)}`
  const { email, session } = await newInvestor({ name })
  const first = await open(operatorSession('first'))
  await first.goto('/operator/proposals')
  await first.getByRole('button', { name: 'Propose something' }).click()
  const proposing = first.getByRole('dialog', { name: 'Propose' })
  await proposing.getByRole('searchbox', { name: 'Find the investor' }).fill(email)
  await proposing.getByRole('button', { name: 'Search' }).click()
  await proposing.getByRole('radio', { name }).check()
  await proposing.getByRole('textbox', { name: 'Amount' }).fill('25')
  await proposing.getByRole('textbox', { name: 'Internal note' }).fill('Thank you')
  await proposing.getByRole('button', { name: 'Propose the bonus' }).click()
  await expect(first.getByText('Proposed. Another operator decides.')).toBeVisible()
  await first.getByRole('row').filter({ hasText: name }).getByRole('button').click()
  await expect(first.getByRole('dialog').getByText('Another operator has to approve it')).toBeVisible()
  await expect(first.getByRole('dialog').getByRole('button', { name: /^Approve/ })).toHaveCount(0)

  const second = await open(operatorSession('second'))
  await second.goto('/operator')
  const opened = await openCase(second, 'Proposals', name)
  await approveProposal(opened)
  await expectFigures(await open(session), { 'Total Balance': '$25.00', Bonus: '$25.00' })
  expect((await waitForMail(email, /bonus/i)).text).toContain('$25.00')
})
