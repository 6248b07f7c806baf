import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { ASSIGNMENT_HOURS, type Assignment, LOCKED_MINUTES } from '../../../src/contract/console/cases.ts'
import type { ContactMessage } from '../../../src/contract/console/messages.ts'
import { call } from '../../../test/support/http.ts'
import { mailsTo } from '../../../test/support/mailbox.ts'
import {
  approveDeposit,
  approveIdentity,
  approveWithdrawal,
  as,
  completeWithdrawal,
  deposit,
  statuses,
  withdrawal,
} from '../../../test/support/operating.ts'
import { newInvestor, newOperator, type Operator, type Person } from '../../../test/support/people.ts'
import { newPicture } from '../../../test/support/picture.ts'
import { filedRecovery } from '../../../test/support/recovery.ts'

interface Row {
  readonly _id: string
  readonly assigned: Assignment | null
}

const sendAssignment = (by: Person, path: string, to: string | null) =>
  as<{ assigned: Assignment | null }>(by, 'POST', `/operator/cases/${path.split('/')[1]}/assign`, { to })
const assign = (by: Person, path: string, to = by.id) => sendAssignment(by, path, to)
const unassign = (by: Operator, path: string) => sendAssignment(by, path, null)
const whoHas = async (by: Operator, queue: string, id: string) =>
  (await as<Row[]>(by, 'GET', `/operator/${queue}?limit=100`)).body.find(({ _id }) => _id === id)?.assigned
const actsOn = async (subject: string) =>
  (
    await env.DB.prepare(
      "SELECT action FROM audit_log WHERE subject = ? AND action GLOB 'case.*assigned' ORDER BY seq",
    )
      .bind(subject)
      .all<{ action: string }>()
  ).results.map(({ action }) => action)

async function submission(): Promise<string> {
  const { token } = await newInvestor({ kyc: 'none' })
  await call('POST', '/kyc', { token, form: { document: 'Passport', image: newPicture() } })
  return (await call<{ _id: string }[]>('GET', '/kyc', { token })).body[0]?._id ?? ''
}

test('an operator takes a case of each queue, others see who has it, and it is given back', async () => {
  const [olga, sam] = [await newOperator(), await newOperator()]
  const ana = await newInvestor({ availableCents: 100_00 })
  const cases = {
    deposits: await deposit(ana, '10'),
    withdrawals: await withdrawal(ana, '10'),
    kyc: await submission(),
    'factor-recoveries': await filedRecovery(),
  }
  for (const [queue, id] of Object.entries(cases)) {
    const taken = await assign(olga, `${queue}/${id}`)
    expect([queue, taken]).toMatchObject([queue, { status: 200, body: { assigned: { _id: olga.id } } }])
    const { since, until } = taken.body.assigned as Assignment
    expect(Date.parse(until) - Date.parse(since)).toBe(ASSIGNMENT_HOURS * 3_600_000)
    expect(await whoHas(sam, queue, id)).toEqual(taken.body.assigned)
    expect(await unassign(olga, `${queue}/${id}`)).toMatchObject({ status: 200, body: { assigned: null } })
    expect(await whoHas(sam, queue, id)).toBeNull()
  }
  expect(await actsOn(cases.deposits)).toEqual(['case.assigned', 'case.unassigned'])
})

