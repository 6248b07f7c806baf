import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, test } from 'vitest'
import { DAY_MS } from '../../../src/time.ts'
import { isLong } from '../../../test/random.ts'
import { totpCode } from '../../../test/support/codes.ts'
import { countQueries } from '../../../test/support/counting.ts'
import {
  BANK_WITHDRAWAL,
  CRYPTO_WITHDRAWAL,
  changeAddress,
  fileDeposit,
  withdraw,
} from '../../../test/support/filing.ts'
import { call, ORIGIN, send } from '../../../test/support/http.ts'
import { openDay, startStrategy } from '../../../test/support/ledger/strategies.ts'
import { txid } from '../../../test/support/ledger/txid.ts'
import { addHistory, withoutTriggers } from '../../../test/support/longHistory.ts'
import { mailTo } from '../../../test/support/mailbox.ts'
import { newSubscriber } from '../../../test/support/newsletter.ts'
import {
  approveDeposit,
  approveIdentity,
  approveProposal,
  as,
  propose,
} from '../../../test/support/operating.ts'
import { withPasskey } from '../../../test/support/passkeys.ts'
import { newInvestor, newOperator, type Operator, type Person } from '../../../test/support/people.ts'
import { newPicture } from '../../../test/support/picture.ts'
import { invitedBy } from '../../../test/support/referrals.ts'
import { setSetting } from '../../../test/support/settings.ts'
import { createApp } from '../../app.ts'
import { NO_HOLDING, settleAllocation, submitAllocation } from '../../ledger/strategies.ts'
import { newTotpSecret } from '../../lib/crypto/totp.ts'
import { openDatabase, runBatch } from '../../lib/database.ts'
import { routes } from '../../routes.ts'
import { PERSONAL_DATA } from './list.ts'
import { PAGE } from './readPart.ts'

type Rows = readonly Readonly<Record<string, unknown>>[]
type Data = Readonly<Record<string, unknown>>

const db = openDatabase(env.DB)
const operators: Operator[] = []
let ana: Person
let text = ''
let data: Data = {}
const part = (name: string) => data[name] as Rows

