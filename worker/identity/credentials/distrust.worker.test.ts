import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { DAY_MS } from '../../../src/time.ts'
import { endDestinationDelay, turnOnApp } from '../../../test/support/factors.ts'
import { CRYPTO_WITHDRAWAL, GOOD_ADDRESS, withdraw } from '../../../test/support/filing.ts'
import { call, deviceOf } from '../../../test/support/http.ts'
import { linkIn, mailsTo, mailTo } from '../../../test/support/mailbox.ts'
import { approveWithdrawal, as, completeWithdrawal, withdrawal } from '../../../test/support/operating.ts'
import { anotherSession, newInvestor, newOperator, type Person } from '../../../test/support/people.ts'
import { withTriggerDropped } from '../../../test/support/withTriggerDropped.ts'
import { NOT_PLANTED, PLANTED } from './distrust.ts'

const NEW_PASSWORD = 'ein Kahn im Hafen'

afterEach(() => {
  vi.useRealTimers()
})

async function reset({ email }: Person): Promise<void> {
  await call('POST', '/auth/forgot-password', { json: { email } })
  const link = linkIn(await mailTo(email, /^Choose/), '/change-password').searchParams
  const json = { ...Object.fromEntries(link), password: NEW_PASSWORD, confirmPassword: NEW_PASSWORD }
  expect(await call('POST', '/auth/reset-password', { json })).toMatchObject({ status: 200 })
}

async function changePassword({ token, password }: Person): Promise<void> {
  const json = { currentPassword: password, newPassword: NEW_PASSWORD }
  expect(await call('PATCH', '/users/user-info', { token, json })).toMatchObject({ status: 200 })
}

/** Locks the account with the link of a mail that a thief caused. */
async function lock(person: Person): Promise<void> {
  await call('PATCH', '/users/preferences', {
    token: await anotherSession(person),
    json: { emails: { newBrowserSignIn: true } },
  })
  await call('PATCH', '/users/preferences', {
    token: await anotherSession(person),
    json: { activityLog: false },
  })
  const mail = await mailTo(person.email, /^Security warnings/)
  const token = linkIn(mail, '/lock-account').searchParams.get('token')
  expect(await call('POST', '/auth/lock-account', { json: { token } })).toMatchObject({ status: 200 })
}

async function firstFactor(person: Person): Promise<void> {
  await turnOnApp(person)
}

const count = async (sql: string, id: string) =>
  env.DB.prepare(`SELECT count(*) AS total FROM ${sql}`).bind(id).first<number>('total')

async function devicesOf({ id }: Person): Promise<string[]> {
  const { results } = await env.DB.prepare('SELECT device_hash AS hash FROM devices WHERE user_id = ?')
    .bind(id)
    .all<{ hash: string }>()
  return results.map(({ hash }) => hash)
}

const statusOf = (id: string) =>
  env.DB.prepare('SELECT status FROM requests WHERE id = ?').bind(id).first<string>('status')

/** What a thief with a stolen session and a look into the mailbox leaves in an account. */
async function plant(
  ana: Person,
): Promise<{ token: string; withdrawal: string; device: string | undefined }> {
  const signedIn = await call<{ token: string }>('POST', '/auth/login', {
    json: { email: ana.email, password: ana.password },
    ip: '192.0.2.66',
  })
  const thief = { ...ana, token: signedIn.body.token }
  const filed = await withdraw(thief, { amount: '10.00' })
  expect(filed.status).toBe(201)
  const address = { type: 'bitcoin', network: 'btc', address: GOOD_ADDRESS }
  await env.DB.prepare(
    `INSERT INTO saved_addresses (id, investor, label, network, address, destination_hash, created_at)
     SELECT ?1, investor, 'Cold wallet', 'btc', ?2, destination_hash, ?3 FROM known_destinations WHERE investor = ?4`,
  )
    .bind(crypto.randomUUID(), address.address, Date.now(), ana.id)
    .run()
  await as(thief, 'POST', '/auth/two-factor/setup')
  await as(thief, 'POST', '/users/email', { email: `thief-${ana.email}`, password: ana.password })
  await as(thief, 'PATCH', '/users/preferences', { activityLog: false, emails: { unusualActivity: false } })
  const key = { kind: 'program', name: 'Thief', until: new Date().toISOString().slice(0, 10) }
  expect((await as(thief, 'POST', '/users/keys', { ...key, password: ana.password })).status).toBe(201)
  // A code that was mailed for another withdrawal.
  await call('POST', '/withdrawals', { token: thief.token, json: { ...CRYPTO_WITHDRAWAL, amount: '11.00' } })
  const [device] = await devicesOf(ana)
  expect(device).toBeTruthy()
  return { token: thief.token, withdrawal: filed.body._id, device }
}