test('the lists and the work show what the caller has, and what nobody has', async () => {
  const [olga, sam] = [await newOperator(), await newOperator()]
  const ana = await newInvestor({ availableCents: 100_00 })
  const cases = {
    deposits: [await deposit(ana, '11'), await deposit(ana, '12')],
    withdrawals: [await withdrawal(ana, '11'), await withdrawal(ana, '12')],
    kyc: [await submission(), await submission()],
  }
  for (const [queue, [taken, free]] of Object.entries(cases)) {
    await assign(olga, `${queue}/${taken}`)
    const listed = async (by: Operator, assigned: string) =>
      (await as<Row[]>(by, 'GET', `/operator/${queue}?assigned=${assigned}&limit=100`)).body
        .map(({ _id }) => _id)
        .filter((id) => id === taken || id === free)
    expect([queue, await listed(olga, 'me')]).toEqual([queue, [taken]])
    expect([queue, await listed(sam, 'me')]).toEqual([queue, []])
    expect([queue, await listed(sam, 'nobody')]).toEqual([queue, [free]])
    expect((await as(sam, 'GET', `/operator/${queue}?assigned=sam`)).status).toBe(422)
  }
  const { items } = (await as<{ items: Row[] }>(sam, 'GET', '/operator/work')).body
  expect(items.find(({ _id }) => _id === cases.deposits[0])?.assigned?._id).toBe(olga.id)
  expect(items.find(({ _id }) => _id === cases.deposits[1])?.assigned).toBeNull()
})

test('of two operators who take one case at once, one has it', async () => {
  const operators = [await newOperator(), await newOperator()]
  const id = await deposit(await newInvestor(), '10')
  const replies = await Promise.all(operators.map((by) => assign(by, `deposits/${id}`)))
  expect(statuses(replies)).toEqual({ 200: 1, 409: 1 })
  expect(replies.find(({ status }) => status === 409)?.body.code).toBe('case_assigned')
  expect(await actsOn(id)).toEqual(['case.assigned'])
  // Also without the check in code: the database refuses the second one.
  const other = operators[replies.findIndex(({ status }) => status === 409)]?.id
  await expect(
    env.DB.prepare('UPDATE case_assignments SET operator = ?, at = ? WHERE case_id = ?')
      .bind(other, Date.now(), id)
      .run(),
  ).rejects.toThrow('case_assigned')
})

test('an assigned case cannot be taken by another operator, until the assignment expires', async () => {
  const [olga, sam] = [await newOperator(), await newOperator()]
  const id = await deposit(await newInvestor(), '10')
  await assign(olga, `deposits/${id}`)
  expect(await assign(sam, `deposits/${id}`)).toMatchObject({ status: 409, body: { code: 'case_assigned' } })
  await env.DB.prepare('UPDATE case_assignments SET at = 1, expires_at = 2 WHERE case_id = ?').bind(id).run()
  expect(await whoHas(sam, 'deposits', id)).toBeNull()
  expect((await unassign(olga, `deposits/${id}`)).status).toBe(409)
  expect(await assign(sam, `deposits/${id}`)).toMatchObject({ body: { assigned: { _id: sam.id } } })
})

test('another operator takes a case over before they decide it, and after an hour decides it without', async () => {
  const [olga, sam] = [await newOperator({ name: 'Olga Bello' }), await newOperator()]
  const ana = await newInvestor({ availableCents: 100_00 })
  const [first, second] = [await withdrawal(ana, '10'), await withdrawal(ana, '20')]
  await assign(olga, `withdrawals/${first}`)
  await assign(olga, `withdrawals/${second}`)
  const held = { status: 409, body: { code: 'case_assigned', msg: expect.stringContaining('Olga Bello') } }
  expect(await approveWithdrawal(sam, first)).toMatchObject(held)
  expect(await as(sam, 'POST', `/operator/withdrawals/${first}/reject`, { reason: 'No' })).toMatchObject(held)
  expect(await as(sam, 'POST', `/operator/cases/${first}/ask`, { text: 'Whose is it?' })).toMatchObject(held)
  const takeOver = (by: Operator, body: object) =>
    as<Row>(by, 'POST', `/operator/cases/${first}/assign`, body)
  expect((await takeOver(sam, { takeOver: 'yes' })).status).toBe(422)
  expect(await takeOver(sam, { takeOver: true, to: olga.id })).toMatchObject({ status: 409 })
  expect(await takeOver(sam, { takeOver: true })).toMatchObject({ body: { assigned: { _id: sam.id } } })
  expect(await approveWithdrawal(olga, first)).toMatchObject({ status: 409, body: { code: 'case_assigned' } })
  expect((await approveWithdrawal(sam, first)).status).toBe(200)
  const line = await env.DB.prepare(
    "SELECT actor, detail FROM audit_log WHERE subject = ? AND action = 'case.taken_over'",
  )
    .bind(first)
    .first<{ actor: string; detail: string }>()
  expect(line?.actor).toBe(sam.id)
  expect(JSON.parse(line?.detail ?? '')).toEqual({ kind: 'withdrawal', from: olga.id })
  await env.DB.prepare('UPDATE case_assignments SET at = ? WHERE case_id = ?')
    .bind(Date.now() - LOCKED_MINUTES * 60_000, second)
    .run()
  expect((await approveWithdrawal(sam, second)).status).toBe(200)
})

