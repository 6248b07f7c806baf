import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, test } from 'vitest'
import type { InvitationRow, OperatorRow } from '../../../src/contract/console/operators.ts'
import type { Proposal } from '../../../src/contract/console/proposals.ts'
import { totpCode } from '../../../test/support/codes.ts'
import { turnOnApp } from '../../../test/support/factors.ts'
import { type AnyBody, call, type Reply } from '../../../test/support/http.ts'
import { linkIn, mailsTo, mailTo } from '../../../test/support/mailbox.ts'
import { approveProposal, as, propose } from '../../../test/support/operating.ts'
import {
  anotherSession,
  newInvestor,
  newOperator,
  type Operator,
  type Person,
} from '../../../test/support/people.ts'

const PASSWORD = 'quiet-harbour-lanterns'
const FORBIDDEN = { status: 403, body: { code: 'forbidden' } }

let [ana, ben]: Operator[] = []
beforeEach(async () => {
  ;[ana, ben] = [
    await newOperator({ name: 'Ana Torres', roles: ['administrator'] }),
    await newOperator({ name: 'Ben Okoro', roles: ['administrator'] }),
  ]
})
/** Two administrators. */
const two = () => [ana as Operator, ben as Operator] as const

let addresses = 0
const newAddress = () => `new-${++addresses}@example.org`

type Change = Reply<Proposal & AnyBody>
const change = (
  by: Person,
  id: string,
  step: string,
  json: object = { reason: 'Because' },
): Promise<Change> => as(by, 'POST', `/operator/operators/${id}/${step}`, json)
const invite = (by: Person, email: string, roles: readonly string[] = ['reviewer']): Promise<Change> =>
  as(by, 'POST', '/operator/operators/invite', { email, name: 'Nia Newcomer', roles })
const rowOf = async (by: Person, id: string) =>
  (await as<OperatorRow[]>(by, 'GET', '/operator/operators?limit=100')).body.find(({ _id }) => _id === id)
const accept = (token: string | null, fields: object = {}) =>
  call('POST', '/auth/accept-invitation', {
    json: { token, password: PASSWORD, confirmPassword: PASSWORD, ...fields },
  })
const signIn = (email: string, more: object = {}) =>
  call<AnyBody & { token: string; role: string }>('POST', '/auth/login', {
    json: { email, password: PASSWORD, ...more },
  })
const run = (statement: string, ...values: unknown[]) =>
  env.DB.prepare(statement)
    .bind(...values)
    .run()

async function invitedLink(email: string, roles?: readonly string[]): Promise<string | null> {
  const [first, second] = two()
  const { body } = await invite(first, email, roles)
  expect((await approveProposal(second, body._id)).status).toBe(200)
  return linkIn(await mailTo(email, /invited/), '/accept-invitation').searchParams.get('token')
}