test('every table with a column for a person is undone by distrust, or excused with a reason', async () => {
  const { results } = await env.DB.prepare(
    `SELECT name FROM sqlite_master
     WHERE type = 'table' AND name NOT GLOB 'sqlite_*' AND name NOT GLOB '_cf_*' AND name <> 'd1_migrations'`,
  ).all<{ name: string }>()
  const personal: string[] = []
  for (const { name } of results) {
    const columns = await env.DB.prepare(`PRAGMA table_info(${name})`).all<{ name: string }>()
    const keys = await env.DB.prepare(`PRAGMA foreign_key_list(${name})`).all<{ table: string }>()
    const isOfPerson =
      columns.results.some((column) => /^(?:user_id|investor|owner|email|referrer)$/.test(column.name)) ||
      keys.results.some(({ table }) => table === 'users')
    if (isOfPerson) personal.push(name)
  }
  const named = [...Object.keys(PLANTED), ...Object.keys(NOT_PLANTED)]
  expect(personal.filter((table) => !named.includes(table))).toEqual([])
  expect(named.filter((table) => !results.some(({ name }) => name === table))).toEqual([])
  expect(new Set(named).size).toBe(named.length)
  for (const reason of Object.values(NOT_PLANTED)) expect(reason.length).toBeGreaterThan(10)
})

describe.each([
  ['resetting the password', reset],
  ['locking the account', lock],
  ['changing the password', changePassword],
  ['turning on the first second factor', firstFactor],
])('%s', (_, act) => {
  test('undoes everything that a thief left behind', async () => {
    const ana = await newInvestor({ availableCents: 1000_00 })
    const planted = await plant(ana)
    await act(ana)
    expect(await call('GET', '/users/user-info', { token: planted.token })).toMatchObject({ status: 401 })
    for (const left of [
      "sessions WHERE user_id = ? AND ended_at IS NULL AND ip <> '203.0.113.1'",
      'read_keys WHERE investor = ? AND revoked_at IS NULL',
      'saved_addresses WHERE investor = ?',
      'known_destinations WHERE investor = ?',
      'withdrawal_codes WHERE investor = ? AND used_at IS NULL AND expires_at > unixepoch() * 1000',
      'email_tokens WHERE user_id = ? AND used_at IS NULL',
      'email_changes WHERE user_id = ? AND ended_at IS NULL',
      'second_factors WHERE user_id = ? AND enabled_at IS NULL',
      'passkey_challenges WHERE user_id = ? AND used_at IS NULL',
      'preferences WHERE user_id = ? AND (unusual_activity = 0 OR activity_log = 0)',
    ])
      expect([left, await count(left, ana.id)]).toEqual([left, 0])
    // A reset makes the owner's browser known.
    expect(await devicesOf(ana)).not.toContain(planted.device)
    expect(await statusOf(planted.withdrawal)).toBe('cancelled')
  })
})

test('what the session that changes the password requested goes on, and its destination stays', async () => {
  const ana = await newInvestor({ availableCents: 1000_00 })
  const own = await withdrawal(ana, '100')
  await changePassword(ana)
  expect(await statusOf(own)).toBe('pending')
  expect(await count('known_destinations WHERE investor = ?', ana.id)).toBe(1)
})

test('a destination that was paid stays only if it was paid before the last seven days', async () => {
  const [olu, pia] = [await newOperator(), await newOperator()]
  for (const [days, left] of [
    [6, 0],
    [8, 1],
  ] as const) {
    const ana = await newInvestor({ availableCents: 1000_00 })
    const id = await withdrawal(ana, '50', '/withdrawals/online-service')
    await approveWithdrawal(olu, id)
    expect(await completeWithdrawal(pia, id)).toMatchObject({ status: 200 })
    await withTriggerDropped(env.DB, 'request_events_no_update', () =>
      env.DB.prepare("UPDATE request_events SET at = ? WHERE request = ? AND status = 'completed'")
        .bind(Date.now() - days * DAY_MS, id)
        .run(),
    )
    await reset(ana)
    expect([days, await count('known_destinations WHERE investor = ?', ana.id)]).toEqual([days, left])
  }
})

test('after a reset the thief’s browser and network are new, and a sign-in there is mailed', async () => {
  const ana = await newInvestor()
  const at = { ip: '192.0.2.66' }
  const signIn = (password: string, device?: string) =>
    call('POST', '/auth/login', {
      json: { email: ana.email, password },
      ...at,
      ...(device !== undefined && { device }),
    })
  const device = deviceOf(await signIn(ana.password))
  await reset(ana)
  const again = await signIn(NEW_PASSWORD, device)
  expect(again.status).toBe(200)
  expect(deviceOf(again)).not.toBe(device)
  expect(await mailTo(ana.email, /^A sign-in from somewhere new/)).toBeDefined()
})

