import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, test } from 'vitest'
import { site } from '../../../src/site.ts'
import { ageFactor } from '../../../test/support/ageFactor.ts'
import { totpCode } from '../../../test/support/codes.ts'
import { cost } from '../../../test/support/cost.ts'
import { turnOnApp } from '../../../test/support/factors.ts'
import { withdraw } from '../../../test/support/filing.ts'
import { type AnyBody, call } from '../../../test/support/http.ts'
import { txid } from '../../../test/support/ledger/txid.ts'
import {
  approveDeposit,
  approveProposal,
  approveWithdrawal,
  as,
  completeWithdrawal,
  deposit,
  propose,
  withdrawal,
} from '../../../test/support/operating.ts'
import { type Asking, withPasskey } from '../../../test/support/passkeys.ts'
import {
  anotherSession,
  freshCode,
  newInvestor,
  newOperator,
  type Operator,
} from '../../../test/support/people.ts'
import { newTotpSecret } from '../../lib/crypto/totp.ts'

/** The risk of a new person's case may be high. */
const CHECKED = { riskReason: 'Called back, all is in order' } as const

const fresh = (methods: readonly string[] = ['totp']) => ({
  status: 403,
  body: { code: 'step_up_required', reasons: ['fresh_factor'], methods },
})
const bound = (methods: readonly string[] = ['totp']) => ({
  status: 403,
  body: { code: 'step_up_required', reasons: ['bound_factor'], methods },
})
const refused = (status: number, code: string) => ({ status, body: { code } })
const confirm = (by: { token: string }, json: unknown = {}) =>
  call<Asking>('POST', '/auth/confirm', { token: by.token, json })

async function stolen(): Promise<Operator> {
  const operator = await newOperator()
  await ageFactor(operator, 15.1)
  return operator
}

describe('an operator’s token that was stolen, older than the second factor counts', () => {
  test('a stolen operator’s token with an old factor approves, credits, pays and proposes nothing', async () => {
    const [thief, other] = [await stolen(), await newOperator()]
    const ana = await newInvestor({ availableCents: 1_000_00 })
    const credit = await deposit(ana, '100')
    const [waiting, approved] = [await withdrawal(ana, '50'), await withdrawal(ana, '60')]
    await approveWithdrawal(other, approved)
    const proposal = await propose(other, { kind: 'bonus', investor: ana.id, amount: 5, reason: 'Thanks' })
    const locked = await newInvestor()
    await env.DB.prepare('UPDATE users SET locked_at = ?1, frozen_at = ?1 WHERE id = ?2')
      .bind(Date.now(), locked.id)
      .run()
    const bonus = { kind: 'bonus', investor: ana.id, amount: 5, reason: 'Thanks' }
    const acts: [method: string, path: string, json?: object][] = [
      [
        'POST',
        `/operator/deposits/${credit}/approve`,
        { ...CHECKED, reference: txid('stolen-1'), quantity: '0.00015576' },
      ],
      ['POST', `/operator/withdrawals/${waiting}/approve`],
      [
        'POST',
        `/operator/withdrawals/${approved}/complete`,
        { ...CHECKED, reference: txid('stolen-2'), quantity: '0.001' },
      ],
      ['POST', '/operator/proposals', bonus],
      [
        'POST',
        '/operator/proposals',
        { kind: 'settings', settings: { twoPersonLimit: 1 }, reason: 'A test' },
      ],
      ['POST', `/operator/proposals/${proposal.body._id}/approve`],
      ['POST', `/operator/investors/${locked.id}/unfreeze`, { reason: 'A test' }],
      ['PATCH', '/operator/settings', { supportAddress: 'thief@example.com' }],
      [
        'POST',
        '/operator/operators/invite',
        { email: `x-${ana.id}@example.com`.toLowerCase(), name: 'X', roles: ['treasurer'] },
      ],
      ['POST', `/operator/operators/${other.id}/roles`, { roles: ['auditor'], reason: 'Mine' }],
    ]
    for (const [method, path, json] of acts)
      expect([path, await as(thief, method, path, json)]).toMatchObject([path, fresh()])
    const { results } = await env.DB.prepare('SELECT status FROM requests WHERE investor = ? ORDER BY seq')
      .bind(ana.id)
      .all()
    expect(results.slice(-3)).toEqual([{ status: 'pending' }, { status: 'pending' }, { status: 'approved' }])

    // The same calls by the operator, who has the app.
    expect((await confirm(thief, { code: await freshCode(thief) })).status).toBe(204)
    for (const [method, path, json] of acts.slice(0, 3))
      expect([path, (await as(thief, method, path, json)).status]).toEqual([path, 200])
  })

  test('counts for fifteen minutes, or as long as the call carries a code, which renews it', async () => {
    const operator = await newOperator()
    await ageFactor(operator, 14.9)
    const ana = await newInvestor()
    expect((await approveDeposit(operator, await deposit(ana, '1'))).status).toBe(200)
    await ageFactor(operator, 15.1)
    const id = await deposit(ana, '2')
    expect(await approveDeposit(operator, id)).toMatchObject(fresh())
    expect((await approveDeposit(operator, id, { code: await freshCode(operator) })).status).toBe(200)
    expect((await approveDeposit(operator, await deposit(ana, '3'))).status).toBe(200)
  })

  test('is not made fresh by reading, by a wrong code or by a recovery code', async () => {
    const thief = await stolen()
    expect((await as(thief, 'GET', '/operator/deposits')).status).toBe(200)
    expect(await confirm(thief)).toMatchObject(fresh())
    expect(await confirm(thief, { code: '000000' })).toMatchObject(refused(403, 'invalid_code'))
    const id = await deposit(await newInvestor(), '2')
    expect(await approveDeposit(thief, id)).toMatchObject(fresh())
    expect(await approveDeposit(thief, id, { code: '000000' })).toMatchObject(refused(403, 'invalid_code'))
  })

  test('all calls together allow twenty codes in fifteen minutes', async () => {
    const thief = await stolen()
    const id = await deposit(await newInvestor(), '2')
    for (let guess = 0; guess < 10; guess++) {
      expect((await confirm(thief, { code: String(guess).padStart(6, '0') })).status).toBe(403)
      expect((await approveDeposit(thief, id, { code: String(guess).padStart(6, '0') })).status).toBe(403)
    }
    const more = await confirm(thief, { code: await freshCode(thief) })
    expect(more).toMatchObject(refused(429, 'too_many_requests'))
    expect(await approveDeposit(thief, id, { code: totpCode(thief.secret ?? '') })).toMatchObject({
      status: 429,
    })
  })
})

