import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, test } from 'vitest'
import type { OperatorWithdrawal } from '../../../src/contract/console/withdrawals.ts'
import { mailDateText } from '../../../src/contract/dates.ts'
import type { Transaction, TransactionDetail } from '../../../src/contract/money/transactions.ts'
import { DAY_MS } from '../../../src/time.ts'
import { totpCode } from '../../../test/support/codes.ts'
import { letChangePass, turnOnApp } from '../../../test/support/factors.ts'
import { BANK_WITHDRAWAL, CRYPTO_WITHDRAWAL, mailedCode, withdraw } from '../../../test/support/filing.ts'
import { letHoldPass } from '../../../test/support/hold.ts'
import { call } from '../../../test/support/http.ts'
import { linkIn, mailsTo, mailTo } from '../../../test/support/mailbox.ts'
import { booksOf } from '../../../test/support/money.ts'
import { approveWithdrawal, as, completeWithdrawal } from '../../../test/support/operating.ts'
import { type Asking, withPasskey } from '../../../test/support/passkeys.ts'
import { newInvestor, newOperator, type Person } from '../../../test/support/people.ts'
import { setSetting } from '../../../test/support/settings.ts'
import { newTotpSecret } from '../../lib/crypto/totp.ts'

// These withdrawals are smaller than the network's minimum.
beforeAll(() => setSetting('minimums', { btc: 0 }))

type Fields = Readonly<Record<string, unknown>>
const OTHER_ADDRESS = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'

const ask = (person: { token: string }, fields: Fields = {}) =>
  call('POST', '/withdrawals', { token: person.token, json: { ...CRYPTO_WITHDRAWAL, ...fields } })

/** Milliseconds from now. */
const away = (heldUntil: string | undefined) => Date.parse(heldUntil ?? '') - Date.now()

