import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import type { InvestorSummary, OperatorInvestor } from '../../../src/contract/console/investors.ts'
import { fileDeposit } from '../../../test/support/filing.ts'
import { call } from '../../../test/support/http.ts'
import { mailsTo, mailTo } from '../../../test/support/mailbox.ts'
import { as, withdrawal } from '../../../test/support/operating.ts'
import { newInvestor, newOperator } from '../../../test/support/people.ts'

test('investors are paged, newest first, and no operator is among them', async () => {
  const operator = await newOperator()
  const people = [await newInvestor(), await newInvestor(), await newInvestor()]
  const first = await as<OperatorInvestor[]>(operator, 'GET', '/operator/investors?limit=2&query=')
  expect(first.body.map(({ _id }) => _id)).toEqual([people[2]?.id, people[1]?.id])
  expect(first.body[0]).not.toHaveProperty('balances')
  const [, next = ''] = /<\/api\/v1(.+)>/.exec(first.headers.get('Link') ?? '') ?? []
  const second = await as<OperatorInvestor[]>(operator, 'GET', next)
  expect(second.body[0]?._id).toBe(people[0]?.id)
  expect((await as(operator, 'GET', `/operator/investors/${operator.id}`)).status).toBe(404)
})

test('one investor shows the figures of their own books', async () => {
  const operator = await newOperator()
  const ana = await newInvestor({ availableCents: 900_00 })
  await fileDeposit(ana, { amount: '70' })
  await withdrawal(ana, '400')
  const { body } = await as<OperatorInvestor>(operator, 'GET', `/operator/investors/${ana.id}`)
  expect(body).toMatchObject({
    _id: ana.id,
    name: ana.name,
    email: ana.email,
    country: 'Switzerland',
    emailVerified: true,
    kyc: 'approved',
    frozen: false,
    frozenReason: null,
    balances: {
      available: 500,
      deposits: 900,
      withdrawals: 0,
      bonus: 0,
      profits: 0,
      pendingDeposits: 70,
      pendingWithdrawals: 400,
      totalBalance: 900,
      owed: 0,
    },
  })
})

test('a frozen investor reads and moves no money, until the freeze is lifted', async () => {
  const operator = await newOperator()
  const ana = await newInvestor()
  const path = `/operator/investors/${ana.id}`
  expect((await as(operator, 'POST', `${path}/freeze`, {})).body.fields).toEqual({
    reason: 'Please give a reason',
  })
  const frozen = await as<OperatorInvestor>(operator, 'POST', `${path}/freeze`, { reason: 'A complaint' })
  expect(frozen).toMatchObject({ status: 200, body: { frozen: true, frozenReason: 'A complaint' } })
  expect((await as(operator, 'GET', path)).body).toEqual(frozen.body)
  expect((await fileDeposit(ana)).body.code).toBe('account_frozen')
  expect((await as(ana, 'GET', '/transaction-history')).status).toBe(200)
  expect((await mailTo(ana.email, /is frozen/)).text).not.toContain('A complaint')

  // Mailed once, even for repeated calls, and frozen since the first.
  const known = async () => (await as<InvestorSummary>(operator, 'GET', `${path}/known`)).body
  const { frozenAt } = await known()
  await as(operator, 'POST', `${path}/freeze`, { reason: 'Two complaints' })
  expect(await known()).toMatchObject({ frozenReason: 'Two complaints', frozenAt })
  expect(await mailsTo(ana.email)).toHaveLength(1)

  const free = await as<OperatorInvestor>(operator, 'POST', `${path}/unfreeze`, { reason: 'A test' })
  expect(free).toMatchObject({ status: 200, body: { frozen: false, frozenReason: null } })
  expect((await fileDeposit(ana)).status).toBe(201)
  await mailTo(ana.email, /no longer frozen/)
  const { results } = await env.DB.prepare(
    'SELECT action, detail FROM audit_log WHERE subject = ? ORDER BY seq',
  )
    .bind(ana.id)
    .all()
  const detail = expect.stringMatching(/^\{"note":"[-\da-f]{36}"\}$/)
  expect(results).toEqual([
    { action: 'investor.frozen', detail },
    { action: 'investor.viewed', detail: '{}' },
    { action: 'investor.frozen', detail },
    { action: 'investor.unfrozen', detail },
  ])
})

test('a notification is made safe on the way in, and replaces the one before', async () => {
  const operator = await newOperator()
  const ana = await newInvestor()
  const path = `/operator/investors/${ana.id}/notification`
  const content = '<p onclick="x()">Hello <b>you</b><script>alert(1)</script></p><img src=x onerror=alert(1)>'
  const reply = await as<OperatorInvestor>(operator, 'POST', path, {
    title: 'A <b>title</b>',
    content,
    persistent: true,
  })
  expect(reply).toMatchObject({ status: 201, body: { _id: ana.id } })
  const shown = async () =>
    (await as<{ notification: unknown }>(ana, 'GET', '/users/user-info?fields=notification')).body
      .notification
  expect(await shown()).toEqual({
    title: 'A <b>title</b>',
    content: '<p>Hello <b>you</b></p>',
    persistent: true,
    seen: false,
  })
  await as(operator, 'POST', path, { title: 'Second', content: 'Text' })
  expect(await shown()).toEqual({ title: 'Second', content: 'Text', persistent: false, seen: false })
  await call('PATCH', '/users/user-info', { token: ana.token, json: { seen: true } })
  expect(await shown()).toMatchObject({ seen: true })
  await as(operator, 'POST', path, { title: 'Third', content: 'Text' })
  expect(await shown()).toMatchObject({ title: 'Third', seen: false })
})

test('an empty or too long notification is refused', async () => {
  const operator = await newOperator()
  const ana = await newInvestor()
  const path = `/operator/investors/${ana.id}/notification`
  const wrong: [unknown, string[]][] = [
    [{}, ['title', 'content']],
    [{ title: 'A', content: '<script>alert(1)</script>' }, ['content']],
    [{ title: 'A', content: 'é'.repeat(8193) }, ['content']],
    [{ title: 'A', content: '<'.repeat(5000) }, ['content']],
    [{ title: 'A', content: 'x'.repeat(16_385) }, ['content']],
    [{ title: 'A', content: 'x', persistent: 'maybe' }, ['persistent']],
  ]
  for (const [json, fields] of wrong) {
    const reply = await as(operator, 'POST', path, json)
    expect([reply.status, Object.keys(reply.body.fields ?? {})]).toEqual([422, fields])
  }
})