describe('an invitation', () => {
  test('an invitation is proposed by one administrator, approved by another, mailed, and accepted once', async () => {
    const [first, second] = two()
    const email = newAddress()
    const made = await invite(first, email.toUpperCase(), ['treasurer', 'reviewer', 'treasurer'])
    expect(made).toMatchObject({
      status: 202,
      body: {
        kind: 'operator',
        status: 'pending',
        operator: {
          action: 'invite',
          _id: null,
          email,
          name: 'Nia Newcomer',
          roles: ['reviewer', 'treasurer'],
        },
      },
    })
    expect(await mailsTo(email)).toEqual([])
    expect(await approveProposal(first, made.body._id)).toMatchObject({
      status: 403,
      body: { code: 'second_operator_required' },
    })
    const list = () => as<InvitationRow[]>(first, 'GET', '/operator/operators/invitations?limit=1')
    expect((await list()).body).toMatchObject([{ email, status: 'awaiting', expiresAt: null }])
    expect((await approveProposal(second, made.body._id)).status).toBe(200)
    expect((await list()).body).toMatchObject([{ email, status: 'open' }])

    const mail = await mailTo(email, /invited/)
    expect(mail.text).toContain('the roles of reviewer and treasurer')
    const token = linkIn(mail, '/accept-invitation').searchParams.get('token') ?? ''
    expect(token).toMatch(/^[\w-]{43}$/)
    const stored = await env.DB.prepare('SELECT * FROM operator_invitations WHERE email = ?')
      .bind(email)
      .first()
    expect(JSON.stringify(stored)).not.toContain(token)
    expect(await accept(token)).toMatchObject({ status: 201 })
    expect(await accept(token)).toMatchObject({ status: 400, body: { code: 'invalid_token' } })
    expect((await list()).body).toMatchObject([{ email, status: 'accepted' }])
    expect((await mailTo(email, /is open/)).text).toContain('second factor')
  })

  test('an accepted invitation opens nothing until a second factor is on, and then what the roles allow', async () => {
    const email = newAddress()
    expect((await accept(await invitedLink(email))).status).toBe(201)
    const { status, body } = await signIn(email)
    expect([status, body.role]).toEqual([200, 'operator'])
    const { token } = body
    for (const path of ['/operator/me', '/operator/kyc', '/operator/messages'])
      expect(await call('GET', path, { token })).toMatchObject({
        status: 403,
        body: { code: 'two_factor_not_enabled' },
      })
    await turnOnApp({ token, email })
    expect(await call('GET', '/operator/me', { token })).toMatchObject({
      status: 200,
      body: { name: 'Nia Newcomer', email, roles: ['reviewer'] },
    })
    expect((await call('GET', '/operator/kyc', { token })).status).toBe(200)
    expect(await call('GET', '/operator/operators', { token })).toMatchObject(FORBIDDEN)
    expect((await call('GET', '/users/user-info', { token })).status).toBe(200)
  })

  test('an invitation fails once it has expired or was withdrawn, and with a guessable password', async () => {
    const [first] = two()
    const [late, gone, weak] = [newAddress(), newAddress(), newAddress()]
    const tokens = [await invitedLink(late), await invitedLink(gone), await invitedLink(weak)]
    await run('UPDATE operator_invitations SET expires_at = ? WHERE email = ?', Date.now() - 1, late)
    const { body } = await as<InvitationRow[]>(first, 'GET', '/operator/operators/invitations')
    const open = body.find(({ email }) => email === gone)
    const path = `/operator/operators/invitations/${open?._id}/withdraw`
    expect(await as(first, 'POST', path)).toMatchObject({ status: 200, body: { status: 'expired' } })
    expect(await as(first, 'POST', path)).toMatchObject({ status: 409, body: { code: 'already_decided' } })
    for (const token of [...tokens.slice(0, 2), 'x'.repeat(43)])
      expect(await accept(token)).toMatchObject({ status: 400, body: { code: 'invalid_token' } })
    expect((await accept(tokens[2] ?? '', { password: 'short', confirmPassword: 'short' })).status).toBe(422)
    const guessable = { password: 'nianewcomer1', confirmPassword: 'nianewcomer1' }
    expect((await accept(tokens[2] ?? '', guessable)).status).toBe(422)
    expect((await accept(tokens[2] ?? '')).status).toBe(201)
  })

  test('is for an address that has no account and is not invited yet', async () => {
    const [first] = two()
    const investor = await newInvestor()
    const taken = await invite(first, investor.email)
    expect([taken.status, Object.keys(taken.body.fields ?? {})]).toEqual([422, ['email']])
    const email = newAddress()
    await invite(first, email)
    expect(await invite(first, email)).toMatchObject({ status: 409, body: { code: 'conflict' } })
    for (const wrong of [[], ['owner'], 'reviewer', undefined])
      expect(
        (await as(first, 'POST', '/operator/operators/invite', { email, name: 'N', roles: wrong })).status,
      ).toBe(422)
    const later = newAddress()
    const token = await invitedLink(later)
    await run('UPDATE users SET email = ? WHERE id = ?', later, investor.id)
    expect(await accept(token)).toMatchObject({ status: 409, body: { code: 'conflict' } })
  })

  test('the database refuses an invitation without two administrators', async () => {
    const [first] = two()
    const email = newAddress()
    const { body } = await invite(first, email)
    const approve = "UPDATE proposals SET status = 'approved', decided_by = ?, decided_at = ? WHERE id = ?"
    const treasurer = await newOperator({ roles: ['treasurer'] })
    const unprotected = await newOperator({ twoFactor: false })
    await expect(run(approve, first.id, Date.now(), body._id)).rejects.toThrow('second_operator_required')
    for (const by of [treasurer, unprotected])
      await expect(run(approve, by.id, Date.now(), body._id)).rejects.toThrow('forbidden')
    await expect(
      run("UPDATE operator_invitations SET token_hash = 'x', expires_at = 1 WHERE email = ?", email),
    ).rejects.toThrow('second_operator_required')
    await expect(
      run("UPDATE operator_invitations SET roles = 'administrator' WHERE email = ?", email),
    ).rejects.toThrow('immutable')
    await expect(
      run(
        `INSERT INTO operator_invitations (id, email, name, roles, created_at, token_hash, expires_at)
         VALUES ('own', 'x@example.org', 'X', 'administrator', 0, 'y', 1)`,
      ),
    ).rejects.toThrow('second_operator_required')
    const appoint = (id: string) =>
      run(
        `INSERT INTO users (id, role, operator_roles, email, fullname, display_name, phone, country, password_hash, created_at, referral_code)
         VALUES (?1, 'operator', 'administrator', ?1 || '@example.org', '', '', '', '', '-', 0, ?1)`,
        id,
      )
    await expect(appoint('somebody')).rejects.toThrow('second_operator_required')
    await expect(run('DELETE FROM users WHERE id = ?', first.id)).rejects.toThrow('never deleted')
    await expect(
      run(
        `INSERT OR REPLACE INTO users (id, role, email, fullname, display_name, phone, country, password_hash, created_at, referral_code)
         VALUES (?, 'investor', 'y@example.org', '', '', '', '', '-', 0, 'another')`,
        first.id,
      ),
    ).rejects.toThrow('never replaced')
  })
})