describe('a new destination confirmed by e-mail', () => {
  test('is delayed for 24 hours, and every view says so', async () => {
    const ana = await newInvestor({ availableCents: 1000_00 })
    const operator = await newOperator()
    const filed = await withdraw(ana)
    expect(filed.status).toBe(201)
    const { _id, heldUntil } = filed.body
    expect(heldUntil).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    expect(Math.abs(away(heldUntil) - DAY_MS)).toBeLessThan(60_000)
    const rows = [
      (await call<Transaction[]>('GET', '/transaction-history', { token: ana.token })).body[0],
      (await call<TransactionDetail>('GET', `/transaction-history/${_id}`, { token: ana.token })).body,
      (await as<OperatorWithdrawal>(operator, 'GET', `/operator/withdrawals/${_id}`)).body,
      (await as<OperatorWithdrawal[]>(operator, 'GET', '/operator/withdrawals')).body.find(
        (row) => row._id === _id,
      ),
    ]
    for (const row of rows) expect(row).toMatchObject({ _id, heldUntil })
  })

  test('a mail says until when and why, how to avoid the delay, and how to lock the account', async () => {
    const ana = await newInvestor({ availableCents: 1000_00 })
    const { ref, heldUntil } = (await withdraw(ana)).body
    const mail = await mailTo(ana.email, new RegExp(`^Your withdrawal ${ref} is delayed until `))
    expect(mail.text).toContain(mailDateText(Date.parse(heldUntil ?? '')))
    expect(mail.text).toContain('$100.00 to the Bitcoin address bc1q')
    expect(mail.text).toContain('The destination was new')
    expect(mail.text).toContain('turn on a second factor')
    const token = linkIn(mail, '/lock-account').searchParams.get('token')
    expect((await call('POST', '/auth/lock-account', { json: { token } })).status).toBe(200)
    expect(await ask(ana, { amount: '1' })).toMatchObject({ status: 401 })
  })

  test('sends one mail for each delayed withdrawal, and none for others', async () => {
    const secret = newTotpSecret()
    const ana = await newInvestor({ availableCents: 1000_00, totpSecret: secret })
    const delayMails = async () =>
      (await mailsTo(ana.email)).filter(({ subject }) => subject.includes('is delayed until')).length
    expect(await ask(ana, { code: totpCode(secret) })).toMatchObject({ status: 201 })
    expect(await delayMails()).toBe(0)
    const held = await withdraw(ana, { address: OTHER_ADDRESS, amount: '10' })
    expect(held).toMatchObject({ status: 201, body: { heldUntil: expect.any(String) } })
    expect(await delayMails()).toBe(1)
    expect((await mailTo(ana.email, /is delayed until/)).text).toContain('with a second factor')
  })

  test('a delayed withdrawal can be approved or rejected, but not completed before its time', async () => {
    const ana = await newInvestor({ availableCents: 1000_00 })
    const operator = await newOperator()
    const { _id } = (await withdraw(ana)).body
    const approved = await approveWithdrawal(operator, _id)
    expect(approved).toMatchObject({ status: 200, body: { status: 'approved' } })
    expect((await mailTo(ana.email, /was approved$/)).text).toMatch(/delayed until .+ UTC/)
    const early = await completeWithdrawal(operator, _id)
    expect(early).toMatchObject({ status: 409, body: { code: 'destination_on_hold' } })
    expect(await booksOf(ana.id)).toMatchObject({ held: 100_00, withdrawals: 0 })
    await letHoldPass(_id)
    expect(await completeWithdrawal(await newOperator(), _id)).toMatchObject({
      status: 200,
      body: { status: 'completed' },
    })

    const second = (await withdraw(ana, { address: OTHER_ADDRESS })).body
    await approveWithdrawal(operator, second._id)
    const path = `/operator/withdrawals/${second._id}/reject`
    expect((await as(operator, 'POST', path, { reason: 'A test' })).status).toBe(200)
  })

  test('hand-written SQL does not pay a delayed withdrawal, with any time', async () => {
    const ana = await newInvestor({ availableCents: 1000_00 })
    const operator = await newOperator()
    const { _id } = (await withdraw(ana)).body
    await approveWithdrawal(operator, _id)
    const pay = (at: number) =>
      env.DB.prepare(
        `INSERT INTO request_events (request, status, at, actor, investor, amount, reference, reference_key)
         VALUES (?, 'completed', ?, ?, ?, 10000, 'Paid', 'paid')`,
      )
        .bind(_id, at, operator.id, ana.id)
        .run()
    await expect(pay(Date.now())).rejects.toThrow(/destination_on_hold/)
    await expect(pay(Date.now() + 2 * DAY_MS)).rejects.toThrow(/destination_on_hold/)
    await expect(
      env.DB.prepare('UPDATE withdrawal_details SET held_until = NULL WHERE request = ?').bind(_id).run(),
    ).rejects.toThrow(/immutable/)
    await expect(
      env.DB.prepare('UPDATE known_destinations SET held_until = held_until - 1 WHERE investor = ?')
        .bind(ana.id)
        .run(),
    ).rejects.toThrow(/immutable hold/)
  })

  test('holds further withdrawals to it until the same moment, confirmed or not, and others not', async () => {
    const ana = await newInvestor({ availableCents: 10_000_00 })
    const { heldUntil } = (await withdraw(ana, { amount: '1' })).body
    const unasked = await ask(ana, { amount: '2' })
    expect(unasked).toMatchObject({ status: 201, body: { heldUntil } })
    const large = await withdraw(ana, { amount: '6000' })
    expect(large).toMatchObject({ status: 201, body: { heldUntil } })
    const other = await withdraw(ana, { amount: '3', address: OTHER_ADDRESS })
    expect(away(other.body.heldUntil)).toBeGreaterThan(away(heldUntil))
  })

  test('stays on hold when the first withdrawal to it was cancelled', async () => {
    const ana = await newInvestor({ availableCents: 1000_00 })
    const { _id, heldUntil } = (await withdraw(ana, { amount: '1' })).body
    await call('POST', `/withdrawals/${_id}/cancel`, { token: ana.token })
    expect(await ask(ana, { amount: '1' })).toMatchObject({ status: 201, body: { heldUntil } })
  })

  test('is no longer delayed after its time', async () => {
    const ana = await newInvestor({ availableCents: 1000_00 })
    await withdraw(ana, { amount: '1' })
    await env.DB.prepare('DROP TRIGGER known_destinations_keep_hold').run()
    await env.DB.prepare('UPDATE known_destinations SET held_until = ? WHERE investor = ?')
      .bind(Date.now(), ana.id)
      .run()
    const later = await ask(ana, { amount: '1' })
    expect(later.status).toBe(201)
    expect(later.body).not.toHaveProperty('heldUntil')
  })

  test('is the same for a bank account', async () => {
    const ana = await newInvestor({ availableCents: 1000_00 })
    const filed = await withdraw(ana, {}, '/withdrawals/online-service')
    expect(Math.abs(away(filed.body.heldUntil) - DAY_MS)).toBeLessThan(60_000)
    const again = await call('POST', '/withdrawals/online-service', {
      token: ana.token,
      json: { ...BANK_WITHDRAWAL, accountNumber: '0011-2233 445566', occupation: 'Painter' },
    })
    expect(again).toMatchObject({ status: 201, body: { heldUntil: filed.body.heldUntil } })
  })

  test('gets one time when several withdrawals confirm it in parallel', async () => {
    const ana = await newInvestor({ availableCents: 10_000_00 })
    const amounts = ['1', '2', '3', '4', '5']
    const codes: string[] = []
    for (const amount of amounts) {
      await ask(ana, { amount })
      codes.push(await mailedCode(ana.email))
    }
    const replies = await Promise.all(amounts.map((amount, i) => ask(ana, { amount, code: codes[i] })))
    expect(replies.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201])
    const moments = new Set(replies.map(({ body }) => body.heldUntil))
    expect(moments.size).toBe(1)
    const { results } = await env.DB.prepare(
      `SELECT DISTINCT d.held_until FROM withdrawal_details d JOIN requests r ON r.id = d.request WHERE r.investor = ?`,
    )
      .bind(ana.id)
      .all<{ held_until: number }>()
    expect(results.map(({ held_until }) => new Date(held_until).toISOString())).toEqual([...moments])
  })

  test('is replayed with its moment under the same Idempotency-Key', async () => {
    const ana = await newInvestor({ availableCents: 1000_00 })
    await ask(ana)
    const json = { ...CRYPTO_WITHDRAWAL, code: await mailedCode(ana.email) }
    const options = { token: ana.token, json, idempotencyKey: 'hold-1' }
    const first = await call('POST', '/withdrawals', options)
    const again = await call('POST', '/withdrawals', options)
    expect(again.body).toEqual(first.body)
    expect(first.body).toHaveProperty('heldUntil')
  })
})

