import type { OperatorPayout, PayoutFees, PayoutKey, PayoutRow } from '../../src/contract/console/payouts.ts'
import { describePayoutProgress } from '../../src/contract/console/payouts.ts'
import type { OperatorWithdrawal } from '../../src/contract/console/withdrawals.ts'
import { expectAccessible } from './support/accessibility.ts'
import { UNAVAILABLE } from './support/http.ts'
import { operatorSession } from './support/people.ts'
import { BITCOIN_ADDRESS, valueFor } from './support/screens.ts'
import { expect, test } from './support/test.ts'

const AT = '2026-01-31T10:00:00.000Z'
const TXID = 'ab'.repeat(32)
const operator = { _id: 'operator', name: 'Sample Operator' }
const investor = { _id: 'investor', name: 'Ana Torres', email: 'ana@example.com' }
/** Long enough for several QR codes. */
const PSBT = Buffer.concat([Buffer.from('70736274ff', 'hex'), Buffer.alloc(400, 7)])

const withdrawals: OperatorWithdrawal[] = ['WTH-AAAA', 'WTH-BBBB'].map((ref, place) => ({
  _id: `withdrawal-${place}`,
  ref,
  investor,
  status: 'approved',
  createdAt: AT,
  amount: 500 + place,
  trxType: 'withdrawal',
  type: 'bitcoin',
  network: 'btc',
  address: BITCOIN_ADDRESS,
  bank: null,
  proof: 'totp',
  sent: null,
  reasons: [],
  heldUntil: null,
  steps: [{ step: 'approved', at: AT, by: { _id: 'second', name: 'Second Operator' } }],
  reference: null,
  reason: null,
}))

const fees: PayoutFees = {
  chain: 'bitcoin',
  unit: 'sat/vB',
  choices: [
    { speed: 'slow', fee: 2, minutes: 120 },
    { speed: 'normal', fee: 5, minutes: 30 },
    { speed: 'fast', fee: 9, minutes: 10 },
  ],
}

function key(place: number, keyName: string, holder: typeof operator | null): PayoutKey {
  return {
    key: place,
    keyName,
    address: `bc1qkey${place}`,
    holder: holder && { ...holder, canSign: holder !== operator },
    signed: null,
  }
}

function payoutWith(change: Partial<OperatorPayout>): OperatorPayout {
  const payout: OperatorPayout = {
    _id: 'payout-1',
    chain: 'bitcoin',
    state: 'built',
    words: '',
    problem: null,
    replacedBy: null,
    blockedByNonce: null,
    amount: 1001,
    withdrawals: 2,
    createdAt: AT,
    builtBy: operator,
    releasedAt: null,
    releasedBy: null,
    txid: null,
    fee: '0.00001000',
    confirmations: 0,
    needed: 3,
    block: null,
    confirmedAt: null,
    items: withdrawals.map(({ _id, ref, amount }) => ({
      _id,
      ref,
      investor,
      network: 'btc',
      address: BITCOIN_ADDRESS,
      quantity: '0.0078',
      amount,
      rate: '64200',
    })),
    change: { address: 'bc1qchange', quantity: '0.1' },
    coins: [{ coin: `${'cd'.repeat(32)}:1`, quantity: '0.11561' }],
    versions: [
      {
        version: 1,
        fee: '0.00001000',
        createdAt: AT,
        builtBy: operator,
        txid: null,
        releasedAt: null,
        releasedBy: null,
      },
    ],
    unsigned: PSBT.toString('base64'),
    shown: null,
    signatures: { have: 0, need: 2 },
    steps: [{ step: 'built', at: AT, by: operator }],
    keys: [
      key(0, 'd34db33f', operator),
      key(1, '0badcafe', { _id: 'second', name: 'Second Operator' }),
      key(2, 'deadbeef', null),
    ],
    missing: [{ _id: 'second', name: 'Second Operator' }],
    ...change,
  }
  return { ...payout, words: describePayoutProgress({ ...payout, isInBlock: payout.block !== null }) }
}