describe('an operator’s roles', () => {
  test('are changed by two administrators, and by neither on themselves', async () => {
    const [first, second] = two()
    const treasurer = await newOperator({ roles: ['treasurer'] })
    const made = await change(first, treasurer.id, 'roles', {
      roles: ['auditor', 'reviewer'],
      reason: 'Moved',
    })
    expect(made).toMatchObject({
      status: 202,
      body: { operator: { action: 'roles', _id: treasurer.id, roles: ['reviewer', 'auditor'] } },
    })
    expect((await rowOf(first, treasurer.id))?.roles).toEqual(['treasurer'])
    expect((await approveProposal(first, made.body._id)).status).toBe(403)
    expect((await approveProposal(second, made.body._id)).status).toBe(200)
    expect((await rowOf(first, treasurer.id))?.roles).toEqual(['reviewer', 'auditor'])
    expect((await mailTo(treasurer.email, /roles/)).text).toContain('the roles of reviewer and auditor')
    expect((await as(treasurer, 'GET', '/operator/me')).body).toMatchObject({
      roles: ['reviewer', 'auditor'],
    })

    expect(await change(first, first.id, 'roles', { roles: ['auditor'], reason: 'Rest' })).toMatchObject(
      FORBIDDEN,
    )
    const about = await change(second, first.id, 'roles', { roles: ['treasurer'], reason: 'Swap' })
    expect(await approveProposal(first, about.body._id)).toMatchObject({
      status: 403,
      body: { code: 'forbidden', msg: expect.stringContaining('cannot change your own access') },
    })
    const same = await change(first, second.id, 'roles', { roles: ['administrator'], reason: 'Same' })
    expect([same.status, Object.keys(same.body.fields ?? {})]).toEqual([422, ['roles']])
  })

  test('an operator’s roles only come from a decision by two others, and never from an older one', async () => {
    const [first, second] = two()
    const third = await newOperator({ roles: ['administrator'] })
    const target = await newOperator({ roles: ['treasurer'] })
    const decided = async (roles: string[]) => {
      const { body } = await change(first, target.id, 'roles', { roles, reason: 'Because' })
      expect((await approveProposal(second, body._id)).status).toBe(200)
      return body._id
    }
    const older = await decided(['administrator'])
    await decided(['treasurer'])
    const give = (roles: string, proposal: string | null) =>
      run('UPDATE users SET operator_roles = ?, access_proposal = ? WHERE id = ?', roles, proposal, target.id)
    await expect(
      run("UPDATE users SET operator_roles = 'administrator' WHERE id = ?", target.id),
    ).rejects.toThrow('second_operator_required')
    await expect(give('administrator', null)).rejects.toThrow('second_operator_required')
    await expect(give('administrator', older)).rejects.toThrow('second_operator_required')
    const pending = await change(first, target.id, 'roles', { roles: ['reviewer'], reason: 'Because' })
    await expect(give('reviewer', pending.body._id)).rejects.toThrow('second_operator_required')
    await approveProposal(third, pending.body._id)
    await expect(give('administrator', pending.body._id)).rejects.toThrow('second_operator_required')
    const own = `INSERT INTO proposals (id, kind, created_at, proposed_by, operator, payload)
      VALUES ('own', 'operator', 0, ?1, ?1, '{"action":"roles","roles":"auditor"}')`
    await expect(run(own, first.id)).rejects.toThrow('forbidden')
    const investor = await newInvestor()
    await expect(
      run("UPDATE users SET operator_roles = 'treasurer' WHERE id = ?", investor.id),
    ).rejects.toThrow('forbidden')
  })

  test('can be proposed like any other proposal', async () => {
    const [first] = two()
    const target = await newOperator({ roles: ['auditor'] })
    const json = {
      kind: 'operator',
      action: 'roles',
      operator: target.id,
      roles: ['reviewer'],
      reason: 'Because',
    }
    expect(await propose(first, json)).toMatchObject({ status: 201, body: { operator: { _id: target.id } } })
    expect(await propose(first, json)).toMatchObject({ status: 409 })
    expect((await propose(first, { ...json, operator: 'nobody' })).body.fields).toHaveProperty('operator')
    expect((await propose(first, { kind: 'operator', action: 'crown' })).body.fields).toHaveProperty('action')
  })
})

