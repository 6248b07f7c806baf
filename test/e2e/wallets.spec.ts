import { randomUUID } from 'node:crypto'
import { accountSigner } from '../support/signers.ts'
import { expectAccessible } from './support/accessibility.ts'
import { newInvestor, operatorSession } from './support/people.ts'
import { approveProposal, fillDepositForm, valueFor } from './support/screens.ts'
import { expect, test } from './support/test.ts'

test('a wallet is proposed by one operator, approved by another, proven with a signature, and retired with its history', async ({
  open,
}) => {
  // Three users act one after the other.
  test.setTimeout(120_000)
  const { address, sign } = accountSigner(randomUUID())
  const ends = `${address.slice(0, 8)}…${address.slice(-8)}`
  const first = await open(operatorSession('first'))
  await first.goto('/operator/wallets')
  await first.getByRole('button', { name: 'Propose a wallet' }).click()
  const proposing = first.getByRole('dialog', { name: 'Propose a wallet' })
  await proposing.getByRole('combobox', { name: 'Coin' }).selectOption('usdt')
  await proposing.getByRole('combobox', { name: 'Network' }).selectOption('usdt-bsc')
  await proposing.getByRole('textbox', { name: 'Receiving address' }).fill(address.replace(/.$/, 'g'))
  await proposing.getByRole('button', { name: 'Review' }).click()
  await expect(proposing.getByText('This is not a BNB Smart Chain address')).toBeVisible()
  await proposing.getByRole('textbox', { name: 'Receiving address' }).fill(address)
  await proposing.getByRole('textbox', { name: 'Reason' }).fill('A new vault')
  await proposing.getByRole('button', { name: 'Review' }).click()
  await expect(proposing.getByText('The checksum is valid: EIP-55, main network.')).toBeVisible()
  await expectAccessible(first)
  await proposing.getByRole('button', { name: 'Propose the wallet' }).click()
  await expect(first.getByText(`to ${ends} waits for another operator`)).toBeVisible()

  const second = await open(operatorSession('second'))
  await second.goto('/operator/wallets')
  await second.getByRole('link', { name: `Review ${ends}` }).click()
  const proposal = second.getByRole('dialog', { name: 'Receiving wallet' })
  await expect(valueFor(proposal, 'Address').locator('code')).toHaveText(address)
  await approveProposal(proposal)

  const { session } = await newInvestor()
  const investor = await open(session)
  const offered = investor.locator('code', { hasText: address })
  const announce = async () => {
    await investor.goto('/dashboard/deposit')
    await fillDepositForm(investor, 'USDT', '25')
    await investor.getByRole('radio', { name: 'BNB Smart Chain (BEP-20)' }).check()
    await expect(investor.getByText('Wallet address, BNB Smart Chain (BEP-20)')).toBeVisible()
  }
  await announce()
  await expect(offered).toBeVisible()

  await second.goto('/operator/wallets')
  const row = second.getByRole('row').filter({ hasText: ends }).filter({ hasText: 'Not proven' })
  await row.getByRole('button').click()
  const opened = second.getByRole('dialog', { name: 'USDT on BNB Smart Chain (BEP-20)' })
  await opened.getByRole('button', { name: 'Prove control' }).click()
  await opened.getByRole('button', { name: 'Get the message to sign' }).click()
  const message = opened.locator('code', { hasText: `at ${address}` })
  const text = (await message.textContent()) ?? ''
  const signature = opened.getByRole('textbox', { name: 'Signature' })
  await signature.fill(sign(`${text} `))
  await opened.getByRole('button', { name: 'Check and save' }).click()
  await expect(opened.getByText('This signature does not match the message and the address')).toBeVisible()
  await signature.fill(sign(text))
  await opened.getByRole('button', { name: 'Check and save' }).click()
  await expect(opened.getByText('The signature matches the key of this address')).toBeVisible()
  await expect(valueFor(opened, 'Message')).toContainText(text)
  await expectAccessible(second)
  await opened.getByRole('button', { name: 'Close', exact: true }).last().click()

  await second.getByRole('row').filter({ hasText: ends }).getByRole('button').click()
  await opened.getByRole('button', { name: 'Retire it' }).click()
  await opened.getByRole('button', { name: 'Retire the wallet' }).click()
  await expect(opened.getByText('Investors no longer see it.')).toBeVisible()
  await announce()
  await expect(offered).toHaveCount(0)

  await second.goto('/operator/wallets?status=retired')
  await second.getByRole('row').filter({ hasText: ends }).getByRole('button').click()
  await expect(valueFor(opened, 'Because')).toHaveText('A new vault')
  // On a phone, the history of a case is folded.
  await opened.locator('summary').filter({ hasText: 'History' }).click()
  for (const step of [
    'Proposed by Sample Operator',
    'Approved by Second Operator',
    'Retired by Second Operator',
  ])
    await expect(opened.getByText(step, { exact: true })).toBeVisible()
  await expect(valueFor(opened, 'Shown')).toContainText('Second Operator, ')
  await expect(valueFor(opened, 'Signature')).toContainText(sign(text))
})