test('a payout is built from two withdrawals, shown as file and QR codes, signed twice, sent, and its fee raised', async ({
  open,
  allowFault,
}) => {
  test.setTimeout(120_000)
  allowFault(/status of 503/)
  const page = await open(operatorSession('first'), { viewport: { width: 390, height: 844 } })
  let current: OperatorPayout | null = null
  let fails = true
  const row = (): PayoutRow[] => (current === null ? [] : [current])
  await page.route(/\/api\/v1\/operator\/payouts(?:\?|$)/, (route) => {
    if (route.request().method() === 'GET')
      return fails ? route.fulfill(UNAVAILABLE) : route.fulfill({ json: row() })
    expect(route.request().postDataJSON()).toEqual({
      chain: 'bitcoin',
      withdrawals: ['withdrawal-0', 'withdrawal-1'],
      fee: 5,
    })
    current = payoutWith({})
    return route.fulfill({ status: 201, json: current })
  })
  await page.route('**/api/v1/operator/payouts/fees?*', (route) => route.fulfill({ json: fees }))
  await page.route('**/api/v1/operator/payouts/payout-1', (route) => route.fulfill({ json: current }))
  await page.route('**/api/v1/operator/withdrawals?*', (route) => route.fulfill({ json: withdrawals }))

  await page.goto('/operator/payouts')
  const list = page.getByRole('region', { name: 'All payouts' })
  await expect(list.getByRole('alert')).toContainText('We cannot answer right now.')
  fails = false
  await list.getByRole('button', { name: 'Try again' }).click()
  await expect(list.getByText('No payouts. Build one from approved withdrawals')).toBeVisible()
  await page.getByRole('button', { name: 'Build a payout' }).click()
  const building = page.getByRole('dialog', { name: 'Build a payout' })
  await building.getByRole('button', { name: 'Build the payout' }).click()
  await expect(building.getByText('Please choose at least one withdrawal')).toBeVisible()
  await expect(building.getByText('Please choose a fee')).toBeVisible()
  await building.getByRole('checkbox', { name: '$500.00 to Ana Torres, WTH-AAAA' }).check()
  await building.getByRole('checkbox', { name: '$501.00 to Ana Torres, WTH-BBBB' }).check()
  await building.getByRole('radio', { name: /^Normal, first block in about 30 minutes/ }).check()
  await expect(building.getByText('5 sat/vB, about 0.00000860 BTC')).toBeVisible()
  await expect(building.getByText('$1,001.00')).toBeVisible()
  await expectAccessible(page)
  await building.getByRole('button', { name: 'Build the payout' }).click()

  const opened = page.getByRole('dialog', { name: 'Payout' })
  await expect(opened.getByText('It waits for 2 signatures.')).toBeVisible()
  await expect(valueFor(opened, 'Network fee')).toHaveText('0.00001000 BTC')
  await expect(valueFor(opened, 'Signatures')).toHaveText('0 of 2, 2 more needed')
  const findKeyRow = (name: string) =>
    opened.getByRole('table', { name: 'Keys of the wallet' }).getByRole('row').filter({ hasText: name })
  await expect(findKeyRow('d34db33f')).toContainText('Can no longer sign')
  await expect(findKeyRow('0badcafe')).toContainText('Second Operator')
  await expect(findKeyRow('0badcafe')).toContainText('Missing')
  await expect(findKeyRow('deadbeef')).toContainText('Nobody yet')
  await expect(valueFor(opened, 'Change')).toContainText('0.1 BTC back to the wallet')
  await expect(opened.getByRole('link', { name: 'WTH-AAAA' })).toHaveAttribute(
    'href',
    '/operator/withdrawals?status=&open=withdrawal-0',
  )
  const download = page.waitForEvent('download')
  await opened.getByRole('button', { name: 'Save as a PSBT file' }).click()
  const file = await download
  expect(file.suggestedFilename()).toBe('payout-payout-1-1.psbt')
  // The tests prefer reduced motion, so the codes stand still.
  const code = opened.getByRole('img', { name: /^QR code of the PSBT, part 1 of \d+$/ })
  await expect(code).toBeVisible()
  const first = await code.innerHTML()
  await opened.getByRole('button', { name: 'Next' }).click()
  await expect(opened.getByText(/^Part 2 of \d+$/)).toBeVisible()
  expect(await opened.getByRole('img', { name: /part 2 of/ }).innerHTML()).not.toBe(first)
  await opened.getByRole('button', { name: 'Play' }).click()
  await expect(opened.getByRole('button', { name: 'Stop' })).toBeVisible()
  await opened.getByRole('button', { name: 'Stop' }).click()
  await expectAccessible(page)

  let answer: { status: number; json: unknown } = {
    status: 403,
    json: {
      code: 'key_of_another',
      msg: 'This signature was made with the key of Second Operator. They hand it in from their own session.',
    },
  }
  const differs = {
    status: 422,
    json: {
      code: 'signed_differs',
      msg: 'Output 1 pays another address than was built.',
      fields: { signed: 'Output 1 pays another address than was built.' },
    },
  }
  const handedIn: unknown[] = []
  await page.route('**/api/v1/operator/payouts/payout-1/release', (route) => {
    handedIn.push(route.request().postDataJSON())
    return route.fulfill(answer)
  })
  await opened.getByRole('button', { name: /^Release it/ }).click()
  const text = opened.getByRole('textbox', { name: 'Or its text' })
  await text.fill('cHNidP8B')
  await opened.getByRole('button', { name: 'Submit the signature' }).click()
  await expect(opened.getByRole('alert')).toContainText('made with the key of Second Operator')
  await expect(text).toHaveValue('cHNidP8B')
  answer = differs
  await opened.getByRole('button', { name: 'Submit the signature' }).click()
  await expect(text).toHaveAccessibleDescription(/Output 1 pays another address than was built\./)
  current = payoutWith({ signatures: { have: 1, need: 2 } })
  current.keys = current.keys.map((held) =>
    held.key === 2 ? { ...held, signed: { at: AT, by: operator } } : held,
  )
  answer = { status: 202, json: current }
  await opened.getByLabel('Signed file').setInputFiles({
    name: 'signed.psbt',
    mimeType: 'application/octet-stream',
    buffer: PSBT,
  })
  await expect(text).toHaveValue(PSBT.toString('base64'))
  await expectAccessible(page)
  await opened.getByRole('button', { name: 'Submit the signature' }).click()
  await expect(opened.getByText('The signature is valid and stored.')).toBeVisible()
  await expect(opened.getByText('It has 1 of 2 signatures and waits for the others.')).toBeVisible()
  await expect(findKeyRow('deadbeef')).toContainText(/Signed.* by Sample Operator/)
  expect(handedIn).toEqual([
    { signed: 'cHNidP8B' },
    { signed: 'cHNidP8B' },
    { signed: PSBT.toString('base64') },
  ])

  const sent = { txid: TXID, releasedAt: AT, releasedBy: operator }
  current = payoutWith({
    state: 'released',
    ...sent,
    unsigned: null,
    signatures: { have: 2, need: 2 },
  })
  answer = { status: 200, json: current }
  await opened.getByRole('button', { name: /^Release it/ }).click()
  await text.fill('cHNidP8B')
  await expect(
    opened.getByText('It is sent at once and cannot be called back. $1,001.00 leave the wallet.'),
  ).toBeVisible()
  await opened.locator('form').getByRole('button', { name: 'Release it' }).click()
  await expect(opened.getByText('It matches what was built')).toBeVisible()
  await expect(opened.getByText('It was sent and waits for its first block.')).toBeVisible()
  await expect(valueFor(opened, 'Transaction')).toContainText(TXID)
  await expect(opened.getByRole('button', { name: 'Cancel it' })).toHaveCount(0)

  await page.route('**/api/v1/operator/payouts/payout-1/replace', (route) => {
    expect(route.request().postDataJSON()).toEqual({ fee: 9 })
    const [version] = payoutWith({}).versions
    current = payoutWith({
      state: 'released',
      ...sent,
      versions: version
        ? [
            { ...version, ...sent },
            { ...version, version: 2, fee: '0.00001800' },
          ]
        : [],
      signatures: { have: 0, need: 2 },
    })
    return route.fulfill({ status: 201, json: current })
  })
  await opened.getByRole('button', { name: 'Raise the fee' }).click()
  await opened.getByRole('radio', { name: /^Fast/ }).check()
  await opened.getByRole('button', { name: 'Build the replacement' }).click()
  await expect(opened.getByText('It pays the same with a higher fee.')).toBeVisible()
  await expect(valueFor(opened, 'Replacement 1')).toContainText(
    '0.00001800 BTC, by Sample Operator, not sent',
  )

  current = payoutWith({
    state: 'confirmed',
    ...sent,
    unsigned: null,
    confirmations: 3,
    block: { height: 901_234, hash: 'ef'.repeat(32) },
    confirmedAt: AT,
    signatures: { have: 2, need: 2 },
  })
  await page.reload()
  await expect(opened.getByText('Confirmed by the chain. Its withdrawals are completed.')).toBeVisible()
  await expect(valueFor(opened, 'Block')).toContainText('901,234')
  await expect(opened.getByRole('button', { name: /Release|Raise|Cancel/ })).toHaveCount(0)
  await expectAccessible(page)
})

