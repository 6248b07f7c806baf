import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { call } from '../../../test/support/http.ts'
import { mailTo } from '../../../test/support/mailbox.ts'
import { anotherSession, newInvestor } from '../../../test/support/people.ts'

const change = (token: string, json: unknown) => call('PATCH', '/users/user-info', { token, json })
const infoOf = async (token: string) => (await call<object>('GET', '/users/user-info', { token })).body
const rowOf = (id: string) => env.DB.prepare('SELECT * FROM users WHERE id = ?').bind(id).first()

const NEW_PASSWORD = 'ein Kahn im Hafen'
let network = 0
const signIn = (email: string, password: string) =>
  call('POST', '/auth/login', { json: { email, password }, ip: `198.51.100.${++network}` })

describe('personal information', () => {
  test('sent fields change, and others stay', async () => {
    const ana = await newInvestor({ name: 'Ana Torres' })
    const reply = await change(ana.token, {
      address: ' Hafenweg 3, Basel ',
      maritalStatus: 'married',
      gender: '',
    })
    expect(reply).toMatchObject({ status: 200, body: { msg: expect.any(String) } })
    expect(await infoOf(ana.token)).toMatchObject({
      fullname: 'ana torres',
      address: 'Hafenweg 3, Basel',
      maritalStatus: 'married',
      gender: null,
      phone: '+41 79 123 45 67',
    })
    await change(ana.token, {
      gender: 'female',
      phone: '+44 20 7946 0000',
      country: 'GB',
      fullname: 'ana k',
      displayName: 'Ana K',
    })
    expect(await infoOf(ana.token)).toMatchObject({
      fullname: 'ana k',
      gender: 'female',
      phone: '+44 20 7946 0000',
      country: 'GB',
      maritalStatus: 'married',
    })
    expect(await rowOf(ana.id)).toMatchObject({ display_name: 'Ana K', security_changed_at: null })
  })

  test('if only one name is sent, it is used for both', async () => {
    const ana = await newInvestor({ name: 'Ana Torres' })
    await change(ana.token, { fullname: 'Ana Kurz' })
    expect(await rowOf(ana.id)).toMatchObject({ fullname: 'Ana Kurz', display_name: 'Ana Kurz' })
    await change(ana.token, { address: 'Hafenweg 3' })
    expect(await rowOf(ana.id)).toMatchObject({ display_name: 'Ana Kurz' })
  })

  test('changes by form data as well, as the specification’s client sends it', async () => {
    const ana = await newInvestor()
    const form = { address: 'Hafenweg 3', phone: '', country: '', fullname: '', gender: 'female' }
    const reply = await call('PATCH', '/users/user-info', { token: ana.token, form })
    expect(reply.status).toBe(200)
    expect(await infoOf(ana.token)).toMatchObject({
      address: 'Hafenweg 3',
      gender: 'female',
      country: 'Switzerland',
    })
  })

  test('only listed fields can be changed', async () => {
    const ana = await newInvestor()
    const before = await rowOf(ana.id)
    const reply = await change(ana.token, {
      gender: 'female',
      role: 'operator',
      operatorRoles: 'administrator',
      bonus: 1000,
      deposits: 1000,
      email: 'other@example.com',
      kycStatus: 'approved',
      passwordHash: 'x',
      frozenAt: null,
      id: 'x',
    })
    expect(reply.status).toBe(200)
    expect(await rowOf(ana.id)).toEqual({ ...before, gender: 'female' })
    expect(await infoOf(ana.token)).toMatchObject({ bonus: 0, deposits: 0 })
  })

  test('personal information is refused field by field', async () => {
    const ana = await newInvestor()
    const reply = await change(ana.token, {
      phone: '12',
      country: 'Atlantis',
      address: 'x'.repeat(301),
      gender: 5,
    })
    expect(reply.status).toBe(422)
    expect(Object.keys(reply.body.fields ?? {}).sort()).toEqual(['address', 'country', 'gender', 'phone'])
  })

  test('a request that changes nothing, or without a session, is refused', async () => {
    const ana = await newInvestor()
    for (const json of [{}, { role: 'operator' }, { gender: '  ' }, { phone: null }])
      expect(await change(ana.token, json)).toMatchObject({
        status: 422,
        body: { code: 'validation_failed', msg: 'There is nothing to change' },
      })
    expect(await call('PATCH', '/users/user-info', { json: { gender: 'x' } })).toMatchObject({ status: 401 })
  })

  test('may be changed by a frozen investor', async () => {
    const ana = await newInvestor({ frozen: true })
    expect(await change(ana.token, { address: 'Hafenweg 3' })).toMatchObject({ status: 200 })
  })
})

