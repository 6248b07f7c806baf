import { env } from 'cloudflare:workers'
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import type { FactorRecovery } from '../../../src/contract/console/factorRecoveries.ts'
import type { Proposal } from '../../../src/contract/console/proposals.ts'
import type { WorkItem } from '../../../src/contract/console/workItems.ts'
import { totpCode } from '../../../test/support/codes.ts'
import { withdraw } from '../../../test/support/filing.ts'
import { type AnyBody, call, type Reply } from '../../../test/support/http.ts'
import { linkIn, mailsTo, mailTo } from '../../../test/support/mailbox.ts'
import {
  approveIdentity,
  approveProposal,
  as,
  openDocument,
  withdrawal,
} from '../../../test/support/operating.ts'
import { withPasskey } from '../../../test/support/passkeys.ts'
import {
  anotherSession,
  newInvestor,
  newOperator,
  type Operator,
  type Person,
} from '../../../test/support/people.ts'
import { newPicture } from '../../../test/support/picture.ts'
import { newTotpSecret } from '../../lib/crypto/totp.ts'
import { openDatabase } from '../../lib/database.ts'
import { completeRecoveries } from './complete.ts'

const HOUR_MS = 3_600_000
const DELAY_MS = 72 * HOUR_MS

let rae: Operator
let sam: Operator
beforeAll(async () => {
  rae = await newOperator({ name: 'Rae Viewer', roles: ['reviewer'] })
  sam = await newOperator({ name: 'Sam Second', roles: ['reviewer'] })
})
afterEach(() => {
  vi.useRealTimers()
})

let networks = 0
/** Each call from its own network, so that the limit per network does not interfere. */
const post = (path: string, json: object, ip = `198.19.${++networks >> 8}.${networks & 255}`) =>
  call('POST', `/auth/factor-recovery${path}`, { json, ip })
const ask = ({ email, password }: Pick<Person, 'email' | 'password'>) => post('', { email, password })
const confirm = ({ email, password }: Person, code: string) => post('/confirm', { email, password, code })
const stop = (token: string | null) => post('/stop', { token })
const signIn = ({ email, password }: Person, code?: string) =>
  call<AnyBody & { token: string }>('POST', '/auth/login', { json: { email, password, code } })
const run = (statement: string, ...values: unknown[]) =>
  env.DB.prepare(statement)
    .bind(...values)
    .run()
const cron = (nowMs = Date.now()) => completeRecoveries(env, openDatabase(env.DB), nowMs)

const CODE_MAIL = /^Your code to recover/
const FILED = /^Your request to remove/
const ANNOUNCED = /will be removed in three days/
const REMINDER = /about to be removed/
const REMOVED = /^Your second factor was removed/

const newOwner = (options = {}) => newInvestor({ totpSecret: newTotpSecret(), ...options })
const subjects = async ({ email }: Person) => (await mailsTo(email)).map(({ subject }) => subject)

/** Requests a code and returns it. */
async function codeFor(person: Person): Promise<string> {
  const before = (await subjects(person)).filter((subject) => CODE_MAIL.test(subject)).length
  expect((await ask(person)).status).toBe(202)
  await expect
    .poll(async () => (await subjects(person)).filter((subject) => CODE_MAIL.test(subject)).length)
    .toBe(before + 1)
  const numbers = (await mailTo(person.email, CODE_MAIL)).text.match(/\b\d{6}\b/g) ?? []
  expect(numbers).toHaveLength(1)
  return numbers[0] ?? ''
}

/** Files a request and returns the token that stops it. */
async function file(person: Person): Promise<string> {
  expect(await confirm(person, await codeFor(person))).toMatchObject({ status: 200 })
  return stopToken(person, FILED)
}

async function stopToken({ email }: Person, subject: RegExp): Promise<string> {
  return linkIn(await mailTo(email, subject), '/stop-factor-recovery').searchParams.get('token') ?? ''
}

