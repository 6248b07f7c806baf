import { env } from 'cloudflare:workers'
import { beforeAll, expect, test } from 'vitest'
import { TOKEN_CONTRACTS } from '../../../src/contract/money/coins.ts'
import {
  BANK_WITHDRAWAL,
  CRYPTO_WITHDRAWAL,
  GOOD_ADDRESS,
  mailedCode,
  withdraw,
} from '../../../test/support/filing.ts'
import { type CallOptions, call } from '../../../test/support/http.ts'
import { mailsTo, mailTo } from '../../../test/support/mailbox.ts'
import { booksOf, creditInvestor } from '../../../test/support/money.ts'
import { newInvestor, newOperator } from '../../../test/support/people.ts'
import { setSetting } from '../../../test/support/settings.ts'

// These withdrawals are smaller than the network's minimum.
beforeAll(() => setSetting('minimums', { btc: 0 }))

const CRYPTO = '/withdrawals'
const BANK = '/withdrawals/online-service'
type Fields = Readonly<Record<string, unknown>>

const ask = (person: { token: string }, fields: Fields = {}, options: CallOptions = {}) =>
  call('POST', CRYPTO, { token: person.token, json: { ...CRYPTO_WITHDRAWAL, ...fields }, ...options })
const detailsOf = (id: string) =>
  env.DB.prepare('SELECT * FROM withdrawal_details WHERE request = ?')
    .bind(id)
    .first<Record<string, string>>()

test('a withdrawal by cryptocurrency is confirmed, filed, and held at once', async () => {
  const ana = await newInvestor({ availableCents: 1000_00 })
  const reply = await withdraw(ana)
  expect(reply.status).toBe(201)
  expect(reply.body).toEqual({
    msg: expect.stringContaining(reply.body.ref),
    ref: reply.body.ref,
    _id: reply.body._id,
    heldUntil: expect.stringMatching(/Z$/),
  })
  expect(reply.body.ref).toMatch(/^WDR-[0-9A-Z]{8}$/)
  expect(await booksOf(ana.id)).toMatchObject({
    available: 900_00,
    held: 100_00,
    pendingWithdrawals: 100_00,
    withdrawals: 0,
    totalBalance: 1000_00,
  })
  expect(await detailsOf(reply.body._id)).toMatchObject({
    coin: 'bitcoin',
    network: 'btc',
    address: GOOD_ADDRESS,
    bank: null,
    proof: 'email',
    reasons: '["new_destination","new_device"]',
    session_id: ana.token.split('.')[0],
    held_until: Date.parse(reply.body.heldUntil ?? ''),
  })
})

test('a withdrawal to a bank is filed with its fields', async () => {
  const ana = await newInvestor({ availableCents: 1000_00 })
  const reply = await withdraw(ana, { withdrawalType: '' }, BANK)
  expect(reply.status).toBe(201)
  const details = await detailsOf(reply.body._id)
  expect(details).toMatchObject({ coin: null, network: null, address: null })
  const { amount: _amount, withdrawalMethod: _method, ...bank } = BANK_WITHDRAWAL
  expect(JSON.parse(details?.bank ?? '')).toEqual({ ...bank, withdrawalType: null })
})

test('both take form data as well as JSON', async () => {
  const ana = await newInvestor({ availableCents: 1000_00 })
  for (const [path, form] of [
    [CRYPTO, CRYPTO_WITHDRAWAL],
    [BANK, BANK_WITHDRAWAL],
  ] as const) {
    expect(await call('POST', path, { token: ana.token, form })).toMatchObject({
      body: { code: 'step_up_required' },
    })
    const code = await mailedCode(ana.email)
    expect(await call('POST', path, { token: ana.token, form: { ...form, code } })).toMatchObject({
      status: 201,
    })
  }
})

test('filing is on the audit log, with figures and no destination', async () => {
  const ana = await newInvestor({ availableCents: 1000_00 })
  const { body } = await withdraw(ana)
  const { results } = await env.DB.prepare('SELECT * FROM audit_log WHERE actor = ? ORDER BY seq')
    .bind(ana.id)
    .all<Record<string, string>>()
  expect(results.map(({ action }) => action)).toEqual(['withdrawal.code_mailed', 'withdrawal.requested'])
  expect(results[1]?.subject).toBe(body._id)
  expect(JSON.stringify(results)).not.toContain(GOOD_ADDRESS)
})

