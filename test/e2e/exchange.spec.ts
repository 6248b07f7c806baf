import type { OperatorVenue } from '../../src/contract/console/venue.ts'
import { expectAccessible } from './support/accessibility.ts'
import { operatorSession } from './support/people.ts'
import { approveProposal } from './support/screens.ts'
import { expect, test } from './support/test.ts'

test('one operator stops all trading, and it takes two to resume it', async ({ open }) => {
  const first = await open(operatorSession('first'))
  await first.goto('/operator/venue')
  await expect(first.getByText('No exchange is configured')).toBeVisible()
  await first.getByRole('button', { name: 'Stop all trading' }).click()
  await first.getByRole('textbox', { name: 'Reason' }).fill('A test of the kill switch')
  await first.getByRole('button', { name: 'Review' }).click()
  await first.getByRole('button', { name: 'Stop all trading' }).click()
  await expect(first.getByText('All trading is stopped')).toBeVisible()
  await expect(first.getByText('A test of the kill switch')).toBeVisible()
  await first.getByRole('button', { name: 'Propose to resume all trading' }).click()
  await first.getByRole('textbox', { name: 'Reason' }).fill('The test is over')
  await first.getByRole('button', { name: 'Review' }).click()
  await first.getByRole('button', { name: 'Propose to resume all trading' }).click()
  await expect(first.getByText('Another operator has to approve it under Proposals.')).toBeVisible()
  await expect(first.getByText('All trading is stopped')).toBeVisible()

  const second = await open(operatorSession('second'))
  await second.goto('/operator/proposals')
  await second.getByRole('row').filter({ hasText: 'Exchange' }).getByRole('button').first().click()
  await approveProposal(second.getByRole('dialog'))
  await first.reload()
  await expect(first.getByRole('button', { name: 'Stop all trading' })).toBeVisible()
  await expect(first.getByText('All trading is stopped')).toHaveCount(0)
})

const AT = '2026-01-31T10:00:00.000Z'

// No exchange is configured in these tests, so its state is made up.
test('the console says how an exchange differs from the books, and proposes a transfer', async ({ open }) => {
  const page = await open(operatorSession('first'), { viewport: { width: 390, height: 844 } })
  const venue: OperatorVenue = {
    venue: { _id: 'kraken', name: 'Kraken' },
    check: {
      at: AT,
      state: 'different',
      since: AT,
      differences: [{ asset: 'bitcoin', expected: '0.50000000', actual: '0.49000000' }],
      found: [],
      waits: [],
    },
    fee: { share: 0.008, askedAt: AT },
    balances: [{ asset: 'bitcoin', quantity: '0.50000000' }],
    stops: [],
    strategies: [
      {
        _id: 'real-trend',
        name: 'Real Trend',
        since: null,
        conditions: [{ name: 'paper', met: false, words: '30 days on paper are required, and there are 12' }],
        owes: null,
      },
    ],
    orders: [],
    transfers: [],
  }
  await page.route('**/api/v1/operator/venue', (route) => route.fulfill({ json: venue }))
  const proposed: unknown[] = []
  await page.route('**/api/v1/operator/proposals', (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    proposed.push(route.request().postDataJSON())
    return route.fulfill({ status: 201, json: { _id: 'proposal', msg: 'Proposed.' } })
  })
  await page.goto('/operator/venue')
  await expect(page.getByText('Kraken holds something other than our books say')).toBeVisible()
  await expect(
    page.getByText('bitcoin: the books say 0.50000000, the exchange holds 0.49000000'),
  ).toBeVisible()
  await expect(page.getByText('Its fee is 0.80%')).toBeVisible()
  await expect(page.getByText('30 days on paper are required, and there are 12').first()).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Propose a transfer' }).click()
  await page.getByRole('textbox', { name: 'Asset' }).fill('bitcoin')
  await page.getByRole('textbox', { name: 'Quantity' }).fill('-0.01')
  await page.getByRole('textbox', { name: 'Reason' }).fill('Back to the vault')
  await page.getByRole('button', { name: 'Review' }).click()
  await expect(page.getByText('was moved from the exchange.')).toBeVisible()
  await page.getByRole('button', { name: 'Propose the transfer' }).click()
  await expect(page.getByText('Another operator has to approve it under Proposals.')).toBeVisible()
  expect(proposed).toEqual([
    expect.objectContaining({
      kind: 'venue',
      action: 'transfer',
      asset: 'bitcoin',
      quantity: '-0.01',
      reason: 'Back to the vault',
    }),
  ])
})
