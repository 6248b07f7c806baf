import { env } from 'cloudflare:workers'
import { beforeAll, expect, test } from 'vitest'
import { totpCode } from '../../../test/support/codes.ts'
import { letChangePass, setSecurityChange, turnOnApp } from '../../../test/support/factors.ts'
import { BANK_WITHDRAWAL, CRYPTO_WITHDRAWAL, mailedCode, withdraw } from '../../../test/support/filing.ts'
import { type CallOptions, call, deviceOf } from '../../../test/support/http.ts'
import { mailsTo, mailTo } from '../../../test/support/mailbox.ts'
import { booksOf } from '../../../test/support/money.ts'
import { as } from '../../../test/support/operating.ts'
import { anotherSession, newInvestor, newOperator, type Person } from '../../../test/support/people.ts'
import { setSetting } from '../../../test/support/settings.ts'
import { isMailedCode } from '../../lib/crypto/signature.ts'
import { sha256Hex } from '../../lib/crypto/tokens.ts'
import { newTotpSecret } from '../../lib/crypto/totp.ts'

// These withdrawals are smaller than the network's minimum.
beforeAll(() => setSetting('minimums', { btc: 0 }))

type Fields = Readonly<Record<string, unknown>>
const OTHER_ADDRESS = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'

const ask = (person: { token: string }, fields: Fields = {}, options: CallOptions = {}) =>
  call('POST', '/withdrawals', { token: person.token, json: { ...CRYPTO_WITHDRAWAL, ...fields }, ...options })
const proofOf = (id: string) =>
  env.DB.prepare('SELECT proof, reasons FROM withdrawal_details WHERE request = ?').bind(id).first()
const invalid = { status: 403, body: { code: 'invalid_code' } }
const stepUp = (...reasons: string[]) => ({ status: 403, body: { code: 'step_up_required', reasons } })

/** An investor with a known session and Bitcoin address: one dollar was withdrawn with a code. */
async function investorSummary(availableCents: number): Promise<Person> {
  const ana = await newInvestor({ availableCents })
  expect(await withdraw(ana, { amount: '1' })).toMatchObject({ status: 201 })
  return ana
}

function wrong(code: string): string {
  return code === '000000' ? '111111' : '000000'
}

test('extra proof is requested with its methods and reasons, and no money is held yet', async () => {
  const ana = await newInvestor({ availableCents: 150_00 })
  const reply = await ask(ana)
  expect(reply.status).toBe(403)
  expect(reply.body).toEqual({
    msg: expect.any(String),
    code: 'step_up_required',
    methods: ['email'],
    reasons: ['new_destination', 'new_device', 'large_share'],
  })
  expect(await booksOf(ana.id)).toMatchObject({ available: 150_00, held: 0 })
})

test('the mail names amount and destination, and holds one number that can be taken for a code', async () => {
  const ana = await newInvestor({ availableCents: 1_000_000_00, name: 'Ana 123456' })
  await ask(ana, { amount: '123456.78' })
  const crypto = await mailTo(ana.email, /confirm/i)
  expect(crypto.text).toContain('$123,456.78')
  expect(crypto.text).toContain(CRYPTO_WITHDRAWAL.address)
  await call('POST', '/withdrawals/online-service', { token: ana.token, json: BANK_WITHDRAWAL })
  const [bank] = await mailsTo(ana.email)
  expect(bank?.text).toContain('••••5566 at “First Harbour Bank”')
  expect(bank?.text).not.toContain(BANK_WITHDRAWAL.accountNumber)
  for (const mail of [crypto, bank]) {
    expect(mail?.text.match(/\d{6}/g)).toHaveLength(1)
    expect(mail?.html).toContain(mail?.text.match(/\d{6}/)?.[0])
  }
})

test('once confirmed, destination and session are known and need no more proof', async () => {
  const ana = await investorSummary(1000_00)
  const again = await ask(ana)
  expect(again.status).toBe(201)
  expect(await proofOf(again.body._id)).toEqual({ proof: 'none', reasons: '[]' })
})