describe('the sign-in', () => {
  const signIn = (by: Operator, code: string) =>
    call<{ token: string } & AnyBody>('POST', '/auth/login', {
      json: { email: by.email, password: by.password, code },
    })

  test('the sign-in’s code counts as a fresh factor, but confirms no large act', async () => {
    const operator = await newOperator()
    const code = await freshCode(operator)
    const { token } = (await signIn(operator, code)).body
    const ana = await newInvestor()
    expect((await approveDeposit({ token }, await deposit(ana, '10'))).status).toBe(200)
    const large = await deposit(ana, '6000')
    const path = `/operator/deposits/${large}/approve`
    expect(
      await as({ token }, 'POST', path, { ...CHECKED, reference: txid('large-1'), quantity: '0.09345794' }),
    ).toMatchObject(bound())
    expect(
      await as({ token }, 'POST', path, {
        ...CHECKED,
        reference: txid('large-1'),
        quantity: '0.09345794',
        code,
      }),
    ).toMatchObject(refused(403, 'invalid_code'))
    const next = totpCode(operator.secret ?? '', 1)
    expect(
      await as({ token }, 'POST', path, {
        ...CHECKED,
        reference: txid('large-1'),
        quantity: '0.09345794',
        code: next,
      }),
    ).toMatchObject({
      status: 202,
    })
    // Nor does the code of one act confirm another.
    const other = `/operator/deposits/${await deposit(ana, '6000')}/approve`
    expect(
      await as({ token }, 'POST', other, {
        ...CHECKED,
        reference: txid('large-2'),
        quantity: '0.09345794',
        code: next,
      }),
    ).toMatchObject(refused(403, 'invalid_code'))
  })

  test('with a recovery code is no second factor for acts', async () => {
    const operator = await newOperator({ twoFactor: false })
    const { recoveryCodes } = await turnOnApp(operator, { password: operator.password })
    const [first = '', second = ''] = recoveryCodes
    const { token } = (await signIn(operator, first)).body
    const id = await deposit(await newInvestor(), '2')
    expect(await approveDeposit({ token }, id)).toMatchObject(fresh())
    expect(await confirm({ token }, { code: second })).toMatchObject(refused(403, 'invalid_code'))
  })
})