test('the fields of a bank withdrawal are all asked for, in the words and the order of the form', async () => {
  const ana = await newInvestor({ availableCents: 1000_00 })
  const reply = await call('POST', BANK, { token: ana.token, json: { withdrawalMethod: 'bank' } })
  expect(reply.status).toBe(422)
  expect(reply.body.msg).toBe('Please input withdrawal amount in USD')
  expect(Object.entries(reply.body.fields ?? {})).toEqual([
    ['amount', 'Please input withdrawal amount in USD'],
    ['title', 'Please provide title'],
    ['surname', 'Please provide surname'],
    ['firstName', 'Please provide first name'],
    ['occupation', 'Please provide occupation'],
    ['clientNumber', 'Please provide client number'],
    ['investmentNumber', 'Please provide investment number'],
    ['productName', 'Please provide product name'],
    ['bankName', 'Please provide bank name'],
    ['accountNumber', 'Please provide account number'],
    ['branchName', 'Please provide branch name'],
    ['accountType', 'Please provide account type'],
    ['accountHolderName', 'Please provide account holder name'],
    ['branchCode', 'Please provide branch code'],
    ['withdrawalReason', 'Please provide withdrawal reason'],
  ])
})

test('with the country of the bank, only what its payments take is asked for, and nothing is stored for the rest', async () => {
  const ana = await newInvestor({ availableCents: 1000_00 })
  const ask = (json: object) => call('POST', BANK, { token: ana.token, json: { amount: '5', ...json } })
  const missing = async (country: string) => Object.keys((await ask({ country })).body.fields ?? {})
  const always = ['bankName', 'accountNumber', 'accountHolderName']
  expect(await missing('DE')).toEqual(always)
  expect(await missing('GB')).toEqual([...always, 'branchCode'])
  expect(await missing('US')).toEqual([
    ...['bankName', 'accountNumber', 'accountType', 'accountHolderName', 'branchCode'],
  ])
  const account = {
    country: 'DE',
    bankName: 'First Harbour Bank',
    accountNumber: 'DE89370400440532013000',
    accountHolderName: 'Ana Torres',
    clientNumber: ' ',
  }
  expect(await ask(account)).toMatchObject({ body: { code: 'step_up_required' } })
  const mail = await mailTo(ana.email, /^Confirm your withdrawal$/)
  expect(mail.text).not.toMatch(/none|Client number|Branch|Title/)
  const filed = await ask({ ...account, code: await mailedCode(ana.email) })
  expect(filed.status).toBe(201)
  const row = await env.DB.prepare('SELECT bank FROM withdrawal_details WHERE request = ?')
    .bind(filed.body._id)
    .first<{ bank: string }>()
  expect(JSON.parse(row?.bank ?? '')).toMatchObject({ occupation: '', clientNumber: '', branchCode: '' })
})