test('taking your own case again prolongs it', async () => {
  const olga = await newOperator()
  const id = await deposit(await newInvestor(), '10')
  const first = (await assign(olga, `deposits/${id}`)).body.assigned as Assignment
  await env.DB.prepare('UPDATE case_assignments SET expires_at = ? WHERE case_id = ?')
    .bind(Date.now() + 60_000, id)
    .run()
  const again = (await assign(olga, `deposits/${id}`)).body.assigned as Assignment
  expect(again.since).toBe(first.since)
  expect(Date.parse(again.until)).toBeGreaterThan(Date.now() + 3_600_000)
})

test('a case is given back only by the operator who has it', async () => {
  const [olga, sam] = [await newOperator(), await newOperator()]
  const id = await deposit(await newInvestor(), '10')
  expect((await unassign(olga, `deposits/${id}`)).body.code).toBe('conflict')
  await assign(olga, `deposits/${id}`)
  expect((await unassign(sam, `deposits/${id}`)).status).toBe(409)
  expect((await whoHas(sam, 'deposits', id))?._id).toBe(olga.id)
})

test('an auditor, an operator of another role and an investor take no case', async () => {
  const ana = await newInvestor()
  const id = await deposit(ana, '10')
  const identity = await submission()
  const auditor = await newOperator({ roles: ['auditor'] })
  const reviewer = await newOperator({ roles: ['reviewer'] })
  const treasurer = await newOperator({ roles: ['treasurer'] })
  for (const [by, path] of [
    [auditor, `deposits/${id}`],
    [auditor, `kyc/${identity}`],
    [reviewer, `deposits/${id}`],
    [treasurer, `kyc/${identity}`],
  ] as const)
    for (const reply of [await assign(by, path), await unassign(by, path)])
      expect([path, reply.status]).toEqual([path, 403])
  expect((await assign(ana, `deposits/${id}`)).status).toBe(403)
})

test('an assignment of over an hour ago blocks no decision, and ends with it', async () => {
  const [olga, sam] = [await newOperator(), await newOperator()]
  const ana = await newInvestor({ availableCents: 10_000_00 })
  const credit = await deposit(ana, '10')
  const large = await deposit(ana, '8000')
  const payout = await withdrawal(ana, '10')
  const identity = await submission()
  const recovery = await filedRecovery()
  for (const path of [
    `deposits/${credit}`,
    `deposits/${large}`,
    `withdrawals/${payout}`,
    `kyc/${identity}`,
    `factor-recoveries/${recovery}`,
  ])
    expect((await assign(olga, path)).status).toBe(200)
  await env.DB.prepare('UPDATE case_assignments SET at = 1 WHERE operator = ?').bind(olga.id).run()
  for (const reply of [
    await approveDeposit(sam, credit),
    await approveDeposit(sam, large),
    await approveWithdrawal(sam, payout),
    await approveIdentity(sam, identity),
    await as(sam, 'POST', `/operator/factor-recoveries/${recovery}/reject`, { reason: 'Not seen' }),
  ])
    expect([200, 202]).toContain(reply.status)
  const { results } = await env.DB.prepare('SELECT * FROM case_assignments WHERE operator = ?')
    .bind(olga.id)
    .all()
  expect(results).toEqual([])
  // A case that still has to be paid or approved again can be taken again, a decided one cannot.
  for (const [path, status] of [
    [`deposits/${credit}`, 409],
    [`deposits/${large}`, 200],
    [`withdrawals/${payout}`, 200],
    [`kyc/${identity}`, 409],
    [`factor-recoveries/${recovery}`, 409],
  ] as const)
    expect([path, (await assign(olga, path)).status]).toEqual([path, status])
  await completeWithdrawal(olga, payout)
  expect(await assign(olga, `withdrawals/${payout}`)).toMatchObject({ body: { code: 'already_decided' } })
})

