import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { copyPng } from '../../../src/pictures/samples.ts'
import { depositForm, fileDeposit } from '../../../test/support/filing.ts'
import { call } from '../../../test/support/http.ts'
import { txid } from '../../../test/support/ledger/txid.ts'
import { booksOf } from '../../../test/support/money.ts'
import { newInvestor, newOperator } from '../../../test/support/people.ts'
import { newPicture } from '../../../test/support/picture.ts'
import { setSetting } from '../../../test/support/settings.ts'
import { newWallet, retireWallet } from '../../../test/support/wallets.ts'

test('a deposit is filed with its receipt, is pending, and credits nothing', async () => {
  const ana = await newInvestor()
  const wallet = await newWallet({ network: 'usdt-trc20' })
  const reply = await fileDeposit(ana, {
    type: 'usdt',
    amount: '1500.5',
    paymentTo: wallet.address,
    txid: ` ${txid('paid').toUpperCase()} `,
    image: new Blob([copyPng()], { type: 'image/png' }),
  })
  expect(reply.status).toBe(201)
  expect(reply.body).toEqual({
    msg: expect.stringContaining(reply.body.ref),
    ref: reply.body.ref,
    _id: reply.body._id,
  })
  expect(reply.body.ref).toMatch(/^DEP-[0-9A-Z]{8}$/)
  expect(await booksOf(ana.id)).toMatchObject({ available: 0, deposits: 0, pendingDeposits: 1500_50 })

  const details = await env.DB.prepare('SELECT * FROM deposit_details WHERE request = ?')
    .bind(reply.body._id)
    .first<Record<string, string>>()
  expect(details).toMatchObject({
    coin: 'usdt',
    network: 'usdt-trc20',
    txid: txid('paid'),
    receipt_type: 'image/png',
  })
  expect(details?.payment_to).toBe(wallet.address)
  const receipt = await env.FILES.get(details?.receipt_key ?? '')
  const bytes = new Uint8Array((await receipt?.arrayBuffer()) ?? new ArrayBuffer())
  expect(details?.receipt_key).toMatch(/^receipts\/[\w-]{43}$/)
  expect(bytes.length).toBeGreaterThan(0)
  // Metadata about where and by whom a picture was taken is private.
  expect(new TextDecoder('latin1').decode(copyPng())).toContain('SECRET OWNER')
  expect(new TextDecoder('latin1').decode(bytes)).not.toContain('SECRET OWNER')
})

test('filing a deposit is on the audit log, with figures and no address', async () => {
  const ana = await newInvestor()
  const { body } = await fileDeposit(ana)
  const entry = await env.DB.prepare('SELECT * FROM audit_log WHERE subject = ?').bind(body._id).first()
  expect(entry).toMatchObject({ actor: ana.id, action: 'deposit.requested' })
  expect(JSON.parse(String(entry?.detail))).toEqual({ amountCents: 250_00, coin: 'bitcoin', network: 'btc' })
})

test('every wrong field is named, with the form’s messages', async () => {
  const ana = await newInvestor()
  const reply = await call('POST', '/deposits', { token: ana.token, form: { amount: '' } })
  expect(reply.status).toBe(422)
  expect(reply.body.fields).toEqual({
    type: 'Please choose a coin',
    amount: 'Please input deposit amount in USD',
    paymentTo: 'Please choose the wallet you paid to',
    image: 'Please upload the receipt of your payment',
  })
  expect(reply.body.msg).toBe('Please choose a coin')
})

test('a transaction id of another network is refused, also if all else is right', async () => {
  const reply = await fileDeposit(await newInvestor(), { txid: 'not-a-transaction' })
  expect(reply).toMatchObject({ status: 422, body: { fields: { txid: expect.any(String) } } })
})

test.each(['0', '-1', '1e3', '1,000', '1.234', 'NaN', ' 5', '10000000000.01'])(
  'the amount %j is refused',
  async (amount) => {
    const ana = await newInvestor()
    const reply = await fileDeposit(ana, { amount, paymentTo: 'x' })
    expect(reply).toMatchObject({ status: 422, body: { code: 'validation_failed' } })
    expect(reply.body.fields).toHaveProperty('amount')
  },
)

test('payment goes to an active wallet of the coin, and to no other', async () => {
  const ana = await newInvestor()
  const ether = await newWallet({ network: 'eth' })
  const retired = await newWallet({ network: 'btc' })
  await retireWallet(retired)
  for (const paymentTo of [ether.address, retired.address, 'somewhere']) {
    const reply = await fileDeposit(ana, { paymentTo })
    expect(reply).toMatchObject({ status: 422, body: { code: 'validation_failed' } })
    expect(Object.keys(reply.body.fields ?? {})).toEqual(['paymentTo'])
  }
})

test('if one address serves several networks, the named network counts', async () => {
  const ana = await newInvestor()
  const { address } = await newWallet({ network: 'usdt-erc20' })
  await newWallet({ network: 'usdt-bsc', address })
  const networkOf = async (network?: string) => {
    const fields = { type: 'usdt', paymentTo: address, ...(network !== undefined && { network }) }
    const { status, body } = await fileDeposit(ana, fields)
    if (status !== 201) return body.fields
    const row = await env.DB.prepare('SELECT network FROM deposit_details WHERE request = ?')
      .bind(body._id)
      .first<{ network: string }>()
    return row?.network
  }
  expect(await networkOf('usdt-bsc')).toBe('usdt-bsc')
  expect(await networkOf('usdt-erc20')).toBe('usdt-erc20')
  expect(await networkOf('')).toBe('usdt-erc20')
  expect(await networkOf()).toBe('usdt-erc20')
  expect(await networkOf('usdt-trc20')).toEqual({
    paymentTo: 'Please pay to one of the wallets shown for this coin',
  })
  expect(await networkOf('dogecoin')).toEqual({ network: 'Please choose a network' })
})

