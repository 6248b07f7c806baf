import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import type { Proposal } from '../../../src/contract/console/proposals.ts'
import type { OperatorWallet } from '../../../src/contract/console/wallets.ts'
import type { WorkItem } from '../../../src/contract/console/workItems.ts'
import { GOOD_ADDRESS } from '../../../test/support/filing.ts'
import { send } from '../../../test/support/http.ts'
import { mailTo } from '../../../test/support/mailbox.ts'
import { booksOf } from '../../../test/support/money.ts'
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
import { newInvestor, newOperator, type Operator } from '../../../test/support/people.ts'

// Addresses that wallets take: BIP 350's and EIP-55's own examples, and BIP 173's.
const TAPROOT = 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0'
const CHECKSUMMED = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'

test('a bonus is granted once another operator approves it', async () => {
  const ana = await newInvestor()
  const [first, second] = [await newOperator({ name: 'First' }), await newOperator({ name: 'Second' })]
  const made = await propose(first, { kind: 'bonus', investor: ana.id, amount: '25.50', reason: 'Thank you' })
  expect(made.status).toBe(201)
  expect(made.body).toEqual({
    _id: expect.any(String),
    kind: 'bonus',
    status: 'pending',
    createdAt: expect.stringMatching(/Z$/),
    proposedBy: { _id: first.id, name: 'First' },
    reason: 'Thank you',
    rejection: null,
    steps: [expect.objectContaining({ step: 'proposed', by: { _id: first.id, name: 'First' } })],
    investor: { _id: ana.id, name: ana.name, email: ana.email },
    amount: 25.5,
  })
  expect(await booksOf(ana.id)).toMatchObject({ bonus: 0, available: 0 })

  const own = await approveProposal(first, made.body._id)
  expect(own).toMatchObject({ status: 403, body: { code: 'second_operator_required' } })

  const approved = await approveProposal(second, made.body._id)
  expect(approved).toMatchObject({
    status: 200,
    body: { status: 'approved', steps: [{}, { step: 'approved', by: { _id: second.id, name: 'Second' } }] },
  })
  expect(await booksOf(ana.id)).toMatchObject({ bonus: 25_50, available: 25_50, totalBalance: 25_50 })
  expect((await mailTo(ana.email, /bonus/)).text).toContain('$25.50')
  for (const by of [first, second]) {
    expect(await approveProposal(by, made.body._id)).toMatchObject({
      status: 409,
      body: { code: 'already_decided' },
    })
  }
  const { body } = await as<Proposal[]>(first, 'GET', '/operator/proposals?status=approved&limit=1')
  expect(body).toEqual([approved.body])
})

test('a pending proposal has a target, an assignment, and the risk of its investor', async () => {
  const ana = await newInvestor()
  const [first, second, third] = [await newOperator(), await newOperator(), await newOperator()]
  await as(first, 'POST', `/operator/investors/${ana.id}/freeze`, { reason: 'A test' })
  const bonus = await propose(first, { kind: 'bonus', investor: ana.id, amount: 5, reason: 'Thank you' })
  const limit = await propose(first, { kind: 'settings', settings: { referralBonus: 1 } })
  const reviewer = await newOperator({ roles: ['reviewer'] })
  const assign = (by: Operator, to = by.id, id = bonus.body._id) =>
    as(by, 'POST', `/operator/cases/${id}/assign`, { to })
  expect((await assign(reviewer)).status).toBe(403)
  expect(await assign(second, reviewer.id)).toMatchObject({
    status: 422,
    body: { fields: { to: expect.any(String) } },
  })
  expect((await assign(second)).status).toBe(200)
  const list = async (by: Operator, query = '') =>
    (await as<Proposal[]>(by, 'GET', `/operator/proposals?status=pending${query}`)).body
  const risk = { level: 'high', signals: [{ rule: 'account_frozen' }] }
  const open = { _id: bonus.body._id, assigned: { _id: second.id }, risk }
  const rows = await list(first, '&limit=2')
  expect(rows).toMatchObject([{ _id: limit.body._id, assigned: null }, open])
  expect(rows[0]?.risk).toBeUndefined()
  expect(Date.parse(rows[1]?.dueAt ?? '') - Date.parse(rows[1]?.createdAt ?? '')).toBe(72 * 3_600_000)
  expect((await list(second, '&assigned=me')).map(({ _id }) => _id)).toEqual([bonus.body._id])
  expect((await as(first, 'GET', `/operator/proposals/${bonus.body._id}`)).body).toMatchObject(open)
  const { body: work } = await as<{ items: WorkItem[] }>(second, 'GET', '/operator/work')
  expect(work.items.find(({ _id }) => _id === bonus.body._id)).toMatchObject({
    ...open,
    dueAt: rows[1]?.dueAt,
  })

  const taken = { status: 409, body: { code: 'case_assigned' } }
  expect(await approveProposal(third, bonus.body._id)).toMatchObject(taken)
  const reject = (by: Operator) =>
    as<Proposal>(by, 'POST', `/operator/proposals/${bonus.body._id}/reject`, { reason: 'Frozen' })
  expect(await reject(third)).toMatchObject(taken)
  expect((await reject(second)).body).toMatchObject({ status: 'rejected', assigned: null, dueAt: null })
  expect(await list(second, '&assigned=me')).toEqual([])
})

