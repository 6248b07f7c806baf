import { env } from 'cloudflare:workers'
import { describe, expect, test, vi } from 'vitest'
import type { UserInfo } from '../../../src/contract/identity/userInfo.ts'
import { call } from '../../../test/support/http.ts'
import { newInvestor, newOperator } from '../../../test/support/people.ts'

const infoOf = (token: string, fields?: string) =>
  call<UserInfo>('GET', `/users/user-info${fields === undefined ? '' : `?fields=${fields}`}`, { token })

/** Sends a notification as an operator does. */
function notify(userId: string, persistent: boolean): Promise<unknown> {
  return env.DB.prepare(
    "INSERT INTO notifications (user_id, title, content, persistent, created_at) VALUES (?, 'News', '<p>Good</p>', ?, 1)",
  )
    .bind(userId, Number(persistent))
    .run()
}

describe('user-info', () => {
  test('shows everything of somebody new', async () => {
    const ana = await newInvestor({ name: 'Ana Torres', kyc: 'none' })
    const { status, body } = await infoOf(ana.token)
    expect(status).toBe(200)
    expect(body).toEqual({
      fullname: 'ana torres',
      email: ana.email,
      phone: '+41 79 123 45 67',
      address: null,
      country: 'Switzerland',
      maritalStatus: null,
      gender: null,
      bonus: 0,
      profits: 0,
      deposits: 0,
      withdrawals: 0,
      pendingDeposits: 0,
      pendingWithdrawals: 0,
      totalBalance: 0,
      available: 0,
      undone: 0,
      allocating: 0,
      invested: 0,
      unrealised: 0,
      owed: 0,
      referralLink: `http://localhost:8787/sign-up?ref=${ana.referralCode}`,
      notification: null,
    })
  })

  test('shows figures from the books, exact to the cent', async () => {
    const ana = await newInvestor({ availableCents: 1_234_56 })
    expect((await infoOf(ana.token)).body).toMatchObject({
      deposits: 1234.56,
      available: 1234.56,
      totalBalance: 1234.56,
      bonus: 0,
    })
  })

  test('answers just the fields asked for, with spaces as the specification’s client sends them', async () => {
    const ana = await newInvestor({ availableCents: 10_00 })
    expect((await infoOf(ana.token, 'referralLink')).body).toEqual({
      referralLink: `http://localhost:8787/sign-up?ref=${ana.referralCode}`,
    })
    const fields =
      'bonus%20profits%20deposits%20withdrawals%20pendingDeposits%20pendingWithdrawals%20totalBalance%20notification'
    expect((await infoOf(ana.token, fields)).body).toEqual({
      bonus: 0,
      profits: 0,
      deposits: 10,
      withdrawals: 0,
      pendingDeposits: 0,
      pendingWithdrawals: 0,
      totalBalance: 10,
      notification: null,
    })
    expect(Object.keys((await infoOf(ana.token, 'email+fullname')).body)).toEqual(['email', 'fullname'])
    expect(Object.keys((await infoOf(ana.token, '')).body)).toHaveLength(22)
  })

  test('user-info refuses unknown fields, also names of columns', async () => {
    const ana = await newInvestor()
    for (const fields of [
      'nothing',
      'password_hash',
      'passwordHash',
      'email%20id',
      '__proto__',
      'constructor',
    ])
      expect(await infoOf(ana.token, fields)).toMatchObject({
        status: 422,
        body: { code: 'validation_failed', fields: { fields: expect.any(String) } },
      })
  })

  test('is about the signed-in person only', async () => {
    const operator = await newOperator()
    expect((await infoOf(operator.token)).body).toMatchObject({ email: operator.email, totalBalance: 0 })
    expect(await call('GET', '/users/user-info')).toMatchObject({
      status: 401,
      body: { code: 'unauthorized' },
    })
  })

  test('is one round trip, the session’s', async () => {
    const ana = await newInvestor({ availableCents: 10_00 })
    const batch = vi.spyOn(env.DB, 'batch')
    await infoOf(ana.token)
    expect(batch).toHaveBeenCalledTimes(1)
    batch.mockRestore()
  })
})

describe('the notification', () => {
  test('stays, seen, once it was dismissed', async () => {
    const ana = await newInvestor()
    await notify(ana.id, false)
    const shown = { title: 'News', content: '<p>Good</p>', persistent: false }
    expect((await infoOf(ana.token, 'notification')).body.notification).toEqual({ ...shown, seen: false })
    const reply = await call('PATCH', '/users/user-info', { token: ana.token, json: { seen: true } })
    expect(reply).toMatchObject({ status: 200, body: { msg: expect.any(String) } })
    expect((await infoOf(ana.token, 'notification')).body.notification).toEqual({ ...shown, seen: true })
  })

  test('that came while another was read stays unseen', async () => {
    const ana = await newInvestor()
    await notify(ana.id, false)
    const dismiss = (title: string) =>
      call('PATCH', '/users/user-info', {
        token: ana.token,
        json: { seen: true, notification: { title, content: '<p>Good</p>' } },
      })
    expect((await dismiss('Older news')).status).toBe(200)
    expect((await infoOf(ana.token, 'notification')).body.notification).toMatchObject({ seen: false })
    expect((await dismiss('News')).status).toBe(200)
    expect((await infoOf(ana.token, 'notification')).body.notification).toMatchObject({ seen: true })
  })

  test('a persistent one stays unseen', async () => {
    const ana = await newInvestor()
    await notify(ana.id, true)
    const reply = await call('PATCH', '/users/user-info', { token: ana.token, json: { seen: true } })
    expect(reply.status).toBe(200)
    expect((await infoOf(ana.token, 'notification')).body.notification).toMatchObject({ seen: false })
  })

  test('of somebody else is not dismissed, and there may be none', async () => {
    const [ana, ben] = [await newInvestor(), await newInvestor()]
    await notify(ana.id, false)
    expect(await call('PATCH', '/users/user-info', { token: ben.token, json: { seen: true } })).toMatchObject(
      {
        status: 200,
      },
    )
    expect((await infoOf(ana.token, 'notification')).body.notification).toMatchObject({ seen: false })
    expect(
      await call('PATCH', '/users/user-info', { token: ana.token, json: { seen: false } }),
    ).toMatchObject({ status: 422 })
  })
})
