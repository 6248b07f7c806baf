import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import type { Authenticator } from '../../../test/support/authenticator.ts'
import { letChangePass } from '../../../test/support/factors.ts'
import { BANK_WITHDRAWAL, CRYPTO_WITHDRAWAL, mailedCode } from '../../../test/support/filing.ts'
import { type CallOptions, call } from '../../../test/support/http.ts'
import { mailsTo } from '../../../test/support/mailbox.ts'
import { booksOf } from '../../../test/support/money.ts'
import { type Asking, withPasskey } from '../../../test/support/passkeys.ts'
import { newInvestor, newOperator, type Person } from '../../../test/support/people.ts'

type Fields = Readonly<Record<string, unknown>>
const OTHER_ADDRESS = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'

const ask = ({ token }: Person, fields: Fields = {}, options: CallOptions = {}) =>
  call<Asking>('POST', '/withdrawals', { token, json: { ...CRYPTO_WITHDRAWAL, ...fields }, ...options })
const invalid = { status: 403, body: { code: 'invalid_passkey' } }

async function withMoney(
  availableCents = 1000_00,
): Promise<{ ana: Person; device: Authenticator; id: string }> {
  const ana = await newInvestor({ availableCents })
  const added = await withPasskey(ana)
  await letChangePass(ana)
  return { ana, ...added }
}

test('a passkey confirms a withdrawal to a new destination without a delay', async () => {
  const { ana, device, id } = await withMoney()
  const asked = await ask(ana)
  expect(asked).toMatchObject({
    status: 403,
    body: {
      code: 'step_up_required',
      methods: ['passkey', 'email'],
      reasons: ['new_destination', 'new_device'],
      passkey: { rpId: 'localhost', userVerification: 'required', allowCredentials: [{ id: device.id }] },
    },
  })
  const filed = await ask(ana, { passkey: await device.answer(asked.body.passkey) })
  expect(filed.status).toBe(201)
  expect(filed.body.heldUntil).toBeUndefined()
  const row = await env.DB.prepare(
    'SELECT proof, passkey, held_until FROM withdrawal_details WHERE request = ?',
  )
    .bind(filed.body._id)
    .first()
  expect(row).toEqual({ proof: 'passkey', passkey: id, held_until: null })
  const line = await env.DB.prepare(
    "SELECT detail FROM audit_log WHERE subject = ? AND action = 'withdrawal.requested'",
  )
    .bind(filed.body._id)
    .first('detail')
  expect(JSON.parse(String(line))).toMatchObject({ proof: 'passkey' })
  const olu = await newOperator()
  const seen = await call('GET', `/operator/withdrawals/${filed.body._id}`, { token: olu.token })
  expect(seen.body).toMatchObject({ proof: 'passkey' })
  // Destination and device are now known.
  expect(await ask(ana, { amount: '10' })).toMatchObject({ status: 201 })
})

test('a passkey’s answer confirms exactly one amount and destination, once', async () => {
  const { ana, device } = await withMoney()
  const question = (await ask(ana)).body.passkey
  const passkey = await device.answer(question)
  expect(await ask(ana, { passkey, amount: '100.01' })).toMatchObject(invalid)
  expect(await ask(ana, { passkey, address: OTHER_ADDRESS })).toMatchObject(invalid)
  expect(
    await call('POST', '/withdrawals/online-service', {
      token: ana.token,
      json: { ...BANK_WITHDRAWAL, passkey },
    }),
  ).toMatchObject(invalid)
  expect(await booksOf(ana.id)).toMatchObject({ available: 1000_00, held: 0 })
  expect(await ask(ana, { passkey })).toMatchObject({ status: 201 })
  expect(await ask(ana, { passkey })).toMatchObject(invalid)
  expect(await booksOf(ana.id)).toMatchObject({ held: 100_00 })
})

test('one answer files one withdrawal among twenty that send it at the same moment', async () => {
  const { ana, device } = await withMoney()
  const passkey = await device.answer((await ask(ana)).body.passkey)
  await env.DB.prepare('DELETE FROM rate_counters').run()
  const replies = await Promise.all(Array.from({ length: 20 }, () => ask(ana, { passkey })))
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(1)
  expect(await booksOf(ana.id)).toMatchObject({ held: 100_00 })
})

test('a device that did not verify its user confirms no withdrawal', async () => {
  const { ana, device } = await withMoney()
  const passkey = await device.answer((await ask(ana)).body.passkey, { verified: false })
  expect(await ask(ana, { passkey })).toMatchObject(invalid)
})

test('neither a stranger’s passkey nor an answer to another question confirms it', async () => {
  const { ana, device } = await withMoney()
  const bela = await withMoney()
  const question = (await ask(ana)).body.passkey
  expect(await ask(ana, { passkey: await bela.device.answer(question) })).toMatchObject(invalid)
  const login = { email: ana.email, password: ana.password }
  const { body } = await call<Asking>('POST', '/auth/login', { json: login })
  expect(await ask(ana, { passkey: await device.answer(body.passkey) })).toMatchObject(invalid)
  const theirs = (await ask(bela.ana)).body.passkey
  expect(await ask(ana, { passkey: await device.answer(theirs) })).toMatchObject(invalid)
})

test('a refusal issues a new challenge without another mail, and the mailed code still works', async () => {
  const { ana, device } = await withMoney()
  await ask(ana)
  const mails = (await mailsTo(ana.email)).length
  const refused = await ask(ana, { passkey: '{}' })
  expect(refused).toMatchObject({ ...invalid, body: { methods: ['passkey', 'email'] } })
  expect(await mailsTo(ana.email)).toHaveLength(mails)
  const passkey = await device.answer(refused.body.passkey)
  expect(await ask(ana, { passkey })).toMatchObject({ status: 201 })
  const other = await withMoney()
  await ask(other.ana)
  const byMail = await ask(other.ana, { code: await mailedCode(other.ana.email) })
  expect(byMail).toMatchObject({ status: 201, body: { heldUntil: expect.any(String) } })
})

test('a form sends the answer as text, with the same Idempotency-Key', async () => {
  const { ana, device } = await withMoney()
  const send = (passkey?: string) =>
    call<Asking>('POST', '/withdrawals', {
      token: ana.token,
      idempotencyKey: 'with-a-passkey',
      form: { ...CRYPTO_WITHDRAWAL, ...(passkey !== undefined && { passkey }) },
    })
  const passkey = JSON.stringify(await device.answer((await send()).body.passkey))
  const filed = await send(passkey)
  expect(filed.status).toBe(201)
  expect(await send()).toMatchObject({ status: 201, body: { _id: filed.body._id } })
})

test('wrong answers are counted with wrong codes, and none is looked at after ten', async () => {
  const { ana, device } = await withMoney()
  const passkey = await device.answer((await ask(ana)).body.passkey)
  // Adding the passkey was counted too.
  await env.DB.prepare('DELETE FROM rate_counters').run()
  for (let i = 0; i < 10; i++) expect(await ask(ana, { passkey: '{}' })).toMatchObject(invalid)
  expect(await ask(ana, { passkey })).toMatchObject({ status: 429 })
})