beforeAll(async () => {
  operators.push(await newOperator({ name: 'Olu Bello' }), await newOperator({ name: 'Per Lind' }))
  const [first, second] = operators as [Operator, Operator]
  const secret = newTotpSecret()
  ana = await newInvestor({ kyc: 'none', totpSecret: secret })
  await call('POST', '/kyc', { token: ana.token, form: { document: 'Passport', image: newPicture() } })
  const [submission] = (await call<{ _id: string }[]>('GET', '/kyc', { token: ana.token })).body
  await send('GET', `/operator/kyc/${submission?._id}/document`, { token: first.token })
  await approveIdentity(first, submission?._id)
  const { body: deposit } = await fileDeposit(ana, { amount: '6000.00' }, { idempotencyKey: txid('data-1') })
  await approveDeposit(first, deposit._id, { reference: txid('data-1') })
  await approveDeposit(second, deposit._id, { reference: txid('data-1') })
  await withdraw(ana, { amount: '20.00' })
  await withdraw(ana, { amount: '10.00' }, '/withdrawals/online-service')
  const bonus = await propose(first, { kind: 'bonus', investor: ana.id, amount: '5.00', reason: 'Kindness' })
  await approveProposal(second, bonus.body._id)
  const order = {
    id: 'order',
    ref: 'ALC-1',
    investor: ana.id,
    strategy: 'slow',
    cents: 15_00,
    atMs: DAY_MS - 5,
  }
  const opened = { day: DAY_MS, price: 101_000_000, nowMs: DAY_MS }
  await runBatch(db, [
    startStrategy(db, 'slow'),
    submitAllocation(db, order),
    openDay(db, { strategy: 'slow', day: DAY_MS, unitPrice: 100_000_000 }),
    settleAllocation(db, order, NO_HOLDING, opened).statement,
  ])
  await setSetting('referralBonus', 25_00)
  const { body: friends } = await fileDeposit(await invitedBy(ana), { amount: '100.00' })
  await approveDeposit(second, friends._id)
  await as(first, 'POST', `/operator/investors/${ana.id}/notification`, {
    title: 'News',
    content: '<p>Good</p>',
  })
  await as(first, 'POST', `/operator/investors/${ana.id}/notes`, { text: 'Called, and was friendly' })
  await as(first, 'POST', `/operator/investors/${ana.id}/freeze`, { reason: 'A suspicion' })
  await as(first, 'POST', `/operator/investors/${ana.id}/unfreeze`, { reason: 'A test' })
  await withPasskey(ana, { code: totpCode(secret) })
  await changeAddress(ana, {
    label: 'My wallet',
    type: 'bitcoin',
    network: 'btc',
    address: CRYPTO_WITHDRAWAL.address,
  })
  await call('POST', '/users/destination-lock', { token: ana.token })
  await env.DB.prepare(
    "INSERT INTO owner_proofs (id, investor, network, address, destination_hash, message, created_at, expires_at) SELECT 'a-proof', investor, network, address, destination_hash, 'Sign this', 1, 2 FROM saved_addresses WHERE investor = ?",
  )
    .bind(ana.id)
    .run()
  await call('POST', '/users/tax-details', {
    token: ana.token,
    json: { firstName: 'Ana', lastName: 'Torres', city: 'Basel', country: 'Switzerland' },
  })
  await env.DB.prepare(
    `INSERT INTO plans (id, investor, kind, strategy, amount, rhythm, starts, day, zone, status_at, next_on, next_at, created_at, session_id, changed_at)
     VALUES ('a-plan', ?, 'invest', 'slow', 1000, 'monthly', '2030-01-01', 1, 'UTC', 1, '2030-01-01', 1893488400000, 1, 'a-session', 1)`,
  )
    .bind(ana.id)
    .run()
  await env.DB.prepare(
    `INSERT INTO position_stops (id, investor, strategy, percent, created_at, changed_at) VALUES ('a-stop', ?, 'slow', 20, 1, 1)`,
  )
    .bind(ana.id)
    .run()
  await call('PATCH', '/users/preferences', { token: ana.token, json: { emails: { tips: false } } })
  await call('POST', '/gains', { token: ana.token, json: { year: 2025, method: 'fifo', holdingDays: 365 } })
  const { body: open } = await fileDeposit(ana, { amount: '70.00' })
  await as(first, 'POST', `/operator/cases/${open._id}/ask`, { text: 'Which wallet did you pay from?' })
  await call('POST', '/contact-us', { json: { name: 'Ana', email: ana.email, message: 'How are you?' } })
  const { body: asked } = await call<{ _id: string }>('POST', '/users/messages', {
    token: ana.token,
    json: { message: 'Where is my deposit?' },
  })
  await as(first, 'POST', `/operator/messages/${asked._id}/reply`, {
    text: 'It is there.',
    latest: asked._id,
  })
  await call('POST', `/users/messages/${asked._id}`, { token: ana.token, json: { message: 'Thank you' } })
  await newSubscriber(ana.email)
  await call('POST', '/auth/forgot-password', { json: { email: ana.email } })
  await call('POST', '/users/email', {
    token: ana.token,
    json: { email: 'ana.at.home@example.com', password: ana.password },
  })
  await env.DB.prepare('INSERT INTO devices (user_id, device_hash, first_seen_at) VALUES (?, ?, 1)')
    .bind(ana.id, 'a-hash-of-a-device')
    .run()
  await env.DB.prepare(
    "INSERT INTO factor_recoveries (id, investor, code_hash, asked_at, expires_at) VALUES ('a-recovery', ?, 'a-hash-of-a-mailed-code', 1, 2)",
  )
    .bind(ana.id)
    .run()
  await env.DB.prepare(
    `INSERT INTO read_keys (id, investor, kind, name, token_hash, networks, created_at, expires_at)
     VALUES ('a-key', ?, 'program', 'Spreadsheet', ?, '[]', 1, 2)`,
  )
    .bind(ana.id, 'a-hash-of-a-key'.padEnd(64, '-'))
    .run()
  await env.DB.prepare('INSERT INTO recovery_codes (user_id, code_hash) VALUES (?, ?)')
    .bind(ana.id, 'a-hash-of-a-code')
    .run()
  await env.DB.prepare("INSERT INTO code_failures (id, user_id, at) VALUES ('a-wrong-code', ?, 1)")
    .bind(ana.id)
    .run()
  await env.DB.prepare(
    "INSERT INTO registrations (id, email, fullname, display_name, phone, country, password_hash, device_hash, network, created_at) VALUES ('a-registration', ?, '', '', '', '', 'a-hash-of-a-password', 'a-hash-of-a-device', '192.0.2.1', 1)",
  )
    .bind(ana.email)
    .run()
  await env.DB.batch([
    env.DB.prepare(
      "INSERT INTO liability_days (day, at, investors, total, secret) VALUES ('2026-01-31', 1, 20, 5000, 's')",
    ),
    env.DB.prepare(
      "INSERT INTO liability_leaves (day, investor, balance) VALUES ('2026-01-31', ?, 1234)",
    ).bind(ana.id),
  ])
  await env.DB.prepare("INSERT INTO payout_stops (investor, cause, at) VALUES (?, 'email_changed', 1)")
    .bind(ana.id)
    .run()
  await withoutTriggers(env.DB, async () => {
    for (const statement of paymentsOf(ana.id)) await env.DB.prepare(statement).run()
  })
  await withoutTriggers(env.DB, () =>
    env.DB.prepare(
      'INSERT INTO lock_liftings (investor, locked_at, step, operator, at) VALUES (?, 1, 1, ?, 1)',
    )
      .bind(ana.id, first.id)
      .run(),
  )
  const response = await send('GET', '/users/data', { token: ana.token })
  text = await response.text()
  data = JSON.parse(text) as Data
})