describe('disabling', () => {
  test('one administrator disables an operator, which ends every session and blocks sign-in', async () => {
    const [first] = two()
    const left = await newOperator({ name: 'Lea Ver' })
    const other = await anotherSession(left)
    const reply = await change(first, left.id, 'disable', { reason: 'Left the company' })
    expect(reply).toMatchObject({
      status: 200,
      body: {
        _id: left.id,
        disabledAt: expect.any(String),
        steps: [{ step: 'disabled', by: { _id: first.id }, note: 'Left the company' }],
        own: false,
      },
    })
    for (const token of [left.token, other])
      expect((await call('GET', '/operator/me', { token })).status).toBe(401)
    const login = { email: left.email, password: left.password, code: totpCode(left.secret ?? '') }
    expect(await call('POST', '/auth/login', { json: login })).toMatchObject({
      status: 403,
      body: { code: 'operator_disabled' },
    })
    expect((await mailTo(left.email, /disabled/)).text).toContain('can no longer sign in')
    expect(await change(first, left.id, 'disable')).toMatchObject({
      status: 409,
      body: { code: 'already_decided' },
    })
    expect(await change(first, first.id, 'disable')).toMatchObject(FORBIDDEN)
    await expect(anotherSession(left)).rejects.toThrow()
  })

  test('proposals of a disabled operator cannot be approved, and they decide nothing', async () => {
    const [first, second] = two()
    const left = await newOperator()
    const investor = await newInvestor()
    const { body } = await propose(left, {
      kind: 'bonus',
      investor: investor.id,
      amount: 5,
      reason: 'Thanks',
    })
    const settings = await propose(second, { kind: 'settings', settings: { referralBonus: 2 } })
    await change(first, left.id, 'disable')
    const treasurer = await newOperator({ roles: ['treasurer'] })
    expect(await approveProposal(treasurer, body._id)).toMatchObject({
      status: 409,
      body: { code: 'conflict' },
    })
    await expect(
      run(
        "UPDATE proposals SET status = 'approved', decided_by = ?, decided_at = 1 WHERE id = ?",
        left.id,
        settings.body._id,
      ),
    ).rejects.toThrow('forbidden')
    await expect(
      run(
        `INSERT INTO proposals (id, kind, created_at, proposed_by, investor, amount) VALUES ('late', 'bonus', 0, ?, ?, 1)`,
        left.id,
        investor.id,
      ),
    ).rejects.toThrow('forbidden')
  })

  test('is taken back by two administrators only', async () => {
    const [first, second] = two()
    const left = await newOperator()
    expect(await change(first, left.id, 'enable')).toMatchObject({ status: 409, body: { code: 'conflict' } })
    await change(first, left.id, 'disable')
    await expect(
      run(
        'UPDATE users SET disabled_at = NULL, disabled_by = NULL, disabled_reason = NULL WHERE id = ?',
        left.id,
      ),
    ).rejects.toThrow('second_operator_required')
    const made = await change(first, left.id, 'enable')
    expect(await approveProposal(first, made.body._id)).toMatchObject({ status: 403 })
    expect((await rowOf(first, left.id))?.disabledAt).not.toBeNull()
    expect(await approveProposal(second, made.body._id)).toMatchObject({ status: 200 })
    expect(await rowOf(first, left.id)).toMatchObject({ disabledAt: null, steps: [] })
    const login = { email: left.email, password: left.password, code: totpCode(left.secret ?? '') }
    expect((await call('POST', '/auth/login', { json: login })).status).toBe(200)
  })

  test('if two administrators disable each other in parallel, one stays', async () => {
    const [first, second] = two()
    const replies = await Promise.all([
      change(first, second.id, 'disable'),
      change(second, first.id, 'disable'),
    ])
    expect(replies.map(({ status }) => status).toSorted()[0]).toBe(200)
    expect(replies.map(({ status }) => status).toSorted()[1]).toBeGreaterThan(400)
  })
})