test('a rejected proposal has no effect', async () => {
  const ana = await newInvestor()
  const [first, second] = [await newOperator(), await newOperator()]
  for (const by of [first, second]) {
    const { body } = await propose(first, { kind: 'bonus', investor: ana.id, amount: 5, reason: 'Thanks' })
    const path = `/operator/proposals/${body._id}/reject`
    expect((await as(by, 'POST', path, {})).body.fields).toEqual({ reason: 'Please give a reason' })
    const reply = await as<Proposal>(by, 'POST', path, { reason: 'Not now' })
    expect(reply).toMatchObject({ status: 200, body: { status: 'rejected', rejection: 'Not now' } })
    const decided = { status: 409, body: { code: 'already_decided' } }
    expect(await approveProposal(second, body._id)).toMatchObject(decided)
    expect(await as(by, 'POST', path, { reason: 'Again' })).toMatchObject(decided)
  }
  expect(await booksOf(ana.id)).toMatchObject({ bonus: 0 })
})

test('an invalid proposal’s wrong fields are named', async () => {
  const operator = await newOperator()
  const wrong: [unknown, string[]][] = [
    [{}, ['kind']],
    [{ kind: 'profit', investor: 'x', amount: 1, reason: 'x' }, ['kind']],
    [{ kind: 'bonus' }, ['investor', 'amount', 'reason']],
    [{ kind: 'bonus', investor: 'nobody', amount: 5, reason: 'Thanks' }, ['investor']],
    [{ kind: 'bonus', investor: operator.id, amount: 5, reason: 'Thanks' }, ['investor']],
    [{ kind: 'wallet' }, ['walletName', 'network', 'address']],
    [wallet({ type: 'usdt' }), ['type']],
    [wallet({ network: 'eth' }), ['network']],
    [wallet({ address: `${GOOD_ADDRESS.slice(0, -1)}5` }), ['address']],
    [wallet({ address: 'tb1qpjvrzyxslfauteyvgaecwhfyju9mujsj6s0jm2' }), ['address']],
    [{ kind: 'settings' }, ['settings']],
    [{ kind: 'settings', settings: {} }, ['settings']],
    [{ kind: 'settings', settings: { minimums: {}, fees: {} } }, ['settings']],
    [{ kind: 'settings', settings: { reasons: { freeze: [''] } } }, ['settings.reasons.freeze.0']],
    [{ kind: 'settings', settings: { twoPersonLimit: -1 } }, ['settings.twoPersonLimit']],
    [{ kind: 'settings', settings: { kycRequired: 'no' } }, ['settings.kycRequired']],
    [{ kind: 'settings', settings: { minimums: { deposit: '1.001' } } }, ['settings.minimums.deposit']],
    [{ kind: 'reversal', request: 'nothing', reason: 'Mistake' }, ['request']],
    [{ kind: 'reversal' }, ['request', 'reason']],
  ]
  for (const [json, fields] of wrong) {
    const reply = await as(operator, 'POST', '/operator/proposals', json)
    expect([json, reply.status, Object.keys(reply.body.fields ?? {})]).toEqual([json, 422, fields])
  }
})

function wallet(fields: Record<string, string> = {}) {
  return {
    kind: 'wallet',
    walletName: 'bitcoin',
    type: 'bitcoin',
    network: 'btc',
    address: GOOD_ADDRESS,
    ...fields,
  }
}