interface Stored {
  id: string
  filed_at: number
  effective_at: number | null
  outcome: string | null
}
const stored = ({ id }: Person) =>
  env.DB.prepare(
    'SELECT * FROM factor_recoveries WHERE investor = ? AND filed_at IS NOT NULL ORDER BY seq DESC',
  )
    .bind(id)
    .first<Stored>()

type Proposed = Reply<Proposal & AnyBody>
async function propose(by: Operator, person: Person): Promise<Proposed> {
  const path = `/operator/factor-recoveries/${(await stored(person))?.id}/propose`
  return as(by, 'POST', path, {
    reason: 'Video call, passport compared',
    riskReason: 'Called back, all is in order',
  })
}

/** Files, proposes and approves. Returns the time when it takes effect. */
async function approved(person: Person): Promise<number> {
  await file(person)
  const { body } = await propose(rae, person)
  expect(await approveProposal(sam, body._id)).toMatchObject({ status: 200 })
  return (await stored(person))?.effective_at ?? 0
}

/** The existing second factors and recovery codes. */
const factorsOf = ({ id }: Person) =>
  env.DB.prepare(
    `SELECT (SELECT count(*) FROM second_factors WHERE user_id = ?1) + (SELECT count(*) FROM passkeys WHERE user_id = ?1) AS factors,
            (SELECT count(*) FROM recovery_codes WHERE user_id = ?1) AS codes`,
  )
    .bind(id)
    .first<{ factors: number; codes: number }>()