/** A payment to an own address, and a receipt that is none. */
function paymentsOf(id: string): string[] {
  return [
    "INSERT INTO watch_wallets (id, chain, descriptor, proposal, created_at) SELECT 'watched', 'bitcoin', 'd', id, 1 FROM proposals LIMIT 1",
    `INSERT INTO deposit_addresses (id, wallet, position, address, script, investor, given_at, shown_at)
     VALUES ('own', 'watched', 0, 'bc1qown', '00', '${id}', 1, 1)`,
    `INSERT INTO payments (id, network, reference, address, investor, quantity, units, state, seen_at, needed, checked_at)
     VALUES ('paid', 'btc', '${'ab'.repeat(32)}:0', 'bc1qown', '${id}', '5', 5, 'seen', 1, 3, 1)`,
    `INSERT INTO unknown_receipts (id, chain, reference, address, investor, kind, quantity, height, seen_at)
     VALUES ('unknown', 'ethereum', 'x', 'bc1qown', '${id}', 'internal', '5', 1, 1)`,
  ]
}

describe('a person’s data', () => {
  test('the download is a file that no cache stores', async () => {
    const someone = await newInvestor()
    const response = await send('GET', '/users/data', { token: someone.token })
    expect(response.status).toBe(200)
    expect(response.headers.get('Content-Type')).toBe('application/json')
    expect(response.headers.get('Cache-Control')).toBe('no-store')
    expect(response.headers.get('Content-Disposition')).toMatch(
      /^attachment; filename="[a-z0-9-]+-data-\d{4}-\d\d-\d\d\.json"$/,
    )
    expect(await response.json()).toMatchObject({ account: { email: someone.email }, complete: true })
  })

  test('every part has rows, and all of them are the person’s', () => {
    // Rows that only operators have: keys, invitations, notifications that they sent.
    const ofOperators = ['reviewerKeys', 'operatorInvitations', 'notificationsSent', 'assignedCases']
    const ofInvestors = PERSONAL_DATA.filter(({ name }) => !ofOperators.includes(name))
    const empty = ofInvestors.filter(({ name, key }) =>
      key.length > 0 ? part(name).length === 0 : data[name] === null,
    )
    expect(empty).toEqual([])
    expect(data).toMatchObject({
      exportedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/),
      account: { email: ana.email, phone: '+41 79 123 45 67', kycStatus: 'approved', peopleReferred: 1 },
      notification: { title: 'News', persistent: false },
      operatorsNotes: [{ text: 'Called, and was friendly' }],
      newsletter: { status: 'confirmed' },
      emailChanges: [{ oldEmail: ana.email, newEmail: 'ana.at.home@example.com', completedAt: null }],
      identityDocuments: [{ document: 'Passport', status: 'approved', pictureReadable: true }],
      messages: [
        { message: expect.stringContaining('Which wallet did you pay from?'), status: 'answered' },
        { message: 'How are you?', status: 'open', later: [] },
        {
          message: 'Where is my deposit?',
          status: 'open',
          later: [
            { text: 'It is there.', by: 'operator' },
            { text: 'Thank you', by: 'you' },
          ],
        },
      ],
      preferences: { activityLog: true, newBrowserSignIn: false, tips: false },
      savedAddresses: [{ label: 'My wallet', address: CRYPTO_WITHDRAWAL.address }],
      proposals: [{ kind: 'bonus', status: 'approved', amount: 5 }],
      secondFactorRecoveries: [{ wrongCodes: 0, filedAt: null, outcome: null }],
      publishedLiabilities: [{ day: '2026-01-31', balance: 12.34 }],
      referralBonuses: [{ amount: 25, grantedAt: null, lapsedAt: null }],
      complete: true,
    })
    expect(part('activity').map(({ event }) => event)).toEqual(
      expect.arrayContaining(['withdrawal.requested', 'address.saved', 'preferences.changed']),
    )
    expect(part('mails').map(({ subject }) => subject)).toContain('Choose a new password')
    expect(part('accounts')).toContainEqual(
      expect.objectContaining({ kind: 'available', balance: 6000 + 5 - 20 - 10 - 15 }),
    )
    expect(part('ledger').map(({ code, amount }) => [code, amount])).toEqual(
      expect.arrayContaining([
        ['credit', 6000],
        ['bonus', 5],
        ['hold', 20],
        ['hold', 10],
        ['invest', 15],
      ]),
    )
    expect(part('positions')).toEqual([{ strategy: 'slow', units: 0.148514, cost: 15, highWater: 101 }])
    expect(part('orders')).toMatchObject([
      { ref: 'ALC-1', amount: 15, status: 'settled', thenWithdraw: null },
    ])
    expect(part('units')).toMatchObject([{ code: 'issue', units: 0.148514, price: 101, amount: 15 }])
  })

  test('show requests with all that was given: account numbers masked, each step, both approvals', () => {
    const [deposit, , bank] = part('requests')
    expect(deposit).toMatchObject({
      kind: 'deposit',
      status: 'approved',
      amount: 6000,
      deposit: { coin: 'bitcoin', receiptType: 'image/png' },
      withdrawal: null,
      steps: [
        { status: 'pending', at: expect.stringMatching(/Z$/) },
        { status: 'approved', amount: 6000, reference: txid('data-1') },
      ],
      firstApproval: { amount: 6000, reference: txid('data-1') },
      acts: [
        { by: 'operator', action: 'deposit.first_approval', detail: { amountCents: 600_000 } },
        { by: 'operator', action: 'deposit.credited' },
      ],
    })
    const { accountNumber, accountHolderName, clientNumber } = BANK_WITHDRAWAL
    expect(bank).toMatchObject({
      kind: 'online-service-withdrawal',
      withdrawal: { address: null, bank: { accountNumber: '••••5566', accountHolderName } },
    })
    for (const number of [accountNumber, clientNumber]) expect(text).not.toContain(number)
  })

  test('the download shows looks at documents and changes to the account, without naming operators', () => {
    const [document] = part('identityDocuments')
    expect(document?.acts).toMatchObject([
      { by: 'operator', action: 'kyc.document_viewed' },
      { by: 'operator', action: 'kyc.approved' },
    ])
    expect(part('actsOnYou')).toContainEqual(
      expect.objectContaining({ by: 'operator', action: 'investor.frozen' }),
    )
    expect(part('yourActs').map(({ action }) => action)).toContain('kyc.submitted')
    for (const { id, email, name } of operators)
      for (const trace of [id, email, name]) expect(text).not.toContain(trace)
    for (const note of ['A suspicion', 'Kindness']) expect(text).not.toContain(note)
  })

  test('the download has no secret: no hash, encrypted value or token', async () => {
    let tried = 0
    for (const { table, withheld } of PERSONAL_DATA.flatMap((each) => [
      each,
      ...Object.values(each.inner ?? {}),
    ])) {
      const secrets = Object.keys(withheld).filter((name) => /hash|secret|sealed|_key$|claim/.test(name))
      if (secrets.length === 0) continue
      const { results } = await env.DB.prepare(`SELECT ${secrets.join(', ')} FROM ${table}`).all()
      for (const value of results.flatMap((row) => Object.values(row))) {
        if (typeof value !== 'string' || value === txid('data-1') || value.length < 6) continue
        tried++
        expect(text.includes(value), `${table}: ${value}`).toBe(false)
      }
    }
    expect(tried).toBeGreaterThan(20)
    expect(text).not.toContain(ana.token)
    expect(text).not.toContain(ana.token.split('.')[0])
  })

  test('are not somebody else’s', async () => {
    const response = await send('GET', '/users/data', {
      token: (await newInvestor({ name: 'Ben Ito' })).token,
    })
    const others = await response.text()
    for (const trace of [ana.id, ana.email, 'How are you?', CRYPTO_WITHDRAWAL.address])
      expect(others).not.toContain(trace)
    expect((await call('GET', '/users/data')).status).toBe(401)
  })

  test('a download is mailed and audited, and allowed five times an hour', async () => {
    const someone = await newInvestor()
    for (let i = 0; i < 5; i++) {
      const response = await send('GET', '/users/data', { token: someone.token })
      expect(response.status).toBe(200)
      await response.text()
    }
    const sixth = await call('GET', '/users/data', { token: someone.token })
    expect([sixth.status, sixth.body.code]).toEqual([429, 'too_many_requests'])
    expect(Number(sixth.headers.get('Retry-After'))).toBeGreaterThan(0)
    expect((await mailTo(someone.email, /downloaded/)).text).toContain('If it was not you')
    const { results } = await env.DB.prepare('SELECT action FROM audit_log WHERE subject = ?')
      .bind(someone.id)
      .all()
    expect(results).toEqual(Array(5).fill({ action: 'account.data_downloaded' }))
  })

  test('an operator’s download leaves out acts about others', async () => {
    const [first] = operators as [Operator]
    const response = await send('GET', '/users/data', { token: first.token })
    const own = await response.text()
    expect(JSON.parse(own)).toMatchObject({ account: { role: 'operator' }, requests: [], complete: true })
    expect(own).not.toContain(ana.id)
  })
})