describe('the last administrator who can act', () => {
  test('the last administrator is neither disabled nor given other roles, even by SQL', async () => {
    const { results } = await env.DB.prepare('SELECT id FROM active_administrators').all<{ id: string }>()
    const [first, second] = two()
    for (const { id } of results)
      if (id !== first.id && id !== second.id) expect((await change(first, id, 'disable')).status).toBe(200)
    const pending = await change(second, first.id, 'roles', { roles: ['auditor'], reason: 'Because' })
    const disable = (id: string, by: string) =>
      run('UPDATE users SET disabled_at = 1, disabled_by = ? WHERE id = ?', by, id)
    await expect(disable(first.id, first.id)).rejects.toThrow('forbidden')
    expect((await change(first, second.id, 'disable')).status).toBe(200)
    await expect(disable(first.id, 'owner')).rejects.toThrow('last_administrator')
    await expect(disable(first.id, second.id)).rejects.toThrow('forbidden')
    await expect(
      run(
        "UPDATE users SET operator_roles = 'auditor', access_proposal = ? WHERE id = ?",
        pending.body._id,
        first.id,
      ),
    ).rejects.toThrow('second_operator_required')
    expect((await as(first, 'GET', '/operator/me')).status).toBe(200)
  })
})

describe('a lost second factor', () => {
  test('two others remove a lost second factor; its owner returns by mail and must add a new one first', async () => {
    const [first, second] = two()
    const left = await newOperator({ roles: ['reviewer'] })
    await expect(run('DELETE FROM second_factors WHERE user_id = ?', left.id)).rejects.toThrow(
      'two_factor_mandatory',
    )
    const made = await change(first, left.id, 'reset-factor')
    expect((await approveProposal(first, made.body._id)).status).toBe(403)
    expect((await approveProposal(second, made.body._id)).status).toBe(200)
    expect(await rowOf(first, left.id)).toMatchObject({ secondFactor: false })
    expect((await call('GET', '/operator/me', { token: left.token })).status).toBe(401)
    // The old password no longer works.
    expect(
      await call('POST', '/auth/login', { json: { email: left.email, password: left.password } }),
    ).toMatchObject({ status: 401, body: { code: 'invalid_credentials' } })
    const link = linkIn(await mailTo(left.email, /factor was removed/), '/change-password').searchParams
    const reset = {
      email: left.email,
      token: link.get('token'),
      password: PASSWORD,
      confirmPassword: PASSWORD,
    }
    expect((await call('POST', '/auth/reset-password', { json: reset })).status).toBe(200)
    const { token } = (await signIn(left.email)).body
    expect(await call('GET', '/operator/me', { token })).toMatchObject({
      status: 403,
      body: { code: 'two_factor_not_enabled' },
    })
    await turnOnApp({ token, email: left.email })
    expect((await call('GET', '/operator/me', { token })).status).toBe(200)
    // The decision is used up: it was about the former factor.
    await expect(run('DELETE FROM second_factors WHERE user_id = ?', left.id)).rejects.toThrow(
      'two_factor_mandatory',
    )
  })
})

describe('sessions', () => {
  test('an operator ends an investor’s sessions, and gets none of them', async () => {
    const reviewer = await newOperator({ roles: ['reviewer'] })
    const investor = await newInvestor()
    const other = await anotherSession(investor)
    const path = `/operator/investors/${investor.id}/end-sessions`
    expect(await as(reviewer, 'POST', path)).toMatchObject({ status: 200, body: { _id: investor.id } })
    for (const token of [investor.token, other])
      expect((await call('GET', '/users/sessions', { token })).status).toBe(401)
    const mail = await mailTo(investor.email, /signed out everywhere/)
    expect(linkIn(mail, '/lock-account').searchParams.get('token')).toBeTruthy()
    const login = { email: investor.email, password: investor.password }
    expect((await call('POST', '/auth/login', { json: login })).status).toBe(200)
  })

  test('an administrator ends an operator’s sessions', async () => {
    const [first] = two()
    const colleague = await newOperator()
    expect(await change(first, colleague.id, 'end-sessions')).toMatchObject({ status: 200 })
    expect((await call('GET', '/operator/me', { token: colleague.token })).status).toBe(401)
    expect((await mailTo(colleague.email, /signed out everywhere/)).text).not.toContain('lock-account')
    expect(await change(first, 'nobody', 'end-sessions')).toMatchObject({ status: 404 })
  })
})
