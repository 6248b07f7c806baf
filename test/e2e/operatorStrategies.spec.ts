import { expectAccessible } from './support/accessibility.ts'
import { callApi } from './support/http.ts'
import { newInvestor, operatorSession } from './support/people.ts'
import { approveProposal, valueFor } from './support/screens.ts'
import { expect, test } from './support/test.ts'

const CHECKING_PRICES = 'We are checking its prices.'

test('one operator suspends a strategy at once, and two resume it', async ({ open }) => {
  test.setTimeout(120_000)
  const first = await open(operatorSession('first'))
  await first.goto('/operator/strategies')
  const row = first.getByRole('row').filter({ hasText: 'Breakout' })
  await expect(row).toContainText('Active')
  await row.getByRole('button').click()
  const opened = first.getByRole('dialog', { name: 'Breakout' })
  await expect(valueFor(opened, 'Market')).toHaveText('Practice market')
  await opened.getByRole('button', { name: 'Suspend strategy' }).click()
  await opened.getByRole('combobox', { name: 'Message to the investors' }).selectOption(CHECKING_PRICES)
  await opened.getByRole('textbox', { name: 'Internal note' }).fill('They look odd since noon.')
  await opened.getByRole('button', { name: 'Review' }).click()
  await expect(opened.getByText('It takes no new money. At its next open')).toBeVisible()
  await expectAccessible(first)
  await opened.getByRole('button', { name: 'Suspend Breakout' }).click()
  await expect(opened.getByText('Its investors get a mail within minutes.')).toBeVisible()
  await expect(opened.getByText('Suspended by Sample Operator')).toBeVisible()
  const { status, reason } = await callApi<{ status: string; reason: string }>('GET', '/strategies/breakout')
  expect([status, reason]).toEqual(['suspended', CHECKING_PRICES])
  await expect(opened.getByText('Internal note: They look odd since noon.')).toBeVisible()

  await first.goto('/operator/health')
  const needs = first.getByRole('region', { name: 'State of the platform' })
  await expect(needs.getByText('Suspended strategies: Breakout')).toBeVisible()
  await first.goto('/operator/strategies?open=breakout')
  await opened.getByRole('button', { name: 'Propose to resume' }).click()
  await opened.getByRole('textbox', { name: 'Internal note' }).fill('They were right.')
  await opened.getByRole('button', { name: 'Review' }).click()
  await opened.getByRole('button', { name: 'Propose to resume Breakout' }).click()
  await expect(opened.getByText('The strategy stays suspended until another operator decides.')).toBeVisible()
  await expect(opened.getByText('Sample Operator proposed to resume it')).toBeVisible()

  const second = await open(operatorSession('second'), { viewport: { width: 320, height: 700 } })
  await second.goto('/operator/strategies?open=breakout')
  const seen = second.getByRole('dialog', { name: 'Breakout' })
  await expect(seen.getByText('A proposal to resume it is already waiting')).toBeVisible()
  await expectAccessible(second)
  await seen.getByRole('link', { name: 'See the proposal' }).click()
  const proposal = second.getByRole('dialog', { name: 'Strategy' })
  await approveProposal(proposal)
  await second.goto('/operator/strategies?open=breakout')
  await expect(valueFor(seen, 'Status')).toHaveText('Active')
})

test('two operators stop a strategy for good, and investors and visitors see it', async ({
  open,
  page: visitor,
}) => {
  test.setTimeout(120_000)
  const slug = 'even-keel'
  const operator = operatorSession('first')
  const suspending = { token: operator.token, json: { reason: CHECKING_PRICES } }
  await callApi('POST', `/operator/strategies/${slug}/suspend`, suspending)
  const first = await open(operator)
  await first.goto(`/operator/strategies?open=${slug}`)
  const opened = first.getByRole('dialog', { name: 'Even Keel' })
  await opened.getByRole('button', { name: 'Propose to stop for good' }).click()
  await opened.getByRole('textbox', { name: 'Message to the investors' }).fill('Nobody needs it any more.')
  await opened.getByRole('button', { name: 'Review' }).click()
  await expect(opened.getByText('The strategy then never trades or takes money again')).toBeVisible()
  await opened.getByRole('button', { name: 'Propose to stop Even Keel' }).click()
  await expect(opened.getByText('Sample Operator proposed to stop it for good')).toBeVisible()

  const second = await open(operatorSession('second'))
  await second.goto(`/operator/strategies?open=${slug}`)
  const seen = second.getByRole('dialog', { name: 'Even Keel' })
  await seen.getByRole('link', { name: 'See the proposal' }).click()
  const proposal = second.getByRole('dialog', { name: 'Strategy' })
  await approveProposal(proposal)
  await second.goto(`/operator/strategies?open=${slug}`)
  await expect(valueFor(seen, 'Status')).toHaveText('Stopped')
  await expect(seen.getByText('Stopped for good, approved by ')).toBeVisible()
  await expect(seen.getByText('Nobody needs it any more.')).toBeVisible()
  await expect(seen.getByRole('button', { name: /Propose|Suspend/ })).toHaveCount(0)
  await expectAccessible(second)

  const investor = await open((await newInvestor()).session)
  await investor.goto(`/dashboard/strategies?strategy=${slug}`)
  await expect(investor.getByRole('heading', { level: 1 })).toHaveText('Even Keel')
  const strategy = investor.getByRole('main')
  await expect(strategy).toContainText('Stopped')
  await expect(strategy).toContainText('Nobody needs it any more. It takes no new money.')
  await expect(investor.getByRole('region', { name: 'What the model traded' })).toBeVisible()
  await expect(investor.getByRole('region', { name: 'Invest' })).toHaveCount(0)
  await visitor.goto(`/strategies/${slug}/simulated`)
  const record = visitor.getByRole('region', { name: 'Since it started' })
  await expect(record.locator('[data-fact="status"]')).toHaveText(
    /^Stopped for good: it takes no new money.*Nobody needs/,
  )
})
