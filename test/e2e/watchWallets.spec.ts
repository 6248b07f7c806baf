import { randomBytes } from 'node:crypto'
import { HDKey } from '@scure/bip32'
import type { WatchWallet } from '../../src/contract/console/watchWallets.ts'
import { type Signer, segwitSignerOf } from '../support/signers.ts'
import { expectAccessible } from './support/accessibility.ts'
import { UNAVAILABLE } from './support/http.ts'
import { operatorSession } from './support/people.ts'
import { valueFor } from './support/screens.ts'
import { expect, test } from './support/test.ts'

/** A new wallet of one key: its public descriptor, its private key, and who signs for it. */
function newWallet(): { descriptor: string; secret: string; signer: Signer } {
  const account = HDKey.fromMasterSeed(randomBytes(32)).derive("m/84'/0'/0'")
  const { privateKey } = account.deriveChild(0).deriveChild(0)
  if (privateKey === null) throw new Error('The key has no private half.')
  return {
    descriptor: `wpkh(${account.publicExtendedKey}/<0;1>/*)`,
    secret: account.privateExtendedKey,
    signer: segwitSignerOf(privateKey),
  }
}

test('a watch-only wallet is proposed with a signature of its key, and another operator sees its descriptor', async ({
  open,
}) => {
  test.setTimeout(120_000)
  const { descriptor, secret, signer } = newWallet()
  const first = await open(operatorSession('first'), { viewport: { width: 390, height: 844 } })
  await first.goto('/operator/wallets')
  await expect(first.getByText('No watch-only wallet. With one, each investor')).toBeVisible()
  await first.getByRole('button', { name: 'Propose a watch-only wallet' }).click()
  const dialog = first.getByRole('dialog', { name: 'Propose a watch-only wallet' })
  const field = dialog.getByRole('textbox', { name: 'Output descriptor' })
  const request = dialog.getByRole('button', { name: 'Get the message to sign' })
  await expectAccessible(first)

  await field.fill(`wpkh(${secret}/<0;1>/*)`)
  await request.click()
  await expect(field).toHaveAccessibleDescription(/This contains a secret that can spend/)
  await field.fill('wpkh(nothing)')
  await request.click()
  await expect(field).toHaveAttribute('aria-invalid', 'true')
  await field.fill(descriptor)
  await request.click()

  // The first address is the one that the wallet's own software shows, and the one that signs.
  const addresses = dialog.getByRole('listitem')
  await expect(addresses).toHaveCount(3)
  await expect(addresses.first()).toHaveText(signer.address)
  const message =
    (await dialog.getByText(/ watches a wallet on Bitcoin whose first address/).textContent()) ?? ''
  const signature = dialog.getByRole('textbox', { name: 'Signature' })
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('The new vault')
  await expectAccessible(first)
  const propose = async (text: string) => {
    await signature.fill(text)
    await dialog.getByRole('button', { name: 'Review' }).click()
    await dialog.getByRole('button', { name: 'Propose the wallet' }).click()
  }
  await propose(signer.sign(`${message} `))
  await expect(dialog.getByRole('alert')).toContainText('does not match the message')
  await propose(signer.sign(message))
  await expect(first.getByText('Proposed. Another administrator decides under Proposals.')).toBeVisible()

  const second = await open(operatorSession('second'))
  await second.goto('/operator/proposals')
  await second.getByRole('row').filter({ hasText: 'Watch-only wallet' }).getByRole('button').first().click()
  const proposal = second.getByRole('dialog', { name: 'Watch-only wallet' })
  await expect(valueFor(proposal, 'Descriptor')).toContainText(descriptor.slice(5, 100))
  await expect(valueFor(proposal, 'Signed message')).toContainText(message)
  await proposal.getByRole('button', { name: 'Approve watch-only wallet' }).click()
  await expect(
    proposal.getByText('Compare the descriptor with the wallet’s own software yourself'),
  ).toBeVisible()
  await expectAccessible(second)
  await proposal.getByRole('button', { name: 'Cancel' }).click()
  // Rejected, because an active wallet would stay for other tests.
  await proposal.getByRole('button', { name: 'Reject proposal' }).click()
  await proposal.getByRole('textbox', { name: 'Reason' }).fill('Only a test.')
  await proposal.getByRole('button', { name: 'Reject the proposal' }).click()
  await expect(second.getByText('Nothing changed.').first()).toBeVisible()
})

