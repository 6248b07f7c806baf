import { expectAccessible } from './support/accessibility.ts'
import { callApi } from './support/http.ts'
import { changeSettings, newInvestor, operatorSession } from './support/people.ts'
import { approveProposal } from './support/screens.ts'
import { expect, test } from './support/test.ts'

test('contact details and a list of reasons are proposed, the list by keyboard', async ({ open }) => {
  const page = await open(operatorSession('first'))
  await page.goto('/operator/settings')
  const search = page.getByRole('searchbox', { name: 'Find a setting' })
  await search.fill('support ADDRESS')
  await expect(page.getByText(/^\d of \d+ settings$/)).toBeVisible()
  await page.getByRole('button', { name: 'Change support address' }).click()
  const contact = page.getByRole('dialog', { name: 'Change: support address' })
  const address = contact.getByRole('textbox', { name: 'Support address' })
  await address.fill('nowhere')
  await address.press('Enter')
  await expect(contact.getByText('Provide a valid email')).toBeVisible()
  await expect(address).toBeFocused()
  await address.fill('desk@example.com')
  await address.press('Enter')
  await expect(contact.getByText('until another administrator approves your proposal')).toBeVisible()
  await expectAccessible(page)
  await contact.getByRole('button', { name: 'Propose the change' }).click()
  const panel = page.locator('#contact')
  await expect(panel.getByText('Nothing has changed yet.')).toBeVisible()
  await expect(panel.getByText('Sample Operator proposed desk@example.com')).toBeVisible()
  await rejectProposal(
    await panel.getByRole('link', { name: 'the proposal', exact: true }).getAttribute('href'),
  )

  await search.fill('')
  await page.getByRole('button', { name: 'Change granting a bonus' }).click()
  const list = page.getByRole('dialog', { name: 'Change: granting a bonus' })
  await list.getByRole('button', { name: 'Add a reason' }).press('Enter')
  await expect(list.getByRole('textbox', { name: 'Reason 3' })).toBeFocused()
  await page.keyboard.type('For finding a fault.')
  await list.getByRole('button', { name: 'Move reason 3 up' }).press('Enter')
  await expect(list.getByRole('button', { name: 'Move reason 2 up' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(list.getByRole('textbox', { name: 'Reason 1' })).toHaveValue('For finding a fault.')
  await expectAccessible(page)
  await list.getByRole('button', { name: 'Review the list' }).press('Enter')
  await list.getByRole('button', { name: 'Propose the list' }).press('Enter')
  const reasons = page.locator('#reasons')
  await expect(reasons.getByText('Nothing has changed yet.')).toBeVisible()
  await rejectProposal(
    await reasons.getByRole('link', { name: 'the proposal', exact: true }).getAttribute('href'),
  )

  await page.setViewportSize({ width: 390, height: 844 })
  await page.reload()
  const change = page.getByRole('button', { name: 'Change support address' })
  await expect(change).toBeHidden()
  await page.getByRole('heading', { name: 'Contact' }).click()
  await expect(change).toBeVisible()
  await expectAccessible(page)
})

async function rejectProposal(href: string | null): Promise<void> {
  const id = new URLSearchParams(href?.split('?')[1]).get('open')
  await callApi('POST', `/operator/proposals/${id}/reject`, {
    token: operatorSession('first').token,
    json: { reason: 'A test' },
  })
}

test('a setting is proposed, approved by another administrator, and read by investors and visitors', async ({
  open,
  allowFault,
}) => {
  allowFault(/503 \(Service Unavailable\)/)
  const first = await open(operatorSession('first'))
  await first.goto('/operator/settings#limits')
  await first.getByRole('button', { name: 'Change smallest deposit' }).click()
  const dialog = first.getByRole('dialog', { name: 'Change: smallest deposit' })
  await dialog.getByRole('button', { name: 'Review the change' }).click()
  await expect(dialog.getByText('This is the current value')).toBeVisible()
  await dialog.getByRole('textbox', { name: 'Smallest deposit' }).fill('2')
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('Small ones cost more than they bring.')
  await dialog.getByRole('button', { name: 'Review the change' }).click()
  await expect(dialog.getByText('until another administrator approves your proposal')).toBeVisible()
  // The input survives a failed request.
  await first.route('**/api/v1/operator/settings', (route) =>
    route.request().method() === 'PATCH'
      ? route.fulfill({ status: 503, json: { msg: 'Please try again.', code: 'unavailable' } })
      : route.fallback(),
  )
  await dialog.getByRole('button', { name: 'Propose the change' }).click()
  await expect(dialog.getByRole('textbox', { name: 'Smallest deposit' })).toHaveValue('2')
  await first.unroute('**/api/v1/operator/settings')
  await dialog.getByRole('button', { name: 'Review the change' }).click()
  await dialog.getByRole('button', { name: 'Propose the change' }).click()
  const limits = first.locator('#limits')
  await expect(limits.getByText('Nothing has changed yet.')).toBeVisible()
  await expect(limits.getByText('Sample Operator proposed $2.00')).toBeVisible()
  const address = await limits.getByRole('link', { name: 'See the proposal' }).getAttribute('href')

  const second = await open(operatorSession('second'))
  await second.goto(address ?? '')
  const proposal = second.getByRole('dialog', { name: 'Settings' })
  await expect(proposal.getByText('$0.00 → $2.00', { exact: true })).toBeVisible()
  await expect(proposal.getByText('Small ones cost more than they bring.')).toBeVisible()
  await approveProposal(proposal)
  try {
    const { session } = await newInvestor()
    const investor = await open(session)
    await investor.goto('/dashboard/deposit')
    await expect(investor.getByText('The smallest deposit is $2.00.')).toBeVisible()
    await investor.goto('/fees')
    const limitsOnFees = investor.getByRole('region', { name: 'Limits' })
    await expect(limitsOnFees.locator('[data-claim]').filter({ hasText: 'Smallest deposit' })).toContainText(
      '$2.00',
    )
    await expect(
      limitsOnFees
        .locator('[data-claim]')
        .filter({ has: investor.getByText('Smallest withdrawal', { exact: true }) }),
    ).toContainText('No minimum')

    const auditor = await open(operatorSession('auditor'))
    await auditor.goto('/operator/settings')
    const smallest = auditor.locator('#limits dd').filter({ hasText: 'Default: $0.00. Since' })
    await expect(smallest).toContainText('approved by Second Operator')
    await expect(auditor.getByText('Needs the role of administrator.')).toBeVisible()
    await expect(auditor.getByRole('button', { name: /^Change/ })).toHaveCount(0)
  } finally {
    await changeSettings({ minimums: { deposit: 0 } })
  }
})

test('a mail to many has a preview and shows how many people it would reach', async ({ open }) => {
  const page = await open(operatorSession('first'))
  await page.goto('/operator/proposals')
  await page.getByRole('button', { name: 'Propose something' }).click()
  const dialog = page.getByRole('dialog', { name: 'Propose' })
  await dialog.getByRole('radio', { name: 'Announcement' }).check()
  await expect(dialog.getByText(/^\d[\d,]* (?:people|person) would get it now\.$/)).toBeVisible()
  await dialog.getByRole('textbox', { name: 'Subject' }).fill('Two new things')
  await dialog.getByRole('textbox', { name: 'Mail' }).fill('The first.\n\nThe second.')
  await dialog.getByRole('button', { name: 'Preview the mail' }).click()
  await expect(dialog.getByText('Hello Ana Torres,')).toContainText('The first.\n\nThe second.')
  await expect(dialog.getByText('once another administrator approves it')).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Propose the mail' }).click()
  await expect(page.getByText('Proposed. Another operator decides.')).toBeVisible()
  const row = page.getByRole('row').filter({ hasText: 'Two new things' })
  await expect(row).toBeVisible()
})

// It is not approved: all investors of the other tests would get it.
test('a service notice says how many investors it reaches, before it is proposed and before it is approved', async ({
  open,
}) => {
  const reach = /^\d[\d,]* investors? would get it now\.$/
  const first = await open(operatorSession('first'))
  await first.goto('/operator/proposals')
  await first.getByRole('button', { name: 'Propose something' }).click()
  const dialog = first.getByRole('dialog', { name: 'Propose' })
  await dialog.getByRole('radio', { name: 'Service notice' }).check()
  await expect(dialog.getByText('For news about the service only.')).toBeVisible()
  await expect(dialog.getByText(reach)).toBeVisible()
  await dialog.getByRole('textbox', { name: 'Subject' }).fill('Deposits of ether are late')
  await dialog.getByRole('textbox', { name: 'Mail' }).fill('We are looking into it.')
  await dialog.getByRole('button', { name: 'Preview the mail' }).click()
  const preview = dialog.getByText('Hello Ana Torres,')
  await expect(preview).toContainText('because you have an account with us')
  await expect(preview).not.toContainText('Turn these mails off')
  await expectAccessible(first)
  await dialog.getByRole('button', { name: 'Propose the mail' }).click()
  await expect(first.getByText('Proposed. Another operator decides.')).toBeVisible()

  const second = await open(operatorSession('second'))
  await second.goto('/operator/proposals')
  await second.getByRole('row').filter({ hasText: 'Deposits of ether are late' }).click()
  const opened = second.getByRole('dialog', { name: 'Service notice' })
  await opened.getByRole('button', { name: 'Approve and send service notice' }).click()
  await expect(opened.locator('form').getByText(reach)).toBeVisible()
  await expectAccessible(second)
  await rejectProposal(second.url().slice(second.url().indexOf('?')))
})