describe('recovering a lost second factor', () => {
  test('recovery takes the mailed code, two reviewers and 72 hours, then removes every factor and ends every session', async () => {
    const secret = newTotpSecret()
    const ana = await newOwner({ totpSecret: secret, availableCents: 500_00 })
    await withPasskey(ana, { code: totpCode(secret) })
    await run("INSERT INTO recovery_codes (user_id, code_hash) VALUES (?, 'x')", ana.id)
    const [session, other] = [ana.token, await anotherSession(ana)]

    const filed = await confirm(ana, await codeFor(ana))
    expect(filed).toMatchObject({
      status: 200,
      body: { msg: expect.stringContaining('received your request') },
    })
    const { body: rows } = await as<FactorRecovery[]>(
      rae,
      'GET',
      '/operator/factor-recoveries?status=open&limit=1',
    )
    expect(rows).toMatchObject([
      {
        _id: expect.any(String),
        investor: { _id: ana.id, name: ana.name, email: ana.email },
        status: 'filed',
        steps: [expect.objectContaining({ step: 'filed' })],
        createdAt: expect.stringMatching(/Z$/),
        methods: ['passkey', 'totp'],
        document: { _id: expect.any(String), ref: expect.stringMatching(/^KYC-/) },
        proposal: null,
        effectiveAt: null,
        endedAt: null,
        assigned: null,
      },
    ])

    const made = await propose(rae, ana)
    expect(made).toMatchObject({
      status: 202,
      body: { kind: 'factor_recovery', status: 'pending', investor: { _id: ana.id } },
    })
    expect(await propose(sam, ana)).toMatchObject({ status: 409, body: { code: 'conflict' } })
    expect((await subjects(ana)).some((subject) => ANNOUNCED.test(subject))).toBe(false)
    const list = async (status: string) =>
      (await as<FactorRecovery[]>(rae, 'GET', `/operator/factor-recoveries?status=${status}`)).body.filter(
        ({ investor }) => investor._id === ana.id,
      )
    expect(await list('open')).toEqual([])
    const [waiting] = await list('undecided')
    expect(waiting).toMatchObject({ status: 'proposed', dueAt: expect.any(String) })
    expect(await list('proposed')).toMatchObject([{ status: 'proposed' }])
    // The case stays open with its due time. My work and the proposals do not list its proposal.
    const findWork = async (by: Person) => {
      const { body } = await as<{ items: WorkItem[] }>(by, 'GET', '/operator/work')
      return body.items.filter(({ _id }) => _id === waiting?._id || _id === made.body._id)
    }
    const item = { kind: 'factor_recovery', _id: waiting?._id, dueAt: waiting?.dueAt, first: { _id: rae.id } }
    expect(await findWork(rae)).toMatchObject([{ ...item, waitsFor: 'others' }])
    expect(await findWork(sam)).toMatchObject([{ ...item, waitsFor: 'you' }])
    const pending = await as<Proposal[]>(sam, 'GET', '/operator/proposals?status=waiting&limit=50')
    expect(pending.body.filter(({ _id }) => _id === made.body._id)).toEqual([])
    // The proposal is assigned together with its case.
    const assign = (to: string | null) => as(rae, 'POST', `/operator/cases/${waiting?._id}/assign`, { to })
    await assign(rae.id)
    expect(await approveProposal(sam, made.body._id)).toMatchObject({ body: { code: 'case_assigned' } })
    await assign(null)
    expect(await approveProposal(sam, made.body._id)).toMatchObject({ status: 200 })
    expect(await list('open')).toEqual([])
    expect(await list('proposed')).toEqual([])
    expect(await list('ended')).toEqual([])
    expect(await list('approved')).toMatchObject([{ status: 'approved', dueAt: null }])
    const effectiveAt = (await stored(ana))?.effective_at ?? 0
    expect(Math.abs(effectiveAt - Date.now() - DELAY_MS)).toBeLessThan(60_000)
    expect((await mailTo(ana.email, ANNOUNCED)).text).toContain('/stop-factor-recovery')

    await cron(effectiveAt - 1)
    expect(await factorsOf(ana)).toMatchObject({ factors: 2 })
    expect(await call('GET', '/users/user-info', { token: session })).toMatchObject({ status: 200 })

    await cron(effectiveAt)
    expect(await factorsOf(ana)).toEqual({ factors: 0, codes: 0 })
    for (const token of [session, other])
      expect(await call('GET', '/users/user-info', { token })).toMatchObject({ status: 401 })
    expect((await mailTo(ana.email, REMOVED)).text).toContain('/lock-account')
    expect(await signIn(ana)).toMatchObject({ status: 200 })
    const acts = await env.DB.prepare(
      "SELECT actor, action FROM audit_log WHERE subject = ? AND action LIKE 'factor_recovery.%' ORDER BY seq",
    )
      .bind(ana.id)
      .all()
    expect(acts.results).toEqual([
      { actor: 'visitor', action: 'factor_recovery.filed' },
      { actor: sam.id, action: 'factor_recovery.approved' },
      { actor: 'system', action: 'factor_recovery.completed' },
    ])
  })

  test('it cancels pending withdrawals, and afterwards a new destination is delayed, as after any security change', async () => {
    const ana = await newOwner({ availableCents: 500_00 })
    const pending = await withdrawal(ana, '20.00')
    // Back to now: the next checks use today's clock.
    const effectiveAt = await approved(ana)
    vi.useFakeTimers({ now: effectiveAt, toFake: ['Date'] })
    await cron(effectiveAt)
    const status = env.DB.prepare('SELECT status FROM requests WHERE id = ?').bind(pending)
    expect(await status.first('status')).toBe('cancelled')
    const { token } = (await signIn(ana)).body
    const json = {
      amount: '20',
      type: 'bitcoin',
      network: 'btc',
      address: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
    }
    const refused = await call('POST', '/withdrawals', { token, json })
    expect(refused).toMatchObject({ status: 403, body: { code: 'step_up_required' } })
    expect(refused.body.reasons).toEqual(
      expect.arrayContaining(['new_destination', 'recent_security_change']),
    )
    const done = await withdraw({ ...ana, token }, { amount: '20' })
    expect(done).toMatchObject({ status: 201, body: { heldUntil: expect.any(String) } })
  })

  test('the removal happens once although cron runs twice, with one reminder a day before', async () => {
    const ana = await newOwner()
    const effectiveAt = await approved(ana)
    await cron(effectiveAt - 24 * HOUR_MS - 1)
    expect((await subjects(ana)).filter((subject) => REMINDER.test(subject))).toHaveLength(0)
    await Promise.all([cron(effectiveAt - 24 * HOUR_MS), cron(effectiveAt - 24 * HOUR_MS)])
    await cron(effectiveAt - HOUR_MS)
    expect((await subjects(ana)).filter((subject) => REMINDER.test(subject))).toHaveLength(1)
    await Promise.all([cron(effectiveAt), cron(effectiveAt), cron(effectiveAt)])
    await cron(effectiveAt + HOUR_MS)
    expect((await subjects(ana)).filter((subject) => REMOVED.test(subject))).toHaveLength(1)
  })

  test('if a write fails, nothing is removed, and the next run does it', async () => {
    const ana = await newOwner()
    const effectiveAt = await approved(ana)
    await run(
      `CREATE TRIGGER fails_here BEFORE INSERT ON outbox WHEN NEW.recipient = '${ana.email}' BEGIN SELECT RAISE(ABORT, 'broken'); END`,
    )
    await expect(cron(effectiveAt)).rejects.toThrow()
    await run('DROP TRIGGER fails_here')
    expect(await factorsOf(ana)).toMatchObject({ factors: 1 })
    expect(await stored(ana)).toMatchObject({ outcome: null })
    await cron(effectiveAt)
    expect(await factorsOf(ana)).toMatchObject({ factors: 0 })
  })
})