describe('above the two-person limit', () => {
  test('the second approval of a credit needs a code of its own', async () => {
    const [first, second] = [await newOperator(), await newOperator()]
    const path = `/operator/deposits/${await deposit(await newInvestor(), '6000')}/approve`
    const json = { ...CHECKED, reference: txid('second-approval'), quantity: '0.09345794' }
    expect((await as(first, 'POST', path, { ...json, code: await freshCode(first) })).status).toBe(202)
    expect(await as(second, 'POST', path, json)).toMatchObject(bound())
    expect((await as(second, 'POST', path, { ...json, code: await freshCode(second) })).status).toBe(200)
  })

  test('above the two-person limit each act needs its own code', async () => {
    const [first, second] = [await newOperator(), await newOperator()]
    const ana = await newInvestor({ availableCents: 20_000_00 })
    const id = await withdrawal(ana, '5000.01')
    const path = `/operator/withdrawals/${id}`
    expect(await as(first, 'POST', `${path}/approve`, CHECKED)).toMatchObject(bound())
    expect(await as(first, 'POST', `${path}/approve`, { ...CHECKED, code: '000000' })).toMatchObject(
      refused(403, 'invalid_code'),
    )
    expect(
      (await as(first, 'POST', `${path}/approve`, { ...CHECKED, code: await freshCode(first) })).status,
    ).toBe(200)
    const paid = { ...CHECKED, reference: txid('paid-large'), quantity: '0.09345794' }
    expect(await as(second, 'POST', `${path}/complete`, paid)).toMatchObject(bound())
    const code = await freshCode(second)
    expect((await as(second, 'POST', `${path}/complete`, { ...paid, code })).status).toBe(200)

    const bonus = { kind: 'bonus', investor: ana.id, amount: '5000.01', reason: 'Thanks' }
    // The limit itself is not above the limit.
    const atLimit = { ...bonus, amount: '5000' }
    expect((await as(second, 'POST', '/operator/proposals', atLimit)).status).toBe(201)
    const reversal = { kind: 'reversal', request: id, reason: 'Returned' }
    for (const json of [bonus, reversal]) {
      expect(await as(first, 'POST', '/operator/proposals', json)).toMatchObject(bound())
      const confirmed = { ...json, code: await freshCode(first) }
      const proposed = await as(first, 'POST', '/operator/proposals', confirmed)
      expect(proposed.status).toBe(201)
      const decision = `/operator/proposals/${proposed.body._id}/approve`
      expect(await as(second, 'POST', decision)).toMatchObject(bound())
      expect((await as(second, 'POST', decision, { code: await freshCode(second) })).status).toBe(200)
    }
  })

  test('a passkey’s answer is valid for one item and amount only', async () => {
    const operator = await newOperator()
    const { device } = await withPasskey(operator, { code: await freshCode(operator) })
    const ana = await newInvestor()
    const [one, two] = [await deposit(ana, '9000'), await deposit(ana, '9000')]
    const approve = (id: string, fields: object) =>
      call<Asking>('POST', `/operator/deposits/${id}/approve`, {
        token: operator.token,
        json: { ...CHECKED, reference: txid(`passkey-${id}`), quantity: '0.09345794', ...fields },
      })
    const asked = await approve(one, { amount: '6000' })
    expect(asked).toMatchObject(bound(['passkey', 'totp']))
    expect(asked.body.passkey.userVerification).toBe('required')
    const passkey = await device.answer(asked.body.passkey)
    expect(await approve(one, { amount: '9000', passkey })).toMatchObject(refused(403, 'invalid_passkey'))
    expect(await approve(two, { amount: '6000', passkey })).toMatchObject(refused(403, 'invalid_passkey'))
    const elsewhere = await call('POST', `/operator/deposits/${one}/approve`, {
      token: await anotherSession(operator),
      json: { ...CHECKED, reference: txid('x'), quantity: '0.09345794', amount: '6000', passkey },
    })
    expect(elsewhere).toMatchObject(refused(403, 'invalid_passkey'))
    expect(await approve(one, { amount: '6000', passkey })).toMatchObject({ status: 202 })

    // Nor is a proof that renewed the session.
    const renewed = await device.answer((await confirm(operator)).body.passkey)
    expect(await approve(two, { passkey: renewed })).toMatchObject(refused(403, 'invalid_passkey'))
    expect(await confirm(operator, { passkey: renewed })).toMatchObject({ status: 204 })
    // A proposal has no URL yet, so the answer is bound to its person and kind.
    const bonus = { kind: 'bonus', investor: ana.id, amount: 6000, reason: 'Thanks' }
    const question = await call<Asking>('POST', '/operator/proposals', { token: operator.token, json: bonus })
    const answer = await device.answer(question.body.passkey)
    const ben = await newInvestor()
    for (const other of [{ investor: ben.id }, { amount: 7000 }])
      expect(
        await as(operator, 'POST', '/operator/proposals', { ...bonus, ...other, passkey: answer }),
      ).toMatchObject(refused(403, 'invalid_passkey'))
    expect(await as(operator, 'POST', '/operator/proposals', { ...bonus, passkey: answer })).toMatchObject({
      status: 201,
    })
  })

  test('an act refused for another reason does not use up the code', async () => {
    const operator = await newOperator()
    const ana = await newInvestor()
    await approveDeposit(operator, await deposit(ana, '10'), { reference: txid('taken-before') })
    const id = await deposit(ana, '6000')
    const code = await freshCode(operator)
    // 202: only the credit itself checks the reference.
    const bonus = { kind: 'bonus', investor: ana.id, amount: 6000, reason: 'Thanks', code }
    expect(await as(operator, 'POST', '/operator/proposals', { ...bonus, investor: 'nobody' })).toMatchObject(
      {
        status: 422,
      },
    )
    expect(
      await as(operator, 'POST', '/operator/deposits/unknown/approve', {
        reference: txid('x'),
        quantity: '0.09345794',
        code,
      }),
    ).toMatchObject({
      status: 404,
    })
    expect(
      (
        await as(operator, 'POST', `/operator/deposits/${id}/approve`, {
          ...CHECKED,
          reference: txid('y'),
          quantity: '0.09345794',
          code,
        })
      ).status,
    ).toBe(202)
  })

  test('costs one round trip more than without', async () => {
    const [first, second] = [await newOperator(), await newOperator()]
    const ana = await newInvestor({ availableCents: 20_000_00 })
    const id = await withdrawal(ana, '6000')
    const approval = await cost('POST', `/operator/withdrawals/${id}/approve`, {
      token: first.token,
      json: { ...CHECKED, code: await freshCode(first) },
      key: true,
    })
    const payout = await cost('POST', `/operator/withdrawals/${id}/complete`, {
      token: second.token,
      json: {
        ...CHECKED,
        reference: txid(`cost-${id}`),
        quantity: '0.09345794',
        code: await freshCode(second),
      },
      key: true,
    })
    expect([approval.status, payout.status]).toEqual([200, 200])
    expect([approval.counted.trips, payout.counted.trips]).toEqual([4, 4])
  })
})