test('a wallet is shown to investors once two operators decided it, until it is retired', async () => {
  const ana = await newInvestor()
  const [first, second] = [await newOperator(), await newOperator()]
  const made = await propose(first, wallet({ address: TAPROOT }))
  expect(made.body.wallet).toEqual({
    walletName: 'bitcoin',
    network: 'btc',
    address: TAPROOT,
    simulated: true,
  })
  const addresses = async () =>
    (await as<{ address: string; simulated: boolean }[]>(ana, 'GET', '/admin-wallets')).body
  expect(await addresses()).toEqual([])
  expect((await approveProposal(first, made.body._id)).status).toBe(403)
  expect((await approveProposal(second, made.body._id)).status).toBe(200)
  // Nobody is sent to a real wallet: in simulated mode each screen that shows it says so.
  expect(await addresses()).toMatchObject([{ address: TAPROOT, simulated: true }])

  const [row] = (await as<OperatorWallet[]>(first, 'GET', '/operator/wallets')).body
  expect(row).toMatchObject({
    walletName: 'bitcoin',
    network: 'btc',
    active: true,
    simulated: true,
    retiredAt: null,
  })
  expect(row?.image).toBe(`/api/v1/wallets/${row?._id}/qr.svg`)

  const twice = await propose(first, wallet({ address: TAPROOT.toUpperCase() }))
  expect(twice).toMatchObject({ status: 409, body: { code: 'conflict' } })

  const path = `/operator/wallets/${row?._id}/retire`
  const retired = await as<OperatorWallet>(first, 'POST', path)
  expect(retired).toMatchObject({
    status: 200,
    body: { active: false, retiredAt: expect.stringMatching(/Z$/) },
  })
  expect(await as(first, 'POST', path)).toMatchObject({ status: 409, body: { code: 'already_decided' } })
  expect(await addresses()).toEqual([])
  expect((await propose(first, wallet({ address: TAPROOT }))).status).toBe(201)
})

test('of two proposals of one address the second can no longer take effect', async () => {
  const [first, second] = [await newOperator(), await newOperator()]
  const fields = { walletName: 'ethereum', type: 'ethereum', network: 'eth' }
  const one = await propose(first, wallet({ ...fields, address: CHECKSUMMED }))
  const two = await propose(first, wallet({ ...fields, address: CHECKSUMMED.toLowerCase() }))
  expect(two.body.wallet?.address).toBe(CHECKSUMMED)
  expect((await approveProposal(second, one.body._id)).status).toBe(200)
  const late = await approveProposal(second, two.body._id)
  expect(late).toMatchObject({ status: 409, body: { code: 'conflict' } })
  const { body } = await as<Proposal[]>(first, 'GET', '/operator/proposals?status=pending&limit=1')
  expect(body[0]?._id).toBe(two.body._id)
})

test('two operators reverse a wrong credit, and the spent part becomes a debt', async () => {
  const ana = await newInvestor({ availableCents: 100_00 })
  const [first, second] = [await newOperator({ name: 'First' }), await newOperator({ name: 'Second' })]
  const id = await deposit(ana, '500')
  await approveDeposit(first, id)
  await withdrawal(ana, '300')
  const { body: row } = await as<{ ref: string }>(first, 'GET', `/operator/deposits/${id}`)
  const made = await propose(first, {
    kind: 'reversal',
    request: row.ref.toLowerCase(),
    reason: 'Wrong person',
  })
  expect(made.body.request).toEqual({
    _id: id,
    ref: row.ref,
    trxType: 'deposit',
    amount: 500,
    investor: { _id: ana.id, name: ana.name, email: ana.email },
  })
  const again = await propose(second, { kind: 'reversal', request: id, reason: 'Wrong person' })
  expect(again).toMatchObject({ status: 409, body: { code: 'conflict' } })
  expect((await approveProposal(first, made.body._id)).status).toBe(403)
  expect((await approveProposal(second, made.body._id)).status).toBe(200)
  expect(await booksOf(ana.id)).toMatchObject({ available: 0, held: 300_00, owed: 200_00, deposits: 100_00 })
  const reversed = await as(first, 'GET', `/operator/deposits/${id}`)
  expect(reversed.body).toMatchObject({
    status: 'reversed',
    reason: 'Wrong person',
    amount: 500,
    steps: [
      { step: 'filed' },
      { step: 'credited' },
      { step: 'reversal_proposed', by: { name: 'First' } },
      { step: 'reversed', by: { name: 'Second' } },
    ],
  })
  const exported = await send('GET', '/operator/deposits?format=csv&status=reversed', { token: first.token })
  expect((await exported.text()).split('\n').find((line) => line.includes(row.ref))).toMatch(
    /Reversal proposed by First \S+Z; Reversed by Second \S+Z/,
  )
  expect((await mailTo(ana.email, /reversed/)).text).toContain('Wrong person')
  const custody = await env.DB.prepare('SELECT sum(quantity) AS left FROM custody_entries WHERE ref = ?')
    .bind(id)
    .first()
  expect(custody).toEqual({ left: 0 })
  const late = await propose(first, { kind: 'reversal', request: id, reason: 'Again' })
  expect(late).toMatchObject({ status: 409, body: { code: 'conflict' } })
})