describe('a long history', () => {
  /** Each has two ledger entries. */
  const REQUESTS = isLong ? 50_000 : 15_000

  test('tens of thousands of ledger entries are streamed completely, with one query per page', async () => {
    const long = await newInvestor()
    await addHistory(env.DB, long.id, REQUESTS)
    const { binding, counted } = countQueries(env.DB)
    const context = createExecutionContext()
    const response = await createApp(routes).fetch(
      new Request(`${ORIGIN}/api/v1/users/data`, {
        headers: { Authorization: `Bearer ${long.token}`, 'CF-Connecting-IP': '203.0.113.9' },
      }),
      { ...env, DB: binding },
      context,
    )
    const pieces: string[] = []
    const decoder = new TextDecoder()
    let largest = 0
    for await (const piece of response.body ?? []) {
      largest = Math.max(largest, piece.byteLength)
      pieces.push(decoder.decode(piece, { stream: true }))
    }
    await waitOnExecutionContext(context)
    const read = JSON.parse(pieces.join('')) as Record<string, Rows>
    expect(read.complete).toBe(true)
    expect(new Set(read.requests?.map(({ id }) => id)).size).toBe(REQUESTS)
    expect(new Set(read.ledger?.map(({ id }) => id)).size).toBe(2 * REQUESTS)
    expect(largest).toBeLessThan(2 * 2 ** 20)
    // A Worker may send D1 1,000 queries per request.
    expect(counted.statements).toBeLessThan((3 * REQUESTS) / PAGE + 72)
    expect(counted.rowsRead).toBeLessThan(12 * REQUESTS)
  }, 120_000)
})