describe('a locked account', () => {
  test('cannot be entered, with the right password or by SQL, until two operators lift the lock', async () => {
    const [olu, pia, ana] = [await newOperator(), await newOperator(), await newInvestor()]
    await lock(ana)
    const signIn = () => call('POST', '/auth/login', { json: { email: ana.email, password: ana.password } })
    expect(await signIn()).toMatchObject({ status: 403, body: { code: 'account_locked' } })
    await expect(anotherSession(ana)).rejects.toThrow()
    await expect(
      env.DB.prepare('UPDATE sessions SET ended_at = NULL WHERE user_id = ?').bind(ana.id).run(),
    ).rejects.toThrow(/account_locked/)
    // A wrong password does not tell that it is locked.
    expect(
      await call('POST', '/auth/login', { json: { email: ana.email, password: 'wrong password' } }),
    ).toMatchObject({ status: 401, body: { code: 'invalid_credentials' } })
    // The way back: a new password, and two operators.
    await reset(ana)
    expect(
      await call('POST', '/auth/login', { json: { email: ana.email, password: NEW_PASSWORD } }),
    ).toMatchObject({ status: 403, body: { code: 'account_locked' } })
    for (const by of [olu, pia])
      await as(by, 'POST', `/operator/investors/${ana.id}/unfreeze`, { reason: 'A test' })
    expect(
      await call('POST', '/auth/login', { json: { email: ana.email, password: NEW_PASSWORD } }),
    ).toMatchObject({ status: 200 })
  })

  test('an account that only an operator froze can be entered and read', async () => {
    const [operator, ana] = [await newOperator(), await newInvestor()]
    await as(operator, 'POST', `/operator/investors/${ana.id}/freeze`, { reason: 'A complaint' })
    const { status, body } = await call<{ token: string }>('POST', '/auth/login', {
      json: { email: ana.email, password: ana.password },
    })
    expect(status).toBe(200)
    expect((await call('GET', '/transaction-history', { token: body.token })).status).toBe(200)
  })
})

describe('ending a session', () => {
  const end = (person: Person, token: string) =>
    call('DELETE', `/users/sessions/${token.split('.')[0]}`, { token: person.token })

  test('cancels what that session requested and nothing else, and mails the owner', async () => {
    const ana = await newInvestor({ availableCents: 1000_00 })
    const own = await withdrawal(ana, '100')
    const thief = { ...ana, token: await anotherSession(ana) }
    const theirs = await withdrawal(thief, '50')
    expect((await end(ana, thief.token)).status).toBe(204)
    expect([await statusOf(own), await statusOf(theirs)]).toEqual(['pending', 'cancelled'])
    expect((await mailTo(ana.email, /were stopped$/)).text).toContain('/lock-account')
  })

  test('takes back the approval of what that session requested', async () => {
    const [olu, pia, ana] = [
      await newOperator(),
      await newOperator(),
      await newInvestor({ availableCents: 1000_00 }),
    ]
    const thief = { ...ana, token: await anotherSession(ana) }
    const [own, theirs] = [await withdrawal(ana, '100'), await withdrawal(thief, '50')]
    for (const id of [own, theirs]) await approveWithdrawal(olu, id)
    await end(ana, thief.token)
    expect([await statusOf(own), await statusOf(theirs)]).toEqual(['approved', 'pending'])
    // One operator alone neither approves nor pays it again.
    expect((await approveWithdrawal(pia, theirs)).status).toBe(200)
    expect(await completeWithdrawal(pia, theirs)).toMatchObject({
      status: 403,
      body: { code: 'second_operator_required' },
    })
    expect((await completeWithdrawal(olu, theirs)).status).toBe(200)
  })

  test('is not mailed if that session requested nothing, and one’s own session stops nothing', async () => {
    const ana = await newInvestor({ availableCents: 1000_00 })
    const own = await withdrawal(ana, '100')
    await end(ana, await anotherSession(ana))
    await end(ana, ana.token)
    expect(await statusOf(own)).toBe('pending')
    expect((await mailsTo(ana.email)).map(({ subject }) => subject)).not.toContainEqual(
      expect.stringMatching(/were stopped$/),
    )
  })
})

test('after a reset one operator alone does not approve and pay for seven days, whatever time is given', async () => {
  const ana = await newInvestor({ availableCents: 1000_00 })
  await reset(ana)
  const token = await anotherSession(ana)
  const id = await withdrawal({ ...ana, token }, '50')
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 8 * DAY_MS })
  const [olu, pia] = [await newOperator(), await newOperator()]
  await approveWithdrawal(olu, id)
  // The Worker's clock says eight days later, the database's does not.
  await withTriggerDropped(env.DB, 'request_events_on_hold', async () => {
    expect(await completeWithdrawal(olu, id)).toMatchObject({
      status: 403,
      body: { code: 'second_operator_required' },
    })
    expect((await completeWithdrawal(pia, id)).status).toBe(200)
  })
})

test('every withdrawal is mailed to its owner when it is requested, with a link that locks the account', async () => {
  const ana = await newInvestor({ availableCents: 1000_00 })
  await withdrawal(ana, '10')
  await endDestinationDelay(ana)
  // Known device and destination: no further proof, and still a mail.
  const reply = await call('POST', '/withdrawals', {
    token: ana.token,
    json: { ...CRYPTO_WITHDRAWAL, amount: '12.00' },
  })
  expect(reply.status).toBe(201)
  const { text } = await mailTo(ana.email, new RegExp(`^Your withdrawal ${reply.body.ref} was requested$`))
  expect(text).toContain('$12.00')
  expect(text).toContain('/lock-account')
})