test('the reversal of a credit that is still there makes no debt', async () => {
  const ana = await newInvestor()
  const [first, second] = [await newOperator(), await newOperator()]
  const id = await deposit(ana, '500')
  await approveDeposit(first, id)
  const made = await propose(first, { kind: 'reversal', request: id, reason: 'Wrong person' })
  expect((await approveProposal(second, made.body._id)).status).toBe(200)
  expect(await booksOf(ana.id)).toMatchObject({ available: 0, owed: 0, totalBalance: 0 })
})

test('two operators reverse a wrong payout, and the money is available again', async () => {
  const ana = await newInvestor({ availableCents: 1000_00 })
  const [first, second] = [await newOperator(), await newOperator()]
  const id = await withdrawal(ana, '400', '/withdrawals/online-service')
  for (const next of [approveWithdrawal, completeWithdrawal]) {
    const early = await propose(first, { kind: 'reversal', request: id, reason: 'Mistake' })
    expect(early).toMatchObject({ status: 409, body: { code: 'conflict' } })
    await next(first, id)
  }
  const made = await propose(first, { kind: 'reversal', request: id, reason: 'It came back' })
  expect((await approveProposal(second, made.body._id)).status).toBe(200)
  expect(await booksOf(ana.id)).toMatchObject({ available: 1000_00, held: 0, withdrawals: 0 })
  const row = await as(first, 'GET', `/operator/withdrawals/${id}`)
  expect(row.body).toMatchObject({ status: 'reversed', reason: 'It came back' })
})

test('of two proposed reversals of one request the second can no longer take effect', async () => {
  const ana = await newInvestor()
  const [first, second] = [await newOperator(), await newOperator()]
  const id = await deposit(ana, '500')
  await approveDeposit(first, id)
  const made = await propose(first, { kind: 'reversal', request: id, reason: 'Wrong person' })
  // As if both were proposed at the same moment.
  await env.DB.prepare(
    `INSERT INTO proposals (id, kind, created_at, proposed_by, request, reason)
     SELECT 'also-' || id, kind, created_at, proposed_by, request, reason FROM proposals WHERE id = ?`,
  )
    .bind(made.body._id)
    .run()
  expect((await approveProposal(second, made.body._id)).status).toBe(200)
  const late = await approveProposal(second, `also-${made.body._id}`)
  expect(late).toMatchObject({ status: 409, body: { code: 'conflict' } })
  expect(await booksOf(ana.id)).toMatchObject({ available: 0, owed: 0 })
})

test('proposals page newest first', async () => {
  const ana = await newInvestor()
  const operator = await newOperator()
  const ids: string[] = []
  for (let n = 0; n < 3; n++) {
    const { body } = await propose(operator, { kind: 'bonus', investor: ana.id, amount: 1, reason: 'Thanks' })
    ids.unshift(body._id)
  }
  const first = await as<Proposal[]>(operator, 'GET', '/operator/proposals?limit=2&status=pending')
  const [, next = ''] = /<\/api\/v1(.+)>/.exec(first.headers.get('Link') ?? '') ?? []
  const second = await as<Proposal[]>(operator, 'GET', next)
  expect([...first.body, ...second.body].slice(0, 3).map(({ _id }) => _id)).toEqual(ids)
})