test('a receipt is one picture that can be read', async () => {
  const ana = await newInvestor()
  const text = await fileDeposit(ana, { image: new Blob(['no picture'], { type: 'image/png' }) })
  expect(text.body.fields).toEqual({ image: 'Please choose a PNG, GIF, JPEG, SVG, WebP or AVIF picture' })
  const two = new FormData()
  for (const [name, value] of Object.entries(await depositForm())) two.append(name, value)
  two.append('image', newPicture(), 'second')
  const several = await call('POST', '/deposits', { token: ana.token, form: two })
  expect(several.body.fields).toEqual({ image: 'Please attach one picture only' })
})

test('a deposit without a receipt cannot be sent as JSON', async () => {
  const ana = await newInvestor()
  const reply = await call('POST', '/deposits', { token: ana.token, json: { type: 'bitcoin' } })
  expect(reply).toMatchObject({ status: 415, body: { code: 'unsupported_media_type' } })
})

test('who may deposit: signed in, an investor, not frozen, identified, in this order', async () => {
  expect(await call('POST', '/deposits', { form: {} })).toMatchObject({ status: 401 })
  const operator = await newOperator()
  expect(await fileDeposit(operator)).toMatchObject({ status: 403, body: { code: 'forbidden' } })
  const frozen = await newInvestor({ frozen: true, kyc: 'none' })
  const empty = { form: { amount: 'x' } }
  expect(await call('POST', '/deposits', { token: frozen.token, ...empty })).toMatchObject({
    status: 403,
    body: { code: 'account_frozen' },
  })
  for (const kyc of ['none', 'pending', 'rejected'] as const) {
    const stranger = await newInvestor({ kyc })
    expect(await call('POST', '/deposits', { token: stranger.token, ...empty })).toMatchObject({
      status: 403,
      body: { code: 'kyc_required' },
    })
  }
})

test('a twenty-first open deposit is refused, after its fields, and leaves no file behind', async () => {
  const ana = await newInvestor()
  const { address } = await newWallet()
  for (let i = 0; i < 20; i++) expect((await fileDeposit(ana, { paymentTo: address })).status).toBe(201)
  const files = async () => (await env.FILES.list({ prefix: 'receipts/' })).objects.length
  const before = await files()
  expect(await fileDeposit(ana, { paymentTo: address })).toMatchObject({
    status: 409,
    body: { code: 'too_many_open' },
  })
  expect(await files()).toBe(before)
  expect(await fileDeposit(ana, { paymentTo: 'nowhere' })).toMatchObject({ status: 422 })
})

test('of thirty parallel deposits twenty are filed, and twenty receipts are stored', async () => {
  const ana = await newInvestor()
  const { address } = await newWallet()
  const files = async () => (await env.FILES.list({ prefix: 'receipts/' })).objects.length
  const before = await files()
  const replies = await Promise.all(
    Array.from({ length: 30 }, () => fileDeposit(ana, { paymentTo: address })),
  )
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(20)
  expect(replies.filter(({ body }) => body.code === 'too_many_open')).toHaveLength(10)
  await expect.poll(files).toBe(before + 20)
})

test('a repeated key gives the first answer, with any form boundary, and files nothing more', async () => {
  const ana = await newInvestor()
  const fields = await depositForm()
  const send = (more: Record<string, string> = {}) =>
    call('POST', '/deposits', { token: ana.token, idempotencyKey: 'deposit-1', form: { ...fields, ...more } })
  const first = await send()
  const again = await send({ amount: '250' })
  expect(first.status).toBe(201)
  expect(again).toMatchObject({ status: 201, body: first.body })
  expect(again.headers.get('Idempotency-Replayed')).toBe('true')
  expect(await send({ amount: '251' })).toMatchObject({
    status: 422,
    body: { code: 'idempotency_key_reused' },
  })
  expect(await booksOf(ana.id)).toMatchObject({ pendingDeposits: 250_00 })
})

test('another receipt under the same key is another request', async () => {
  const ana = await newInvestor()
  const fields = await depositForm()
  const send = (image: Blob) =>
    call('POST', '/deposits', { token: ana.token, idempotencyKey: 'deposit-2', form: { ...fields, image } })
  expect((await send(newPicture())).status).toBe(201)
  expect(await send(new Blob([copyPng(), 'more']))).toMatchObject({
    body: { code: 'idempotency_key_reused' },
  })
})

test('fifty parallel requests with one key file one deposit', async () => {
  const ana = await newInvestor()
  const fields = await depositForm()
  const replies = await Promise.all(
    Array.from({ length: 50 }, () =>
      call('POST', '/deposits', { token: ana.token, idempotencyKey: 'deposit-3', form: fields }),
    ),
  )
  const filed = replies.filter(({ status }) => status === 201)
  expect(new Set(filed.map(({ body }) => body._id)).size).toBe(1)
  for (const { status, body } of replies) {
    if (status !== 201) expect(body.code).toBe('idempotency_in_progress')
  }
  expect(await booksOf(ana.id)).toMatchObject({ pendingDeposits: 250_00 })
})

test('a refusal is not stored: the same key works once the fields are right', async () => {
  const ana = await newInvestor()
  const options = { idempotencyKey: 'deposit-4' }
  expect(await fileDeposit(ana, { paymentTo: 'nowhere' }, options)).toMatchObject({ status: 422 })
  expect(await fileDeposit(ana, {}, options)).toMatchObject({ status: 201 })
})

test('without the setting, nobody needs an identity', async () => {
  await setSetting('kycRequired', false)
  expect((await fileDeposit(await newInvestor({ kyc: 'none' }))).status).toBe(201)
})