test('the address must be valid on the network, and the network must carry the coin', async () => {
  const ana = await newInvestor({ availableCents: 1000_00 })
  const wrong = await ask(ana, { address: 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx' })
  expect(wrong).toMatchObject({ status: 422, body: { code: 'validation_failed' } })
  expect(Object.keys(wrong.body.fields ?? {})).toEqual(['address'])
  const mistyped = await ask(ana, { address: GOOD_ADDRESS.replace('w508', 'w509') })
  expect(mistyped.body.fields).toEqual({ address: expect.stringContaining('mistyped') })
  const elsewhere = await ask(ana, { type: 'usdt' })
  expect(elsewhere.body.fields).toEqual({ network: 'USDT does not travel on Bitcoin' })
  const missing = await ask(ana, { address: ' ' })
  expect(missing.body).toMatchObject({ msg: 'Please provide withdrawal address' })
  expect(await mailsTo(ana.email)).toEqual([])
})

test('a withdrawal to a token’s own contract or to the zero address is refused when it is filed', async () => {
  const ana = await newInvestor({ availableCents: 100_00 })
  for (const [type, network, address] of [
    ['usdt', 'usdt-trc20', TOKEN_CONTRACTS['usdt-trc20']],
    ['usdt', 'usdt-erc20', TOKEN_CONTRACTS['usdt-erc20'].toLowerCase()],
    ['usdt', 'usdt-bsc', TOKEN_CONTRACTS['usdt-bsc']],
    ['ethereum', 'eth', TOKEN_CONTRACTS['usdc-erc20']],
    ['ethereum', 'eth', `0x${'0'.repeat(40)}`],
  ] as const) {
    const { status, body } = await ask(ana, { type, network, address })
    expect([network, status, Object.keys(body.fields ?? {})]).toEqual([network, 422, ['address']])
  }
})

test('who may withdraw: signed in, an investor, not frozen, identified, in this order', async () => {
  for (const path of [CRYPTO, BANK]) {
    const ask = (token: string) => call('POST', path, { token, json: { amount: 'x' } })
    expect(await call('POST', path, { json: {} })).toMatchObject({ status: 401 })
    expect(await ask((await newOperator()).token)).toMatchObject({ status: 403, body: { code: 'forbidden' } })
    const frozen = await newInvestor({ frozen: true, kyc: 'none' })
    expect(await ask(frozen.token)).toMatchObject({ status: 403, body: { code: 'account_frozen' } })
    const stranger = await newInvestor({ kyc: 'pending' })
    expect(await ask(stranger.token)).toMatchObject({ status: 403, body: { code: 'kyc_required' } })
  }
})

test('an amount without cover is refused before any proof is requested', async () => {
  const ana = await newInvestor({ availableCents: 99_99 })
  expect(await ask(ana)).toMatchObject({ status: 422, body: { code: 'insufficient_funds' } })
  expect(await ask(await newInvestor())).toMatchObject({ status: 422, body: { code: 'insufficient_funds' } })
  expect(await mailsTo(ana.email)).toEqual([])
})

test('a twenty-first open withdrawal is refused: after its fields, before it is asked whether it is covered', async () => {
  const ana = await newInvestor({ availableCents: 10_000_00 })
  for (let i = 0; i < 20; i++) expect(await withdraw(ana, { amount: '1' })).toMatchObject({ status: 201 })
  expect(await ask(ana, { amount: '999999' })).toMatchObject({ status: 409, body: { code: 'too_many_open' } })
  expect(await ask(ana, { amount: '1', address: 'x' })).toMatchObject({
    status: 422,
    body: { code: 'validation_failed' },
  })
  expect(await booksOf(ana.id)).toMatchObject({ held: 20_00 })
})

test('a repeated key gives the first answer, also with another code and as form data', async () => {
  const ana = await newInvestor({ availableCents: 1000_00 })
  const key = { idempotencyKey: 'withdrawal-1' }
  expect(await ask(ana, {}, key)).toMatchObject({ status: 403, body: { code: 'step_up_required' } })
  const first = await ask(ana, { code: await mailedCode(ana.email) }, key)
  expect(first.status).toBe(201)
  const again = await ask(ana, { code: '000000', amount: 100 }, key)
  expect(again).toMatchObject({ status: 201, body: first.body })
  expect(again.headers.get('Idempotency-Replayed')).toBe('true')
  const asForm = await call('POST', CRYPTO, { token: ana.token, form: CRYPTO_WITHDRAWAL, ...key })
  expect(asForm).toMatchObject({ status: 201, body: first.body })
  expect(await ask(ana, { amount: '101' }, key)).toMatchObject({
    status: 422,
    body: { code: 'idempotency_key_reused' },
  })
  expect(await call('POST', BANK, { token: ana.token, json: BANK_WITHDRAWAL, ...key })).toMatchObject({
    body: { code: 'idempotency_key_reused' },
  })
  expect(await booksOf(ana.id)).toMatchObject({ held: 100_00 })
})

test('fifty parallel requests with one key file one withdrawal', async () => {
  const ana = await newInvestor({ availableCents: 10_000_00 })
  expect(await withdraw(ana)).toMatchObject({ status: 201 })
  const replies = await Promise.all(
    Array.from({ length: 50 }, () => ask(ana, {}, { idempotencyKey: 'many' })),
  )
  const filed = replies.filter(({ status }) => status === 201)
  expect(filed.length).toBeGreaterThan(0)
  expect(new Set(filed.map(({ body }) => body._id)).size).toBe(1)
  for (const { status, body } of replies) {
    if (status !== 201) expect(body.code).toBe('idempotency_in_progress')
  }
  expect(await booksOf(ana.id)).toMatchObject({ held: 200_00 })
})

test('money credited meanwhile can be withdrawn', async () => {
  const ana = await newInvestor()
  expect(await ask(ana)).toMatchObject({ body: { code: 'insufficient_funds' } })
  await creditInvestor(ana.id, 100_00)
  expect(await withdraw(ana)).toMatchObject({ status: 201 })
  expect(await booksOf(ana.id)).toMatchObject({ available: 0, held: 100_00 })
})