test('a new destination alone requires proof', async () => {
  const ana = await investorSummary(1000_00)
  expect(await ask(ana, { address: OTHER_ADDRESS })).toMatchObject(stepUp('new_destination'))
})

test('another session counts as a new device', async () => {
  const ana = await investorSummary(1000_00)
  expect(await ask({ token: await anotherSession(ana) })).toMatchObject(stepUp('new_device'))
})

test('a device that carries our cookie stays known in its next session', async () => {
  const ana = await newInvestor({ availableCents: 1000_00 })
  const json = { email: ana.email, password: ana.password }
  const device = { device: deviceOf(await call('POST', '/auth/login', { json })) ?? '' }
  await ask(ana, { amount: '1' }, device)
  expect(await ask(ana, { amount: '1', code: await mailedCode(ana.email) }, device)).toMatchObject({
    status: 201,
  })
  const next = { token: await anotherSession(ana) }
  expect(await ask(next, {})).toMatchObject(stepUp('new_device'))
  expect(await ask(next, {}, device)).toMatchObject({ status: 201 })
  const bela = await investorSummary(1000_00)
  const theirs = { token: await anotherSession(bela) }
  expect(await ask(theirs, {}, device)).toMatchObject(stepUp('new_device'))
})

test('a security change requires proof for 72 hours', async () => {
  const ana = await investorSummary(1000_00)
  const changedAt = (ms: number) => setSecurityChange(ana, ms)
  await changedAt(Date.now() - 71 * 3_600_000)
  expect(await ask(ana)).toMatchObject(stepUp('recent_security_change'))
  await changedAt(Date.now() - 72 * 3_600_000 - 1000)
  expect(await ask(ana)).toMatchObject({ status: 201 })
})

test('a large share requires proof, to the cent, and earlier withdrawals count', async () => {
  const ana = await investorSummary(1000_00)
  // One was filed and 999 are left: 500 of 1,000 are half.
  expect(await ask(ana, { amount: '499.01' })).toMatchObject(stepUp('large_share'))
  const half = await ask(ana, { amount: '499' })
  expect(half.status).toBe(201)
  expect(await ask(ana, { amount: '0.01' })).toMatchObject(stepUp('large_share'))
  await call('POST', `/withdrawals/${half.body._id}/cancel`, { token: ana.token })
  // Neither a cancelled nor a rejected withdrawal counts.
  const again = await ask(ana, { amount: '499' })
  expect(again.status).toBe(201)
  await as(await newOperator(), 'POST', `/operator/withdrawals/${again.body._id}/reject`, { reason: 'No' })
  expect(await ask(ana, { amount: '499' })).toMatchObject({ status: 201 })
})

test('withdrawals to a bank and to a wallet are added up for a large share', async () => {
  const ana = await investorSummary(1000_00)
  const path = '/withdrawals/online-service'
  expect(await withdraw(ana, { amount: '499' }, path)).toMatchObject({ status: 201 })
  expect(await ask(ana, { amount: '1' })).toMatchObject(stepUp('large_share'))
})

test('a code confirms only its own amount, destination and owner', async () => {
  const ana = await newInvestor({ availableCents: 1000_00 })
  const bela = await newInvestor({ availableCents: 1000_00 })
  await ask(ana)
  await ask(bela)
  const code = await mailedCode(ana.email)
  expect(await ask(ana, { code, amount: '100.01' })).toMatchObject(invalid)
  expect(await ask(ana, { code, address: OTHER_ADDRESS })).toMatchObject(invalid)
  if (code !== (await mailedCode(bela.email))) expect(await ask(bela, { code })).toMatchObject(invalid)
  expect(await ask(ana, { code: ` ${code.slice(0, 3)} ${code.slice(3)} ` })).toMatchObject({ status: 201 })
})