describe('the order of refusals', () => {
  test('refusals for decided items, used references and delays come before the second factor, and a second operator after it', async () => {
    const [operator, other, old] = [await newOperator(), await newOperator(), await stolen()]
    const ana = await newInvestor({ availableCents: 10_000_00 })
    await approveDeposit(other, await deposit(ana, '10'), { reference: txid('in-order') })
    const decided = await deposit(ana, '10')
    await approveDeposit(other, decided)
    expect(await approveDeposit(old, decided)).toMatchObject(refused(409, 'already_decided'))
    const used = { reference: txid('in-order').toUpperCase() }
    expect(await approveDeposit(old, await deposit(ana, '10'), used)).toMatchObject(
      refused(409, 'reference_used'),
    )
    const paid = await withdrawal(ana, '10')
    await approveWithdrawal(other, paid)
    expect(
      await as(old, 'POST', `/operator/withdrawals/${paid}/complete`, {
        ...CHECKED,
        ...used,
        quantity: '1',
      }),
    ).toMatchObject(refused(409, 'reference_used'))
    expect(await approveWithdrawal(old, paid)).toMatchObject(refused(409, 'already_decided'))
    const delayed = (await withdraw(ana, { amount: '10' })).body._id
    await approveWithdrawal(other, delayed)
    expect(await completeWithdrawal(old, delayed)).toMatchObject(refused(409, 'destination_on_hold'))

    const { body } = await propose(operator, { kind: 'bonus', investor: ana.id, amount: 5, reason: 'Thanks' })
    expect(await approveProposal(operator, body._id)).toMatchObject(refused(403, 'second_operator_required'))
    await ageFactor(operator, 16)
    expect(await approveProposal(operator, body._id)).toMatchObject(fresh())
  })

  test('a replay is answered before it', async () => {
    const operator = await newOperator()
    const id = await deposit(await newInvestor(), '6000')
    const send = (json: object) =>
      call('POST', `/operator/deposits/${id}/approve`, {
        token: operator.token,
        json: { ...CHECKED, reference: txid('replayed'), quantity: '0.09345794', ...json },
        idempotencyKey: `key-${id}`,
      })
    expect(await send({})).toMatchObject(bound())
    const done = await send({ code: await freshCode(operator) })
    expect(done.status).toBe(202)
    await ageFactor(operator, 60)
    const again = await send({})
    expect(again).toMatchObject({ status: 202, body: done.body })
    expect(again.headers.get('Idempotency-Replayed')).toBe('true')
  })

  test('a call without a code and one with it are the same to an idempotency key', async () => {
    const operator = await newOperator()
    const ana = await newInvestor({ availableCents: 10_000_00 })
    const id = await withdrawal(ana, '6000')
    const send = (options: object) =>
      call('POST', `/operator/withdrawals/${id}/approve`, {
        token: operator.token,
        idempotencyKey: `key-${id}`,
        ...options,
      })
    expect(await send({ json: CHECKED })).toMatchObject(bound())
    expect((await send({ json: { ...CHECKED, code: await freshCode(operator) } })).status).toBe(200)
    expect((await send({ json: CHECKED })).headers.get('Idempotency-Replayed')).toBe('true')
  })
})