test('a withdrawal on a proved network leads to its payout, and nobody records it by hand', async ({
  open,
}) => {
  const page = await open(operatorSession('first'))
  const [withdrawal] = withdrawals
  const row: OperatorWithdrawal = {
    ...(withdrawal as OperatorWithdrawal),
    paidByChain: true,
    payout: {
      _id: 'payout-1',
      state: 'released',
      quantity: '0.0078',
      rate: '64200',
      txid: TXID,
      confirmations: 1,
      needed: 3,
    },
  }
  await page.route('**/api/v1/operator/withdrawals?*', (route) => route.fulfill({ json: [row] }))
  await page.route('**/api/v1/operator/withdrawals/withdrawal-0', (route) => route.fulfill({ json: row }))
  await page.route('**/api/v1/operator/investors/investor*', (route) => route.fulfill(UNAVAILABLE))
  await page.goto('/operator/withdrawals?status=approved&open=withdrawal-0')
  const dialog = page.getByRole('dialog', { name: 'Withdrawal WTH-AAAA' })
  await expect(dialog.getByText('the chain completes the withdrawal')).toBeVisible()
  await expect(dialog.getByRole('button', { name: /Record payment/ })).toHaveCount(0)
  await expect(valueFor(dialog, 'Payout')).toHaveText('Sent, 1 of 3 confirmations')
  await expect(dialog.getByRole('link', { name: 'Sent' })).toHaveAttribute(
    'href',
    '/operator/payouts?open=payout-1',
  )
})