test('a wrong code is refused, sends no mail and holds nothing', async () => {
  const ana = await newInvestor({ availableCents: 1000_00 })
  await ask(ana)
  const code = await mailedCode(ana.email)
  for (const bad of [wrong(code), 'abcdef', `${code}0`, '1'])
    expect(await ask(ana, { code: bad })).toMatchObject(invalid)
  expect(await mailsTo(ana.email)).toHaveLength(1)
  expect(await booksOf(ana.id)).toMatchObject({ held: 0 })
})

test('a code takes five tries: right at the fifth it works, after five wrong ones no more', async () => {
  const ana = await newInvestor({ availableCents: 1000_00 })
  await ask(ana)
  const first = await mailedCode(ana.email)
  for (let i = 0; i < 4; i++) expect(await ask(ana, { code: wrong(first) })).toMatchObject(invalid)
  expect(await ask(ana, { code: first })).toMatchObject({ status: 201 })

  const bela = await newInvestor({ availableCents: 1000_00 })
  await ask(bela)
  const second = await mailedCode(bela.email)
  for (let i = 0; i < 5; i++) expect(await ask(bela, { code: wrong(second) })).toMatchObject(invalid)
  expect(await ask(bela, { code: second })).toMatchObject(invalid)
})

test('parallel tries count one by one: of sixty guesses five are compared', async () => {
  const ana = await newInvestor({ availableCents: 1000_00 })
  await ask(ana)
  const code = await mailedCode(ana.email)
  await Promise.all(Array.from({ length: 60 }, () => ask(ana, { code: wrong(code) })))
  const row = await env.DB.prepare('SELECT tries FROM withdrawal_codes WHERE investor = ?')
    .bind(ana.id)
    .first()
  expect(row).toEqual({ tries: 5 })
  expect(await ask(ana, { code })).toMatchObject(invalid)
})

test('a code lives ten minutes', async () => {
  const ana = await newInvestor({ availableCents: 1000_00 })
  await ask(ana)
  const code = await mailedCode(ana.email)
  const row = await env.DB.prepare('SELECT created_at, expires_at FROM withdrawal_codes WHERE investor = ?')
    .bind(ana.id)
    .first<{ created_at: number; expires_at: number }>()
  expect((row?.expires_at ?? 0) - (row?.created_at ?? 0)).toBe(600_000)
  await env.DB.prepare('UPDATE withdrawal_codes SET expires_at = ? WHERE investor = ?')
    .bind(Date.now(), ana.id)
    .run()
  expect(await ask(ana, { code })).toMatchObject(invalid)
})

test('asking again sends another code and kills the earlier one for the same, not for others', async () => {
  const ana = await newInvestor({ availableCents: 1000_00 })
  await ask(ana, { amount: '7' })
  const other = await mailedCode(ana.email)
  await ask(ana)
  const first = await mailedCode(ana.email)
  await ask(ana)
  const second = await mailedCode(ana.email)
  if (first !== second) expect(await ask(ana, { code: first })).toMatchObject(invalid)
  expect(await ask(ana, { code: second })).toMatchObject({ status: 201 })
  expect(await ask(ana, { amount: '7', address: OTHER_ADDRESS, code: other })).toMatchObject(invalid)
})

test('a code works once, also in parallel', async () => {
  const ana = await newInvestor({ availableCents: 10_000_00 })
  await ask(ana, { amount: '6000' })
  const code = await mailedCode(ana.email)
  const replies = await Promise.all(Array.from({ length: 20 }, () => ask(ana, { amount: '6000', code })))
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(1)
  for (const { status, body } of replies) {
    if (status !== 201) expect(['invalid_code', 'insufficient_funds']).toContain(body.code)
  }
  expect(await booksOf(ana.id)).toMatchObject({ held: 6000_00 })
  expect(await ask(ana, { amount: '6000', code })).toMatchObject({ body: { code: 'insufficient_funds' } })
})