const watched: WatchWallet = {
  _id: 'watched',
  chain: 'bitcoin',
  descriptor:
    'wpkh(xpub6BosfCnifzxcFwrSzQiqu2DBVTshkCXacvNsWGYJVVhhawA7d4R5WSWGFNbi8Aw6ZRc1brxMyWMzG3DSSSSoekkudhUd9yLb6qx39T9nMdj/<0;1>/*)#abcdefgh',
  warnings: ['The origin of the key is missing: its master key’s fingerprint and path.'],
  active: true,
  createdAt: '2026-01-31T10:00:00.000Z',
  steps: [
    { step: 'proposed', at: '2026-01-31T10:00:00.000Z', by: { _id: 'a', name: 'Sample Operator' } },
    { step: 'approved', at: '2026-01-31T10:00:00.000Z', by: { _id: 'b', name: 'Second Operator' } },
  ],
  reason: 'The new vault',
  proof: {
    message: 'We hold its key.',
    signatures: ['c2lnbmVk'],
    signers: [
      { key: 0, origin: 'd34db33f/84h/0h/0h', address: 'bc1qexample', methods: ['bip322', 'bip137'] },
    ],
  },
  holders: [{ _id: 'left', name: 'Leo Leaving', canSign: false }],
  nextIndex: 951,
  unpaid: 900,
  gap: 1_000,
  networks: ['btc'],
  isObserved: true,
  servers: [
    {
      server: 'esplora-one.example',
      height: 901_234,
      answeredAt: '2026-01-31T10:00:00.000Z',
      failingSince: null,
      fault: null,
    },
    {
      server: 'esplora-two.example',
      height: 901_200,
      answeredAt: '2026-01-31T09:00:00.000Z',
      failingSince: '2026-01-31T09:01:00.000Z',
      fault: 'does not answer',
    },
  ],
}

test('the console shows a watch-only wallet near its gap limit, its faulty server, and proposes to retire it', async ({
  open,
  allowFault,
}) => {
  allowFault(/status of 503/)
  const page = await open(operatorSession('first'))
  let fails = true
  const sent: unknown[] = []
  await page.route('**/api/v1/operator/watch-wallets*', (route) =>
    fails ? route.fulfill(UNAVAILABLE) : route.fulfill({ json: [watched] }),
  )
  await page.route('**/api/v1/operator/watch-wallets/watched/retire', (route) => {
    sent.push(route.request().postDataJSON())
    return route.fulfill({ status: 202, json: {} })
  })
  await page.goto('/operator/wallets')
  const panel = page.getByRole('region', { name: 'Watch-only wallets' })
  await expect(panel.getByRole('alert')).toContainText('We cannot answer right now.')
  fails = false
  await panel.getByRole('button', { name: 'Try again' }).click()
  const row = panel.getByRole('row').filter({ hasText: 'bitcoin' })
  await expect(row).toContainText('951 given, 900 of 1,000 unpaid')
  await expect(row).toContainText('Server faulty')
  await expect(row).toContainText('1 of 2 faulty')
  await row.getByRole('button').click()
  const dialog = page.getByRole('dialog', { name: 'Watch-only wallet on Bitcoin' })
  await expect(dialog.getByText('Raise the gap limit in the wallet’s software first.')).toBeVisible()
  await expect(dialog.getByText('Hardware may refuse to sign payouts')).toBeVisible()
  await expect(valueFor(dialog, 'esplora-two.example')).toContainText('It does not answer since')
  await expect(dialog.getByRole('button', { name: 'Copy descriptor' })).toBeVisible()
  await expectAccessible(page)
  await expect(dialog.getByText('A key needs another person')).toBeVisible()
  await expect(valueFor(dialog, 'Its holder')).toContainText('Leo Leaving')
  await page.route('**/api/v1/operator/colleagues', (route) =>
    route.fulfill({
      json: [
        { _id: 'holly', name: 'Holly Holder', roles: ['treasurer'] },
        { _id: 'rex', name: 'Rex Reviewer', roles: ['reviewer'] },
      ],
    }),
  )
  const proposed: unknown[] = []
  await page.route('**/api/v1/operator/proposals', (route) => {
    proposed.push(route.request().postDataJSON())
    const msg = 'Only a treasurer can hold a key'
    return route.fulfill({ status: 422, json: { code: 'validation_failed', msg, fields: { holders: msg } } })
  })
  await dialog.getByRole('button', { name: 'Assign the keys' }).click()
  const holder = dialog.getByRole('combobox', { name: 'The key, d34db33f' })
  await expect(holder.getByRole('option')).toHaveText(['Nobody yet', 'Holly Holder'])
  await holder.selectOption('Holly Holder')
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('Leo left')
  await dialog.getByRole('button', { name: 'Review' }).click()
  await expect(dialog.getByText('each of these people hands in the signatures')).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Propose the holders' }).click()
  await expect(dialog.getByRole('alert')).toContainText('Only a treasurer can hold a key')
  await expect(holder).toHaveValue('holly')
  expect(proposed).toMatchObject([
    { kind: 'key_holders', wallet: 'watched', holders: ['holly'], reason: 'Leo left' },
  ])
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.getByRole('button', { name: 'Retire it' }).click()
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('New devices')
  await dialog.getByRole('button', { name: 'Review' }).click()
  await expect(dialog.getByText('Once another administrator approves it')).toBeVisible()
  await dialog.getByRole('button', { name: 'Propose the retirement' }).click()
  await expect(dialog.getByText('Nothing changes until another administrator approves it.')).toBeVisible()
  expect(sent).toEqual([{ reason: 'New devices' }])
  await expect(dialog.getByRole('button', { name: 'Retire it' })).toHaveCount(0)
})