describe('the password', () => {
  const change2 = (token: string, currentPassword: unknown, newPassword: unknown = NEW_PASSWORD) =>
    change(token, { currentPassword, newPassword })

  test('changing the password takes the current one, ends every other session and sends a mail', async () => {
    const ana = await newInvestor()
    const other = await anotherSession(ana)
    const form = { currentPassword: ana.password, newPassword: NEW_PASSWORD }
    expect(await call('PATCH', '/users/user-info', { token: ana.token, form })).toMatchObject({ status: 200 })
    expect(await call('GET', '/users/user-info', { token: other })).toMatchObject({ status: 401 })
    expect(await call('GET', '/users/user-info', { token: ana.token })).toMatchObject({ status: 200 })
    expect(await signIn(ana.email, ana.password)).toMatchObject({ status: 401 })
    expect(await signIn(ana.email, NEW_PASSWORD)).toMatchObject({ status: 200 })
    expect(await mailTo(ana.email, /^Your password was changed$/)).toBeDefined()
    expect(await rowOf(ana.id)).toMatchObject({ security_changed_at: expect.any(Number) })
  })

  test('the password does not change with a wrong or missing current one, or to a weak one', async () => {
    const ana = await newInvestor()
    expect(await change2(ana.token, 'something else')).toMatchObject({
      status: 422,
      body: { code: 'wrong_password' },
    })
    for (const missing of [undefined, '', null])
      expect((await change2(ana.token, missing)).body).toMatchObject({
        code: 'validation_failed',
        fields: { currentPassword: 'Please give your current password' },
      })
    expect(await change2(ana.token, 5)).toMatchObject({ status: 422 })
    expect((await change(ana.token, { currentPassword: ana.password })).body.fields).toHaveProperty(
      'newPassword',
    )
    for (const bad of ['short', 'password123', 'x'.repeat(257)])
      expect((await change2(ana.token, ana.password, bad)).body.fields).toHaveProperty('newPassword')
    expect(await signIn(ana.email, ana.password)).toMatchObject({ status: 200 })
    expect(await rowOf(ana.id)).toMatchObject({ security_changed_at: null })
  })

  test('the password can be guessed ten times in fifteen minutes, also in parallel', async () => {
    const ana = await newInvestor()
    const replies = await Promise.all(Array.from({ length: 20 }, () => change2(ana.token, 'something else')))
    expect(replies.filter(({ body }) => body.code === 'wrong_password')).toHaveLength(10)
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(10)
    expect(await change2(ana.token, ana.password)).toMatchObject({ status: 429 })
  })

  test('of two parallel changes one wins', async () => {
    const ana = await newInvestor()
    const passwords = ['first new password', 'second new password']
    const replies = await Promise.all(passwords.map((password) => change2(ana.token, ana.password, password)))
    const winner = replies.findIndex(({ status }) => status === 200)
    expect(replies.map(({ status }) => status).sort()).toSatisfy((statuses: number[]) =>
      ['200,409', '200,422'].includes(statuses.join()),
    )
    expect(await signIn(ana.email, passwords[winner] ?? '')).toMatchObject({ status: 200 })
  })
})