test('one code never confirms two withdrawals that are both covered', async () => {
  const ana = await newInvestor({ availableCents: 10_000_00 })
  await ask(ana)
  const code = await mailedCode(ana.email)
  const replies = await Promise.all(Array.from({ length: 5 }, () => ask(ana, { code })))
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(1)
  expect(await ask(ana, { code })).toMatchObject(invalid)
})

test('a wrong code is refused even if none is needed', async () => {
  const ana = await investorSummary(1000_00)
  expect(await ask(ana, { code: '123456' })).toMatchObject(invalid)
  const reply = await ask(ana)
  expect(reply.status).toBe(201)
  expect(await proofOf(reply.body._id)).toEqual({ proof: 'none', reasons: '[]' })
})

test('the second factor confirms a withdrawal, once', async () => {
  const secret = newTotpSecret()
  const ana = await newInvestor({ availableCents: 1000_00, totpSecret: secret })
  expect((await ask(ana)).body.methods).toEqual(['totp', 'email'])
  const code = totpCode(secret)
  const first = await ask(ana, { code })
  expect(first.status).toBe(201)
  expect(await proofOf(first.body._id)).toMatchObject({ proof: 'totp' })
  expect(await ask(ana, { address: OTHER_ADDRESS, code })).toMatchObject(invalid)
  expect(await ask(ana, { address: OTHER_ADDRESS, code: totpCode(secret, 1) })).toMatchObject({ status: 201 })
  expect(await ask(ana)).toMatchObject({ status: 201 })
})

test('one code of the second factor confirms one of many parallel withdrawals', async () => {
  const secret = newTotpSecret()
  const ana = await newInvestor({ availableCents: 10_000_00, totpSecret: secret })
  const code = totpCode(secret)
  const replies = await Promise.all(Array.from({ length: 8 }, () => ask(ana, { amount: '6000', code })))
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(1)
  expect(await booksOf(ana.id)).toMatchObject({ held: 6000_00 })
})

test('with a second factor on, the mailed code works as well, and a stranger’s factor does not', async () => {
  const ana = await newInvestor({ availableCents: 1000_00, totpSecret: newTotpSecret() })
  await ask(ana)
  expect(await ask(ana, { code: totpCode(newTotpSecret()) })).toMatchObject(invalid)
  const reply = await ask(ana, { code: await mailedCode(ana.email) })
  expect(reply.status).toBe(201)
  expect(await proofOf(reply.body._id)).toMatchObject({ proof: 'email' })
})

test('a recovery code confirms no withdrawal and stays usable for signing in', async () => {
  const ana = await newInvestor({ availableCents: 1000_00 })
  const { recoveryCodes } = await turnOnApp(ana)
  await letChangePass(ana)
  const [code] = recoveryCodes
  expect(await ask(ana, { code })).toMatchObject(invalid)
  const bank = { ...BANK_WITHDRAWAL, code }
  expect(await call('POST', '/withdrawals/online-service', { token: ana.token, json: bank })).toMatchObject(
    invalid,
  )
  expect(await booksOf(ana.id)).toMatchObject({ available: 1000_00, held: 0 })
  const json = { email: ana.email, password: ana.password, code }
  expect(await call('POST', '/auth/login', { json })).toMatchObject({ status: 200 })
})

test('after ten wrong codes an account with a second factor must wait, even with the right one', async () => {
  const secret = newTotpSecret()
  const ana = await newInvestor({ availableCents: 1000_00, totpSecret: secret })
  const replies = await Promise.all(Array.from({ length: 12 }, () => ask(ana, { code: 'abcdef' })))
  expect(replies.filter(({ body }) => body.code === 'invalid_code')).toHaveLength(10)
  const late = await ask(ana, { code: totpCode(secret) })
  expect(late).toMatchObject({ status: 429, body: { code: 'too_many_requests' } })
  const seconds = Number(late.headers.get('Retry-After'))
  expect(seconds).toBeGreaterThan(0)
  expect(seconds).toBeLessThanOrEqual(900)
  await env.DB.prepare('UPDATE rate_counters SET window_start = window_start - 900000').run()
  expect(await ask(ana, { code: totpCode(secret) })).toMatchObject({ status: 201 })
})