test('a case is passed on to a colleague who can do it, who finds it in their work and in a mail', async () => {
  const [olga, sam] = [await newOperator(), await newOperator({ roles: ['support'] })]
  await call('POST', '/contact-us', { json: { name: 'Ben', email: 'b@example.com', message: 'Hello' } })
  const [message] = (await as<Row[]>(olga, 'GET', '/operator/messages?status=open')).body
  const path = `messages/${message?._id}`
  await assign(olga, path)
  expect(await assign(olga, path, sam.id)).toMatchObject({ body: { assigned: { _id: sam.id } } })
  const { items } = (await as<{ items: Row[] }>(sam, 'GET', '/operator/work')).body
  expect(items).toMatchObject([{ _id: message?._id, assigned: { _id: sam.id } }])
  expect(await mailsTo(sam.email)).toMatchObject([{ subject: 'A case was assigned to you' }])
  const held = { status: 409, body: { code: 'case_assigned' } }
  const thread = (await as<ContactMessage>(olga, 'GET', `/operator/${path}`)).body
  const latest = thread.entries?.at(-1)?._id
  expect(await as(olga, 'POST', `/operator/${path}/reply`, { text: 'Yes.', latest })).toMatchObject(held)
  expect(await as(olga, 'POST', `/operator/${path}/close`)).toMatchObject(held)
  // Not to somebody who cannot do it, and not by somebody who does not have it.
  const id = await deposit(await newInvestor(), '10')
  expect((await assign(olga, `deposits/${id}`, sam.id)).status).toBe(422)
  expect((await assign(olga, path)).body.code).toBe('case_assigned')
})

test('nobody is given work before they can open the console with a second factor', async () => {
  const olga = await newOperator()
  const newcomer = await newOperator({ twoFactor: false })
  const { body } = await as<{ _id: string }[]>(olga, 'GET', '/operator/colleagues')
  expect(body.map(({ _id }) => _id)).not.toContain(newcomer.id)
  const id = await deposit(await newInvestor(), '10')
  expect((await assign(olga, `deposits/${id}`, newcomer.id)).status).toBe(422)
})

test('a cleared difference and a settled disagreement were decided, an unknown one is not found', async () => {
  const olga = await newOperator()
  await env.DB.batch([
    env.DB.prepare(
      `INSERT INTO custody_differences (seq, place, quantity, is_negative, at, cleared_by, cleared_at, reason)
       VALUES (801, 'nowhere', 5, 0, 1, 'somebody', 2, 'Counted again')`,
    ),
    env.DB.prepare(`INSERT INTO self_checks (name, checkpoint, ok, at) VALUES ('settledCheck', '', 1, 1)`),
  ])
  for (const verb of ['assign', 'ask'])
    for (const [id, status, code] of [
      ['801', 409, 'already_decided'],
      ['settledCheck', 409, 'already_decided'],
      ['801x', 404, 'not_found'],
      ['802', 404, 'not_found'],
      ['unknownCheck', 404, 'not_found'],
    ])
      expect([
        id,
        await as(olga, 'POST', `/operator/cases/${id}/${verb}`, verb === 'ask' ? { text: 'Why?' } : {}),
      ]).toMatchObject([id, { status, body: { code } }])
})