describe('the second factor', () => {
  test('a second factor lets a new destination be paid at once', async () => {
    const secret = newTotpSecret()
    const ana = await newInvestor({ availableCents: 1000_00, totpSecret: secret })
    const operator = await newOperator()
    const filed = await ask(ana, { code: totpCode(secret) })
    expect(filed.status).toBe(201)
    expect(filed.body).not.toHaveProperty('heldUntil')
    await approveWithdrawal(operator, filed.body._id)
    expect((await completeWithdrawal(await newOperator(), filed.body._id)).status).toBe(200)
    expect((await ask(ana, { amount: '1' })).body).not.toHaveProperty('heldUntil')
  })

  test('does not when the mailed code is given instead', async () => {
    const ana = await newInvestor({ availableCents: 1000_00, totpSecret: newTotpSecret() })
    expect((await withdraw(ana)).body).toHaveProperty('heldUntil')
  })

  test('ends the delay for new withdrawals after 72 hours; earlier ones keep theirs', async () => {
    const ana = await newInvestor({ availableCents: 1000_00 })
    const operator = await newOperator()
    const first = (await withdraw(ana, { amount: '1' })).body
    const { secret } = await turnOnApp(ana)
    await letChangePass(ana)
    expect(await ask(ana, { amount: '2' })).toMatchObject({ body: { heldUntil: first.heldUntil } })
    // No proof is needed, and a code that is sent counts.
    const third = await ask(ana, { amount: '3', code: totpCode(secret) })
    expect(third.status).toBe(201)
    expect(third.body).not.toHaveProperty('heldUntil')
    expect((await ask(ana, { amount: '4' })).body).not.toHaveProperty('heldUntil')
    await approveWithdrawal(operator, first._id)
    expect(await completeWithdrawal(operator, first._id)).toMatchObject({
      status: 409,
      body: { code: 'destination_on_hold' },
    })
    await approveWithdrawal(operator, third.body._id)
    expect((await completeWithdrawal(await newOperator(), third.body._id)).status).toBe(200)
  })
})

