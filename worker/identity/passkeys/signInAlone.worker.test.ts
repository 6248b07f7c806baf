import { env } from 'cloudflare:workers'
import { beforeEach, expect, test, vi } from 'vitest'
import type { PasskeyQuestion } from '../../../src/contract/fields.ts'
import { newAuthenticator } from '../../../test/support/authenticator.ts'
import { type AnyBody, call } from '../../../test/support/http.ts'
import { withPasskey } from '../../../test/support/passkeys.ts'
import { newInvestor, type Person } from '../../../test/support/people.ts'

const begin = async () => (await call<PasskeyQuestion>('POST', '/auth/passkey/options')).body
const enter = (passkey: unknown) =>
  call<AnyBody & { token: string }>('POST', '/auth/passkey', { json: { passkey } })
const refused = { status: 401, body: { code: 'invalid_passkey' } }
const countSessions = ({ id }: Person) =>
  env.DB.prepare('SELECT count(*) AS n FROM sessions WHERE user_id = ?').bind(id).first('n')

beforeEach(() => env.DB.prepare('DELETE FROM rate_counters').run())

test('a passkey alone signs its owner in, and an answer works once', async () => {
  const ana = await newInvestor()
  const { device } = await withPasskey(ana)
  const question = await begin()
  expect(question).toMatchObject({ userVerification: 'required', allowCredentials: [] })
  const answer = await device.answer(question)
  const entered = await enter(answer)
  expect(entered).toMatchObject({ status: 200, body: { email: ana.email, role: 'investor' } })
  expect((await call('GET', '/users/user-info', { token: entered.body.token })).status).toBe(200)
  const before = await countSessions(ana)
  expect(await enter(answer)).toMatchObject(refused)
  const again = await begin()
  const answers = await Promise.all(Array.from({ length: 8 }, async () => enter(await device.answer(again))))
  expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1)
  expect(Number(await countSessions(ana)) - Number(before)).toBeLessThanOrEqual(1)
  const { body } = await call<{ event: string }[]>('GET', '/users/activity', { token: entered.body.token })
  expect(body.map(({ event }) => event)).toContain('session.opened_by_passkey')
})

test('a device that did not verify its user, another key, origin or challenge opens nothing', async () => {
  const ana = await newInvestor()
  const { device } = await withPasskey(ana)
  const before = await countSessions(ana)
  for (const behaviour of [
    { verified: false },
    { present: false },
    { otherKey: true },
    { origin: 'https://evil.example' },
    { rpId: 'evil.example' },
  ])
    expect(await enter(await device.answer(await begin(), behaviour))).toMatchObject(refused)
  const stranger = await newAuthenticator()
  expect(await enter(await stranger.answer(await begin()))).toMatchObject(refused)
  const question = await begin()
  for (const challenge of ['AAAA', `${question.challenge.slice(0, -4)}AAAA`])
    expect(await enter(await device.answer({ ...question, challenge }))).toMatchObject(refused)
  for (const nothing of [undefined, null, '', '{}', { id: 'x' }])
    expect(await enter(nothing)).toMatchObject(refused)
  expect(await countSessions(ana)).toBe(before)
})

test('a challenge lives five minutes, and one for another purpose does not count', async () => {
  const ana = await newInvestor()
  const { device } = await withPasskey(ana)
  const question = await begin()
  vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 6 * 60_000)
  expect(await enter(await device.answer(question))).toMatchObject(refused)
  vi.restoreAllMocks()
  const asked = await call<{ passkey: PasskeyQuestion }>('POST', '/auth/login', {
    json: { email: ana.email, password: ana.password },
  })
  expect(await enter(await device.answer(asked.body.passkey))).toMatchObject(refused)
  // Nor does this challenge replace the password's.
  const passkey = await device.answer(await begin())
  expect(
    await call('POST', '/auth/login', { json: { email: ana.email, password: ana.password, passkey } }),
  ).toMatchObject(refused)
})

test('a locked account stays closed, and a removed passkey opens nothing', async () => {
  const ana = await newInvestor()
  const [key, removed] = [await withPasskey(ana), await withPasskey(await newInvestor())]
  await env.DB.prepare('DELETE FROM passkeys WHERE id = ?').bind(removed.id).run()
  expect(await enter(await removed.device.answer(await begin()))).toMatchObject(refused)
  await env.DB.prepare(
    "UPDATE users SET frozen_at = ?1, frozen_reason = 'Locked', locked_at = ?1 WHERE id = ?2",
  )
    .bind(Date.now(), ana.id)
    .run()
  expect(await enter(await key.device.answer(await begin()))).toMatchObject({
    status: 403,
    body: { code: 'account_locked' },
  })
})