describe('asking', () => {
  test('asking has the same answer for strangers, wrong passwords and accounts without a factor, and mails only the owner', async () => {
    const [ana, plain, frozen, unverified] = [
      await newOwner(),
      await newInvestor(),
      await newOwner({ frozen: true }),
      await newOwner({ verified: false }),
    ]
    const operator = await newOperator()
    const answers = [
      await ask(ana),
      await ask({ ...ana, password: 'something else' }),
      await ask({ email: 'nobody@example.com', password: 'something else' }),
      await ask(plain),
      await ask(frozen),
      await ask(unverified),
      await ask(operator),
    ]
    expect(new Set(answers.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1)
    expect(answers[0]?.status).toBe(202)
    await mailTo(ana.email, CODE_MAIL)
    await new Promise((resolve) => setTimeout(resolve, 300))
    for (const person of [plain, frozen, unverified, operator]) expect(await subjects(person)).toEqual([])
    expect((await subjects(ana)).filter((subject) => CODE_MAIL.test(subject))).toHaveLength(1)
  })

  test('counts wrong passwords as failed sign-ins', async () => {
    const ana = await newOwner()
    for (let tries = 0; tries < 10; tries++) {
      expect((await ask({ ...ana, password: 'wrong' })).status).toBe(202)
      await expect
        .poll(() =>
          env.DB.prepare('SELECT coalesce(sum(failed), 0) AS n FROM rate_counters WHERE key LIKE ?')
            .bind('sign-in:account:%')
            .first<number>('n'),
        )
        .toBeGreaterThan(tries)
    }
    expect(await ask(ana)).toMatchObject({ status: 429 })
    expect(await signIn(ana)).toMatchObject({ status: 429 })
  })

  test('recovery mails five codes a day at most', async () => {
    const ana = await newOwner()
    for (let asked = 0; asked < 5; asked++) await codeFor(ana)
    expect((await ask(ana)).status).toBe(202)
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect((await subjects(ana)).filter((subject) => CODE_MAIL.test(subject))).toHaveLength(5)
  })

  test('while one is open mails its link to stop it again, and no code', async () => {
    const ana = await newOwner()
    const token = await file(ana)
    await ask(ana)
    await expect
      .poll(async () => (await subjects(ana)).filter((subject) => FILED.test(subject)).length)
      .toBe(2)
    expect(await stopToken(ana, FILED)).toBe(token)
  })
})

describe('the mailed code', () => {
  test('wrong passwords, unknown accounts and missing requests get the same refusal', async () => {
    const [ana, ben] = [await newOwner(), await newOwner()]
    const code = await codeFor(ana)
    const answers = [
      await confirm({ ...ana, password: 'wrong' }, code),
      await confirm({ ...ana, email: 'nobody@example.com' }, code),
      await confirm(ben, code),
    ]
    for (const { status, body } of answers) expect([status, body]).toEqual([403, answers[0]?.body])
    expect(answers[0]?.body.code).toBe('invalid_code')
    expect(await confirm(ana, code)).toMatchObject({ status: 200 })
    expect(await confirm(ana, code)).toMatchObject({ status: 403, body: { code: 'invalid_code' } })
  })

  test('the mailed code allows five wrong tries in ten minutes, and a newer one replaces it', async () => {
    const [ana, ben, cleo] = [await newOwner(), await newOwner(), await newOwner()]
    const code = await codeFor(ana)
    const wrong = code === '000000' ? '000001' : '000000'
    for (let tries = 0; tries < 5; tries++)
      expect(await confirm(ana, wrong)).toMatchObject({ status: 403, body: { code: 'invalid_code' } })
    expect(await confirm(ana, code)).toMatchObject({ status: 403, body: { code: 'invalid_code' } })
    expect(await stored(ana)).toBeNull()

    const old = await codeFor(ben)
    const newer = await codeFor(ben)
    if (old !== newer) expect((await confirm(ben, old)).status).toBe(403)
    expect((await confirm(ben, newer)).status).toBe(200)

    const late = await codeFor(cleo)
    vi.useFakeTimers({ now: Date.now() + 10 * 60_000, toFake: ['Date'] })
    expect((await confirm(cleo, late)).status).toBe(403)
  })

  test('files once among eight presses at the same moment', async () => {
    const ana = await newOwner()
    const code = await codeFor(ana)
    const replies = await Promise.all(Array.from({ length: 8 }, () => confirm(ana, code)))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    const filed = await env.DB.prepare(
      'SELECT count(*) AS n FROM factor_recoveries WHERE investor = ? AND filed_at IS NOT NULL',
    )
      .bind(ana.id)
      .first<number>('n')
    expect(filed).toBe(1)
  })
})

describe('two reviewers', () => {
  test('each of them has opened the approved identity document since the request was filed', async () => {
    const ana = await newOwner({ kyc: 'none' })
    await call('POST', '/kyc', { token: ana.token, form: { document: 'Passport', image: newPicture() } })
    const [document] = (await as<{ _id: string }[]>(ana, 'GET', '/kyc')).body
    expect((await approveIdentity(rae, document?._id)).status).toBe(200)
    // She opened it then, which was before the factor was lost.
    await file(ana)
    const refused = { status: 409, body: { code: 'document_not_opened' } }
    expect(await propose(rae, ana)).toMatchObject(refused)
    await openDocument(sam, document?._id)
    expect(await propose(rae, ana)).toMatchObject(refused)
    await openDocument(rae, document?._id)
    const { status, body } = await propose(rae, ana)
    expect(status).toBe(202)
    const third = await newOperator({ roles: ['reviewer'] })
    expect(await approveProposal(third, body._id)).toMatchObject(refused)
    expect(await approveProposal(sam, body._id)).toMatchObject({ status: 200 })
  })

  test('neither one reviewer alone nor another role removes a factor, through the API or by SQL', async () => {
    const ana = await newOwner()
    const [treasurer, administrator] = [
      await newOperator({ roles: ['treasurer'] }),
      await newOperator({ roles: ['administrator'] }),
    ]
    await file(ana)
    const { id = '', filed_at = 0 } = (await stored(ana)) ?? {}
    for (const by of [treasurer, administrator])
      expect(await propose(by, ana)).toMatchObject({ status: 403, body: { code: 'forbidden' } })
    const { body } = await propose(rae, ana)
    for (const by of [treasurer, administrator])
      expect(await approveProposal(by, body._id)).toMatchObject({ status: 403, body: { code: 'forbidden' } })
    expect(await approveProposal(rae, body._id)).toMatchObject({
      status: 403,
      body: { code: 'second_operator_required' },
    })
    const approve = "UPDATE proposals SET status = 'approved', decided_by = ?, decided_at = ? WHERE id = ?"
    await expect(run(approve, rae.id, Date.now(), body._id)).rejects.toThrow('second_operator_required')
    await expect(run(approve, treasurer.id, Date.now(), body._id)).rejects.toThrow('forbidden')
    const begin = 'UPDATE factor_recoveries SET proposal = ?, effective_at = ? WHERE id = ?'
    await expect(run(begin, body._id, filed_at + DELAY_MS, id)).rejects.toThrow('second_operator_required')
    const finish = "UPDATE factor_recoveries SET outcome = 'completed', ended_at = ? WHERE id = ?"
    await expect(run(finish, Date.now() + 2 * DELAY_MS, id)).rejects.toThrow(
      'factor_recoveries: delay not over',
    )

    // Another request's decision does not count for this one.
    const ben = await newOwner()
    await approved(ben)
    const others = await env.DB.prepare(
      'SELECT proposal, effective_at FROM factor_recoveries WHERE investor = ?',
    )
      .bind(ben.id)
      .first<{ proposal: string; effective_at: number }>()
    await expect(run(begin, others?.proposal, others?.effective_at, id)).rejects.toThrow()
    await cron(Date.now() + 2 * DELAY_MS)
    expect(await factorsOf(ana)).toMatchObject({ factors: 1 })
  })

  test('the database refuses a proposal without the owner’s confirmed request', async () => {
    const [ana, ben] = [await newOwner(), await newOwner()]
    await codeFor(ana)
    const asked = await env.DB.prepare('SELECT id FROM factor_recoveries WHERE investor = ?')
      .bind(ana.id)
      .first<string>('id')
    await file(ben)
    const bens = (await stored(ben))?.id
    const insert = `INSERT INTO proposals (id, kind, created_at, proposed_by, investor, payload)
      VALUES (?, 'factor_recovery', ?, ?, ?, json_object('recovery', ?))`
    for (const recovery of [asked, bens, 'no-such-thing'])
      await expect(run(insert, `by-hand-${recovery}`, Date.now(), rae.id, ana.id, recovery)).rejects.toThrow(
        'conflict',
      )
    await expect(
      run(
        'UPDATE factor_recoveries SET filed_at = ?, expires_at = NULL WHERE id = ?',
        Date.now() + HOUR_MS,
        asked,
      ),
    ).rejects.toThrow('invalid_code')
    expect(
      await as(rae, 'POST', `/operator/factor-recoveries/${asked}/propose`, { reason: 'x' }),
    ).toMatchObject({
      status: 404,
    })
  })

  test('two reviewers decide nothing if one of them was disabled since', async () => {
    const ana = await newOwner()
    const leaver = await newOperator({ roles: ['reviewer'] })
    const administrator = await newOperator()
    await file(ana)
    const { body } = await propose(leaver, ana)
    await as(administrator, 'POST', `/operator/operators/${leaver.id}/disable`, { reason: 'Left' })
    expect(await approveProposal(sam, body._id)).toMatchObject({ status: 409, body: { code: 'conflict' } })
    expect(await stored(ana)).toMatchObject({ effective_at: null })
  })

  test('reviewers cannot shorten the delay, nor can SQL', async () => {
    const ana = await newOwner()
    const effectiveAt = await approved(ana)
    const { id } = (await stored(ana)) as Stored
    for (const at of [0, effectiveAt - 1, effectiveAt + 1])
      await expect(run('UPDATE factor_recoveries SET effective_at = ? WHERE id = ?', at, id)).rejects.toThrow(
        'immutable',
      )
    await expect(
      run(
        "UPDATE factor_recoveries SET outcome = 'completed', ended_at = ? WHERE id = ?",
        effectiveAt - 1,
        id,
      ),
    ).rejects.toThrow('factor_recoveries: delay not over')
    await expect(run('UPDATE factor_recoveries SET filed_at = 1 WHERE id = ?', id)).rejects.toThrow(
      'invalid_code',
    )

    const ben = await newOwner()
    await file(ben)
    const { body } = await propose(rae, ben)
    const approve =
      "UPDATE proposals SET status = 'approved', own_check = 'Seen', decided_by = ?, decided_at = ? WHERE id = ?"
    await expect(run(approve, sam.id, Date.now() - DELAY_MS, body._id)).rejects.toThrow('conflict')
    // The second reviewer says what they checked themselves.
    await expect(run(approve.replace('Seen', ' '), sam.id, Date.now(), body._id)).rejects.toThrow(
      'proposals: own check required',
    )
    expect(await as(sam, 'POST', `/operator/proposals/${body._id}/approve`)).toMatchObject({
      status: 422,
      body: { fields: { reason: 'Please say how you checked the identity yourself' } },
    })
    await run(approve, sam.id, Date.now(), body._id)
    await expect(
      run(
        'UPDATE factor_recoveries SET proposal = ?, effective_at = ? WHERE investor = ?',
        body._id,
        Date.now() + HOUR_MS,
        ben.id,
      ),
    ).rejects.toThrow('second_operator_required')
  })

  test('or one of them alone may reject it, also during the delay, and the reason is for operators only', async () => {
    const ana = await newOwner()
    const effectiveAt = await approved(ana)
    const path = `/operator/factor-recoveries/${(await stored(ana))?.id}/reject`
    expect(await as(rae, 'POST', path, {})).toMatchObject({ status: 422 })
    expect(
      await as<FactorRecovery>(rae, 'POST', path, { reason: 'The picture did not match' }),
    ).toMatchObject({
      status: 200,
      body: { status: 'rejected' },
    })
    expect(await as(sam, 'POST', path, { reason: 'Again' })).toMatchObject({
      status: 409,
      body: { code: 'already_decided' },
    })
    expect((await mailTo(ana.email, /^Your second factor was not removed/)).text).not.toContain(
      'did not match',
    )
    const { results } = await env.DB.prepare('SELECT text FROM investor_notes WHERE investor = ?')
      .bind(ana.id)
      .all()
    expect(results).toEqual([{ text: expect.stringContaining('The picture did not match') }])
    await cron(effectiveAt)
    expect(await factorsOf(ana)).toMatchObject({ factors: 1 })
  })
})

describe('stopping it', () => {
  test('the link in each mail stops the removal for good, until it takes effect', async () => {
    for (const step of ['filed', 'proposed', 'approved', 'reminded']) {
      const ana = await newOwner()
      const first = await file(ana)
      const { body } = step === 'filed' ? { body: { _id: '' } } : await propose(rae, ana)
      if (step === 'approved' || step === 'reminded') await approveProposal(sam, body._id)
      const due = (await stored(ana))?.effective_at ?? Date.now() + DELAY_MS
      if (step === 'reminded') await cron(due - HOUR_MS)
      const subject = { filed: FILED, proposed: FILED, approved: ANNOUNCED, reminded: REMINDER }[step] ?? /./
      expect(await stopToken(ana, subject)).toBe(first)
      expect([step, await stop(first)]).toMatchObject([step, { status: 200 }])
      expect((await stop(first)).status).toBe(200)
      expect(
        (await subjects(ana)).filter((each) => /^Your second factor was not removed/.test(each)),
      ).toHaveLength(1)
      if (step === 'proposed')
        expect(await approveProposal(sam, body._id)).toMatchObject({
          status: 409,
          body: { code: 'conflict' },
        })
      if (step === 'filed')
        expect(await propose(rae, ana)).toMatchObject({ status: 409, body: { code: 'already_decided' } })
      await cron(due + 10 * DELAY_MS)
      expect([step, await factorsOf(ana)]).toMatchObject([step, { factors: 1 }])
      const { id } = (await stored(ana)) as Stored
      for (const undo of [
        'UPDATE factor_recoveries SET outcome = NULL, ended_at = NULL WHERE id = ?',
        "UPDATE factor_recoveries SET outcome = 'completed' WHERE id = ?",
      ])
        await expect(run(undo, id)).rejects.toThrow('already_decided')
      const acts = await env.DB.prepare(
        "SELECT count(*) AS n FROM audit_log WHERE subject = ? AND action = 'factor_recovery.stopped'",
      )
        .bind(ana.id)
        .first<number>('n')
      expect(acts).toBe(1)
      // The owner may need the link again.
      if (step === 'filed') await file(ana)
    }
  })

  test('a link is too late after the removal, and an invalid link stops nothing', async () => {
    const [ana, ben] = [await newOwner(), await newOwner()]
    const effectiveAt = await approved(ana)
    const token = await stopToken(ana, ANNOUNCED)
    await file(ben)
    const bens = (await stored(ben))?.id
    for (const wrong of ['wrong', `${bens}.${token.split('.').slice(1).join('.')}`, `${token}A`, ` ${token}`])
      expect([wrong, await stop(wrong)]).toMatchObject([
        wrong,
        { status: 400, body: { code: 'invalid_token' } },
      ])
    expect(await stored(ben)).toMatchObject({ outcome: null })
    await cron(effectiveAt)
    expect(await stop(token)).toMatchObject({ status: 409, body: { code: 'already_decided' } })
  })

  test('a removal stops when the password is reset or changed, or the account is locked or closed', async () => {
    const reset = async (person: Person) => {
      await call('POST', '/auth/forgot-password', { json: { email: person.email } })
      const link = linkIn(await mailTo(person.email, /^Choose a new/), '/change-password').searchParams
      const pair = { password: 'a boat of mine', confirmPassword: 'a boat of mine' }
      return call('POST', '/auth/reset-password', { json: { ...Object.fromEntries(link), ...pair } })
    }
    const change = ({ token, password }: Person) =>
      call('PATCH', '/users/user-info', {
        token,
        json: { currentPassword: password, newPassword: 'a boat of mine' },
      })
    const lock = async ({ email }: Person) =>
      call('POST', '/auth/lock-account', {
        json: { token: linkIn(await mailTo(email, ANNOUNCED), '/lock-account').searchParams.get('token') },
      })
    for (const act of [reset, change, lock]) {
      const ana = await newOwner()
      const effectiveAt = await approved(ana)
      expect((await act(ana)).status).toBe(200)
      expect(await stored(ana)).toMatchObject({ outcome: 'stopped' })
      await cron(effectiveAt)
      expect(await factorsOf(ana)).toMatchObject({ factors: 1 })
    }
    const secret = newTotpSecret()
    const leaver = await newOwner({ totpSecret: secret })
    const effectiveAt = await approved(leaver)
    const token = await stopToken(leaver, ANNOUNCED)
    const json = { password: leaver.password, code: totpCode(secret) }
    expect((await call('POST', '/users/close', { token: leaver.token, json })).status).toBe(200)
    expect(await stored(leaver)).toBeNull()
    await cron(effectiveAt)
    expect(await stop(token)).toMatchObject({ status: 400 })
  })

  test('an account that an operator froze waits until the freeze is lifted', async () => {
    const ana = await newOwner()
    const effectiveAt = await approved(ana)
    await run("UPDATE users SET frozen_at = 1, frozen_reason = 'A test' WHERE id = ?", ana.id)
    await cron(effectiveAt)
    const { id } = (await stored(ana)) as Stored
    await expect(
      run("UPDATE factor_recoveries SET outcome = 'completed', ended_at = ? WHERE id = ?", effectiveAt, id),
    ).rejects.toThrow('account_frozen')
    expect(await factorsOf(ana)).toMatchObject({ factors: 1 })
    await run('UPDATE users SET frozen_at = NULL, frozen_reason = NULL WHERE id = ?', ana.id)
    await cron(effectiveAt)
    expect(await factorsOf(ana)).toMatchObject({ factors: 0 })
  })
})

test('an operator’s factor is not recovered here, also by SQL', async () => {
  const operator = await newOperator()
  await run(
    "INSERT INTO factor_recoveries (id, investor, code_hash, asked_at, expires_at) VALUES ('of-an-operator', ?, 'x', 1, 9)",
    operator.id,
  )
  await expect(
    run("UPDATE factor_recoveries SET filed_at = 2, expires_at = NULL WHERE id = 'of-an-operator'"),
  ).rejects.toThrow('forbidden')
})