describe('for 72 hours after a security change, a second factor does not lift the delay of a new destination', () => {
  const NEW_PASSWORD = 'ein Kahn im Hafen'
  type Change = (person: Person, secret: string) => Promise<unknown>
  const changes: [string, Change][] = [
    [
      'a new password',
      ({ token, password }) =>
        call('PATCH', '/users/user-info', {
          token,
          json: { currentPassword: password, newPassword: NEW_PASSWORD },
        }),
    ],
    [
      'new recovery codes',
      ({ token, password }, secret) =>
        call('POST', '/auth/two-factor/recovery-codes', {
          token,
          json: { password, code: totpCode(secret, -1) },
        }),
    ],
    ['a passkey that is added', (person, secret) => withPasskey(person, { code: totpCode(secret, -1) })],
    [
      'another e-mail address',
      ({ id, email }) =>
        env.DB.prepare('UPDATE users SET email = ? WHERE id = ?').bind(`new-${email}`, id).run(),
    ],
    [
      'a passkey that is removed',
      async ({ id }) => {
        await env.DB.prepare(
          `INSERT INTO passkeys (id, user_id, credential_id, public_key, sign_count, transports, name, backed_up, created_at)
           VALUES (?1, ?1, ?1, 'x', 0, '', 'Old', 0, 0)`,
        )
          .bind(id)
          .run()
        await env.DB.prepare('DELETE FROM passkeys WHERE user_id = ?').bind(id).run()
      },
    ],
  ]

  test.each(changes)('after %s', async (_, change) => {
    const secret = newTotpSecret()
    const ana = await newInvestor({ availableCents: 1000_00, totpSecret: secret })
    await change(ana, secret)
    const asked = await ask(ana, { amount: '1' })
    expect(asked.body.reasons).toEqual(['new_destination', 'new_device', 'recent_security_change'])
    const filed = await ask(ana, { amount: '1', code: totpCode(secret) })
    expect(filed.status).toBe(201)
    expect(Math.abs(away(filed.body.heldUntil) - DAY_MS)).toBeLessThan(60_000)
    // Nor does it end an existing delay.
    const again = await ask(ana, { amount: '2', code: totpCode(secret, 1) })
    expect(again).toMatchObject({ status: 201, body: { heldUntil: filed.body.heldUntil } })
  })

  test('after the first second factor, an app or a passkey, and no longer than 72 hours', async () => {
    const ana = await newInvestor({ availableCents: 1000_00 })
    const { secret } = await turnOnApp(ana)
    expect((await ask(ana, { amount: '1', code: totpCode(secret) })).body).toHaveProperty('heldUntil')
    expect((await mailTo(ana.email, /is delayed until/)).text).toContain('changed in the last three days')
    await letChangePass(ana)
    const later = await ask(ana, { amount: '1', address: OTHER_ADDRESS, code: totpCode(secret, 1) })
    expect(later.status).toBe(201)
    expect(later.body).not.toHaveProperty('heldUntil')

    const bela = await newInvestor({ availableCents: 1000_00 })
    const { device } = await withPasskey(bela)
    const asked = await call<Asking>('POST', '/withdrawals', { token: bela.token, json: CRYPTO_WITHDRAWAL })
    const passkey = await device.answer(asked.body.passkey)
    expect((await ask(bela, { passkey })).body).toHaveProperty('heldUntil')
  })

  test('also by hand-written SQL, with any time', async () => {
    const ana = await newInvestor({ availableCents: 1000_00 })
    await turnOnApp(ana)
    const know = (at: number, until: number | null) =>
      env.DB.prepare(
        `INSERT INTO known_destinations (investor, destination_hash, confirmed_at, held_until) VALUES (?, 'made-up', ?, ?)`,
      )
        .bind(ana.id, at, until)
        .run()
    const now = Date.now()
    await expect(know(now, null)).rejects.toThrow(/destination_on_hold/)
    await expect(know(now, now + DAY_MS - 1)).rejects.toThrow(/destination_on_hold/)
    await expect(know(now + 4 * DAY_MS, null)).rejects.toThrow(/destination_on_hold/)
    await know(now, now + DAY_MS)
    const lift = (set: string) =>
      env.DB.prepare(`UPDATE known_destinations SET ${set} WHERE investor = ?`).bind(ana.id).run()
    await expect(lift('held_until = NULL')).rejects.toThrow(/destination_on_hold/)
    await expect(lift(`held_until = NULL, confirmed_at = ${now + 4 * DAY_MS}`)).rejects.toThrow(
      /destination_on_hold/,
    )
    for (const value of ['NULL', '1'])
      await expect(
        env.DB.prepare(`UPDATE users SET security_changed_at = ${value} WHERE id = ?`).bind(ana.id).run(),
      ).rejects.toThrow(/only increases/)
    const file = env.DB.prepare(
      `INSERT INTO requests (id, ref, investor, kind, queue, amount, asked, created_at)
       VALUES (?1, ?1, ?1, 'withdrawal', 'withdrawals', 100, 100, ?2)`,
    ).bind(ana.id, now)
    const details = env.DB.prepare(
      `INSERT INTO withdrawal_details (request, coin, network, address, destination_hash, session_id, proof)
       VALUES (?1, 'bitcoin', 'btc', 'x', 'nobody knows it', 'x', 'totp')`,
    ).bind(ana.id)
    await expect(env.DB.batch([file, details])).rejects.toThrow(/destination_on_hold/)
  })
})
