import { env } from 'cloudflare:workers'
import { beforeAll, expect, test } from 'vitest'
import { CRYPTO_WITHDRAWAL, mailedCode } from '../../../test/support/filing.ts'
import { call } from '../../../test/support/http.ts'
import { linkIn, mailTo } from '../../../test/support/mailbox.ts'
import { booksOf } from '../../../test/support/money.ts'
import { anotherSession, newInvestor, type Person } from '../../../test/support/people.ts'
import { setSetting } from '../../../test/support/settings.ts'

// These withdrawals are smaller than the network's minimum.
beforeAll(() => setSetting('minimums', { btc: 0 }))

const ask = ({ token }: { token: string }, fields: Readonly<Record<string, unknown>> = {}) =>
  call('POST', '/withdrawals', { token, json: { ...CRYPTO_WITHDRAWAL, ...fields } })
const press = (token: string | null) => call('POST', '/withdrawals/confirm', { json: { token } })
const stepUp = { status: 403, body: { code: 'step_up_required' } }
const invalid = { status: 400, body: { code: 'invalid_token' } }

async function linkToken({ email }: Person): Promise<string> {
  const mail = await mailTo(email, /^Confirm your withdrawal$/)
  return linkIn(mail, '/confirm-withdrawal').searchParams.get('token') ?? ''
}

test('after the link was used, the unchanged request passes once, as with the code', async () => {
  const ana = await newInvestor({ availableCents: 1000_00 })
  expect(await ask(ana)).toMatchObject(stepUp)
  const token = await linkToken(ana)
  const pressed = await press(token)
  expect(pressed.status).toBe(200)
  expect(pressed.body.msg).toMatch(/^You confirmed a withdrawal of \$100\.00\. .* UTC\.$/)
  // Nothing is filed before the investor repeats the request.
  expect(await booksOf(ana.id)).toMatchObject({ held: 0 })
  expect(await press(token)).toMatchObject({ status: 200 })

  const filed = await ask(ana)
  expect(filed.status).toBe(201)
  expect(filed.body.heldUntil).toBeTruthy()
  const row = env.DB.prepare('SELECT proof FROM withdrawal_details WHERE request = ?').bind(filed.body._id)
  expect(await row.first()).toEqual({ proof: 'email' })
  expect(await press(token)).toMatchObject(invalid)
  // On another device, the same request needs a proof again.
  expect(await ask({ token: await anotherSession(ana) })).toMatchObject(stepUp)
})

test('opening the link, as mail scanners do, confirms nothing', async () => {
  const ana = await newInvestor({ availableCents: 1000_00 })
  await ask(ana)
  const token = await linkToken(ana)
  expect((await call('GET', `/withdrawals/confirm?token=${token}`)).status).toBe(405)
  const row = env.DB.prepare('SELECT confirmed_at FROM withdrawal_codes WHERE investor = ?').bind(ana.id)
  expect(await row.first()).toEqual({ confirmed_at: null })
  expect(await ask(ana)).toMatchObject(stepUp)
})

test('a link confirms only its own amount, destination and owner', async () => {
  const [ana, bela] = [
    await newInvestor({ availableCents: 1000_00 }),
    await newInvestor({ availableCents: 1000_00 }),
  ]
  await ask(ana)
  await ask(bela)
  await press(await linkToken(ana))
  expect(await ask(ana, { amount: '100.01' })).toMatchObject(stepUp)
  expect(await ask(ana, { address: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa' })).toMatchObject(stepUp)
  expect(await ask(bela)).toMatchObject(stepUp)
  expect(await ask(ana)).toMatchObject({ status: 201 })
})

test('a link ends with its code: when another is mailed, after ten minutes, and when the code was used', async () => {
  const ana = await newInvestor({ availableCents: 1000_00 })
  await ask(ana)
  const first = await linkToken(ana)
  await ask(ana)
  expect(await press(first)).toMatchObject(invalid)
  const second = await linkToken(ana)
  expect(await press(second)).toMatchObject({ status: 200 })
  await env.DB.prepare('UPDATE withdrawal_codes SET expires_at = ? WHERE investor = ?')
    .bind(Date.now(), ana.id)
    .run()
  expect(await press(second)).toMatchObject(invalid)
  expect(await ask(ana)).toMatchObject(stepUp)
  const third = await linkToken(ana)
  expect(await ask(ana, { code: await mailedCode(ana.email) })).toMatchObject({ status: 201 })
  expect(await press(third)).toMatchObject(invalid)
})

test('one link never confirms two withdrawals, also in parallel', async () => {
  const ana = await newInvestor({ availableCents: 1000_00 })
  await ask(ana, { amount: '600' })
  await press(await linkToken(ana))
  const replies = await Promise.all(Array.from({ length: 5 }, () => ask(ana, { amount: '600' })))
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(1)
  expect(replies.every(({ status }) => status < 500)).toBe(true)
  expect(await booksOf(ana.id)).toMatchObject({ held: 600_00 })
})

test('a made-up token is refused', async () => {
  const ana = await newInvestor({ availableCents: 1000_00 })
  await ask(ana)
  const token = await linkToken(ana)
  // The lowest bits of the last character are not part of the token.
  const other = token.endsWith('A') ? 'Q' : 'A'
  for (const wrong of [`${token.slice(0, -1)}${other}`, token.slice(1), 'wrong', '🙂'.repeat(20)])
    expect(await press(wrong)).toMatchObject(invalid)
  expect(await press('')).toMatchObject({ status: 422 })
})