test('right codes do not use the tries up', async () => {
  const ana = await newInvestor({ availableCents: 10_000_00, totpSecret: newTotpSecret() })
  await setSecurityChange(ana, Date.now())
  for (let i = 1; i <= 12; i++) {
    const amount = String(i)
    expect(await ask(ana, { amount })).toMatchObject({ body: { code: 'step_up_required' } })
    expect(await ask(ana, { amount, code: await mailedCode(ana.email) })).toMatchObject({ status: 201 })
  }
})

test('at most thirty mails with a code an hour, also in parallel', async () => {
  const ana = await newInvestor({ availableCents: 1000_00 })
  const replies = await Promise.all(Array.from({ length: 40 }, () => ask(ana)))
  expect(replies.filter(({ body }) => body.code === 'step_up_required')).toHaveLength(30)
  const refused = replies.filter(({ status }) => status === 429)
  expect(refused).toHaveLength(10)
  expect(Number(refused[0]?.headers.get('Retry-After'))).toBeGreaterThan(3000)
  expect(await mailsTo(ana.email)).toHaveLength(30)
  expect(await ask(ana)).toMatchObject({ status: 429 })
  // The newest code still confirms.
  expect(await ask(ana, { code: await mailedCode(ana.email) })).toMatchObject({ status: 201 })
})

test('a device becomes known only for the account that signed in from it', async () => {
  const [ana, mallory] = [await newInvestor({ availableCents: 1000_00 }), await newInvestor()]
  const json = { email: mallory.email, password: mallory.password }
  const device = { device: deviceOf(await call('POST', '/auth/login', { json })) ?? '' }
  await ask(ana, { amount: '1' }, device)
  expect(await ask(ana, { amount: '1', code: await mailedCode(ana.email) }, device)).toMatchObject({
    status: 201,
  })
  // A thief with that cookie and her session is a new device.
  expect(await ask({ token: await anotherSession(ana) }, {}, device)).toMatchObject(stepUp('new_device'))
})

test('mailed codes are hashed with a server key, so the database alone reveals none', async () => {
  const ana = await newInvestor({ availableCents: 1000_00 })
  await ask(ana)
  const code = await mailedCode(ana.email)
  const row = await env.DB.prepare('SELECT * FROM withdrawal_codes WHERE investor = ?').bind(ana.id).first()
  const text = JSON.stringify(row)
  // The attack on the former hash, SHA-256 over the row's id and one of a million codes.
  for (const guess of [`${row?.id}:${code}`, code, `${code}:${row?.id}`])
    expect(text).not.toContain(await sha256Hex(guess))
  const hash = String(row?.code_hash)
  expect(hash).toMatch(/^1\.[\w-]{43}$/)
  const other = { ...env, VAULT_KEYS: `1:${btoa('x'.repeat(32))}` }
  expect(await isMailedCode(env, String(row?.id), code, hash)).toBe(true)
  expect(await isMailedCode(other, String(row?.id), code, hash)).toBe(false)
  expect(await isMailedCode(env, 'another row', code, hash)).toBe(false)
  // After a key rotation, a code mailed before still works.
  const rotated = { ...env, VAULT_KEYS: `${env.VAULT_KEYS},2:${btoa('y'.repeat(32))}` }
  expect(await isMailedCode(rotated, String(row?.id), code, hash)).toBe(true)
})

test('codes are stored as hashes that differ for the same code', async () => {
  const ana = await newInvestor({ availableCents: 1000_00 })
  await ask(ana)
  const code = await mailedCode(ana.email)
  const row = await env.DB.prepare('SELECT * FROM withdrawal_codes WHERE investor = ?').bind(ana.id).first()
  expect(JSON.stringify(row)).not.toContain(code)
  expect(row?.code_hash).toMatch(/^\d+\.[\w-]{43}$/)
})