test('while payouts are paused, a case says to pay nothing and offers no payment', async ({ open }) => {
  const page = await open(operatorSession('first'))
  const [withdrawal] = withdrawals
  const row: OperatorWithdrawal = {
    ...(withdrawal as OperatorWithdrawal),
    alone: { limit: 5000, used: 0, day: { limit: 25_000, used: 0 }, needsTwo: false, reasons: [] },
    toSend: { quantity: '0.0078', rate: '64200' },
    payoutPause: { since: AT, by: operator, reason: 'A signing device is missing' },
    lacksAddressProofAbove: 150,
  }
  await page.route('**/api/v1/operator/withdrawals?*', (route) => route.fulfill({ json: [row] }))
  await page.route('**/api/v1/operator/withdrawals/withdrawal-0', (route) => route.fulfill({ json: row }))
  await page.route('**/api/v1/operator/investors/investor*', (route) => route.fulfill(UNAVAILABLE))
  await page.goto('/operator/withdrawals?status=approved&open=withdrawal-0')
  const dialog = page.getByRole('dialog', { name: 'Withdrawal WTH-AAAA' })
  await expect(dialog.getByText('Payouts are paused. Pay nothing.')).toBeVisible()
  await expect(dialog.getByText('A signing device is missing')).toBeVisible()
  await expect(dialog.getByText('which withdrawals above $150.00 in total need')).toBeVisible()
  await expect(dialog.getByRole('button', { name: /Reject withdrawal/ })).toBeVisible()
  await expect(dialog.getByRole('button', { name: /Record payment/ })).toHaveCount(0)
  await expect(dialog.getByText(/0\.0078|Pay first|pay this withdrawal alone/)).toHaveCount(0)
  await expectAccessible(page)
})
