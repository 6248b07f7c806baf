import { picture } from '../support/picture.ts'
import { expectAccessible } from './support/accessibility.ts'
import { operatorSession } from './support/people.ts'
import { approveProposal } from './support/screens.ts'
import { expect, test } from './support/test.ts'

// A new place moves nothing, so that the figures of other tests stay.
test('a treasurer proposes an entry, and another one sees its document before approving it', async ({
  open,
}) => {
  const name = `Vault ${crypto.randomUUID().slice(0, 8)}`
  const first = await open(operatorSession('first'), { viewport: { width: 390, height: 844 } })
  await first.goto('/operator/treasury')
  await first.getByRole('button', { name: 'Propose an entry' }).click()
  const form = first.getByRole('dialog', { name: 'Propose an entry' })
  await form.getByRole('combobox', { name: 'Entry' }).selectOption({ label: 'New place' })
  await form.getByRole('textbox', { name: 'Name' }).fill(name)
  await form.getByRole('combobox', { name: 'Kind of place' }).selectOption({ label: 'Wallet' })
  await form.getByRole('combobox', { name: 'Asset' }).selectOption({ label: 'Bitcoin' })
  await form.getByRole('textbox', { name: 'Reason' }).fill('Opened for a test')
  await form.getByRole('button', { name: 'Propose the entry' }).click()
  await expect(form.getByText('Please attach the document: a PDF or a picture')).toBeVisible()
  await expect(form.getByRole('textbox', { name: 'Name' })).toHaveValue(name)
  await expectAccessible(first)
  await form.locator('input[type=file]').setInputFiles(picture('contract.png'))
  await form.getByRole('button', { name: 'Propose the entry' }).click()
  await expect(first.getByText('Proposed. Another treasurer approves it under Proposals.')).toBeVisible()

  const second = await open(operatorSession('second'))
  await second.goto('/operator/proposals')
  await second.getByRole('row').filter({ hasText: name }).getByRole('button').first().click()
  const proposal = second.getByRole('dialog', { name: 'Treasury' })
  const document = proposal.getByRole('img', { name: 'Document of the proposed entry' })
  await expect(document).toBeVisible()
  expect(await document.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(320)
  await expectAccessible(second)
  await approveProposal(proposal)

  await first.reload()
  const place = first.getByRole('table', { name: 'Places' }).getByRole('row').filter({ hasText: name })
  await expect(place).toContainText('BTC')
  await expect(place).toContainText('No statement yet')

  await first.getByRole('button', { name: 'Enter a statement' }).click()
  await form.getByRole('combobox', { name: 'Place' }).selectOption({ label: `${name}, BTC` })
  await form.getByRole('textbox', { name: 'Balance' }).fill('0.5')
  await form.getByLabel('Day').fill(new Date(Date.now() - 86_400_000).toISOString().slice(0, 10))
  await form.getByRole('textbox', { name: 'Reason' }).fill('Its statement')
  await form.locator('input[type=file]').setInputFiles({
    name: 'statement.pdf',
    mimeType: 'application/pdf',
    buffer: Buffer.from('%PDF-1.7\n%%EOF\n'),
  })
  await form.getByRole('button', { name: 'Propose the entry' }).click()
  await expect(place).toContainText('waits for approval')
  const proposed = await place.getByRole('link', { name: 'waits for approval' }).getAttribute('href')
  await second.goto(proposed ?? '')
  await expect(proposal.getByTitle('Document of the proposed entry')).toHaveAttribute('src', /^blob:/)
  await expect(proposal.getByRole('link', { name: 'Open in a new tab' })).toBeVisible()
  await expect(proposal).toContainText('Books then0 BTC')
  await expect(proposal).toContainText('Difference0.5 BTC')
  await approveProposal(proposal)
  await second.goto('/operator/treasury')
  const differences = second.getByRole('table', { name: 'Differences' })
  await differences.getByRole('row').filter({ hasText: name }).getByRole('button').first().click()
  const clearing = second.getByRole('dialog', { name: 'Clear a difference' })
  await expect(clearing).toContainText(`0.5 BTC at ${name}, since`)
  await clearing.getByRole('textbox', { name: 'Reason' }).fill('Only a test')
  await clearing.getByRole('button', { name: 'Review' }).click()
  await clearing.getByRole('button', { name: 'Clear the difference' }).click()
  await expect(second.getByText('Cleared.')).toBeVisible()
  await first.reload()
  await expect(place).toContainText(/Statement of [\d-]+, compared [\d-]+/)
  const journal = first.getByRole('region', { name: 'Journal' })
  await journal.getByRole('combobox', { name: 'Place' }).selectOption({ label: `${name}, BTC` })
  await journal.getByRole('combobox', { name: 'Month (UTC)' }).selectOption({ index: 1 })
  await expect(journal.getByText('No entry matches.')).toBeVisible()
})