describe('in live mode', () => {
  const mode = site.mode
  afterEach(() => {
    site.mode = mode
  })

  test('in live mode an operator needs a passkey, not a code', async () => {
    const operator = await newOperator()
    const ana = await newInvestor()
    const id = await deposit(ana, '10')
    site.mode = 'live'
    expect(await approveDeposit(operator, id)).toMatchObject(fresh(['passkey']))
    expect(await approveDeposit(operator, id, { code: await freshCode(operator) })).toMatchObject(
      fresh(['passkey']),
    )
    expect(await confirm(operator, { code: await freshCode(operator) })).toMatchObject(fresh(['passkey']))
    const { device } = await withPasskey(operator, { code: await freshCode(operator) })
    const asked = await confirm(operator)
    expect(asked).toMatchObject(fresh(['passkey']))
    expect((await confirm(operator, { passkey: await device.answer(asked.body.passkey) })).status).toBe(204)
    expect((await approveDeposit(operator, id)).status).toBe(200)
  })
})

describe('confirming', () => {
  test('works for every account that has a second factor', async () => {
    const secret = newTotpSecret()
    const ana = await newInvestor({ totpSecret: secret })
    expect((await confirm(ana, { code: totpCode(secret) })).status).toBe(204)
    expect(await confirm(ana, { code: totpCode(secret) })).toMatchObject(refused(403, 'invalid_code'))
    expect(await confirm(await newInvestor())).toMatchObject(refused(409, 'two_factor_not_set_up'))
  })

  test('never makes a session’s factor older', async () => {
    const operator = await newOperator()
    const [id] = operator.token.split('.')
    for (const sql of ['factor_at = 1', 'factor_at = NULL', "factor_at = factor_at + 1, factor_by = 'none'"])
      await expect(env.DB.prepare(`UPDATE sessions SET ${sql} WHERE id = ?`).bind(id).run()).rejects.toThrow()
  })
})
