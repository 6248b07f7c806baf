import { expect, test } from 'vitest'
import type { OperatorWithdrawal } from '../../../src/contract/console/withdrawals.ts'
import { MOST_WORK, type WorkItem } from '../../../src/contract/console/workItems.ts'
import { cost } from '../../../test/support/cost.ts'
import { withdraw } from '../../../test/support/filing.ts'
import { call } from '../../../test/support/http.ts'
import {
  approveDeposit,
  approveWithdrawal,
  as,
  deposit,
  propose,
  withdrawal,
} from '../../../test/support/operating.ts'
import { newInvestor, newOperator, type Person } from '../../../test/support/people.ts'

const work = async (by: Person) => (await as<{ items: WorkItem[] }>(by, 'GET', '/operator/work')).body.items
const idsOf = (items: readonly WorkItem[]) => items.map(({ _id }) => _id)

test('work is listed in the order that it is due, and a second approval waits for another operator', async () => {
  const [one, two] = [await newOperator(), await newOperator()]
  const auditor = await newOperator({ roles: ['auditor'] })
  const ana = await newInvestor({ availableCents: 100_00, name: 'Ana Torres' })
  const large = await deposit(ana, '7200')
  const paid = await withdrawal(ana, '10')
  // Due later than the message, although it is older.
  const { body: proposed } = await propose(one, { kind: 'settings', settings: { referralBonus: 1 } })
  await call('POST', '/contact-us', { json: { name: 'Ben', email: 'b@example.com', message: 'Hello there' } })

  expect(await work(one)).toMatchObject([
    {
      _id: large,
      person: 'Ana Torres',
      amount: 7200,
      first: null,
      aboveLimit: true,
      waitsFor: 'you',
    },
    { _id: paid, kind: 'withdrawal', amount: 10, waitsFor: 'you' },
    { kind: 'message', person: 'Ben', about: 'Hello there', waitsFor: 'you' },
    { _id: proposed._id, kind: 'proposal', proposal: { kind: 'settings' }, waitsFor: 'others' },
  ])
  await approveDeposit(one, large, { amount: '7100' })
  await approveWithdrawal(one, paid)
  const waitsFor = async (by: Person) =>
    Object.fromEntries((await work(by)).map(({ kind, waitsFor }) => [kind, waitsFor]))
  expect(await waitsFor(one)).toEqual({
    second_credit: 'others',
    payout: 'you',
    message: 'you',
    proposal: 'others',
  })
  expect(await waitsFor(two)).toEqual({
    second_credit: 'you',
    payout: 'you',
    message: 'you',
    proposal: 'you',
  })
  expect(new Set(Object.values(await waitsFor(auditor)))).toEqual(new Set(['others']))
  expect((await work(two))[0]).toMatchObject({ amount: 7100, first: { _id: one.id } })
})

test('a payout to somebody whom its approver credited waits for another operator', async () => {
  const [one, two] = [await newOperator(), await newOperator()]
  const ana = await newInvestor({ availableCents: 100_00 })
  await approveDeposit(one, await deposit(ana, '20'))
  const paid = await withdrawal(ana, '10')
  await approveWithdrawal(one, paid)
  const find = async (by: Person) => (await work(by)).find(({ _id }) => _id === paid)
  expect(await find(one)).toMatchObject({ waitsFor: 'others', aboveLimit: false })
  expect(await find(two)).toMatchObject({ waitsFor: 'you' })
})

test('work about investors has its risk, but not for support', async () => {
  const operator = await newOperator()
  const ben = await newInvestor({ availableCents: 100_00 })
  const id = await deposit(ben, '10')
  await as(operator, 'POST', `/operator/investors/${ben.id}/freeze`, { reason: 'A letter of the police' })
  await call('POST', '/contact-us', { json: { name: 'Ben', email: ben.email, message: 'What is wrong?' } })
  const found = (await work(operator)).find(({ _id }) => _id === id)
  expect(found?.risk).toMatchObject({ level: 'high' })
  expect(found?.risk?.signals[0]?.rule).toBe('account_frozen')
  const support = await newOperator({ roles: ['support'] })
  const seen = await work(support)
  expect(seen.map(({ kind }) => kind)).toContain('message')
  expect(seen.every(({ risk }) => risk === undefined)).toBe(true)
})

test('a delayed payout is in no work and no count, and the list finds it apart', async () => {
  const operator = await newOperator()
  const ana = await newInvestor({ availableCents: 100_00 })
  const waiting = async () => (await as<{ payout: number }>(operator, 'GET', '/operator/waiting')).body.payout
  const before = await waiting()
  const { body: filed } = await withdraw(ana, { amount: '10' })
  await approveWithdrawal(operator, filed._id)
  expect(idsOf(await work(operator))).not.toContain(filed._id)
  expect(await waiting()).toBe(before)
  const listed = async (hold: string) =>
    (
      await as<{ _id: string }[]>(operator, 'GET', `/operator/withdrawals?status=approved&hold=${hold}`)
    ).body.some(({ _id }) => _id === filed._id)
  expect([await listed('delayed'), await listed('payable'), await listed('')]).toEqual([true, false, true])
})

test('a payout waits since its approval, by one clock in the work, the list and the answer', async () => {
  const operator = await newOperator()
  const ana = await newInvestor({ availableCents: 100_00 })
  const id = await withdrawal(ana, '10')
  const { body: answer } = await approveWithdrawal(operator, id)
  const item = (await work(operator)).find(({ _id }) => _id === id)
  const { body: rows } = await as<OperatorWithdrawal[]>(
    operator,
    'GET',
    '/operator/withdrawals?status=approved',
  )
  const approvedAt = answer.steps.find(({ step }) => step === 'approved')?.at
  const clock = { waitsSince: item?.createdAt, dueAt: item?.dueAt }
  expect(item?.createdAt).toBe(approvedAt)
  expect(rows.find(({ _id }) => _id === id)).toMatchObject(clock)
  expect(answer).toMatchObject(clock)
})

test('every queue is read from either end, page by page, without a gap', async () => {
  const operator = await newOperator()
  const ana = await newInvestor({ availableCents: 100_00, name: 'Ordered Oriel' })
  for (const amount of ['11', '12', '13']) {
    await deposit(ana, amount)
    await withdrawal(ana, amount)
    await call('POST', '/contact-us', {
      json: { name: 'Ordered Oriel', email: 'o@example.com', message: amount },
    })
    await propose(operator, { kind: 'bonus', investor: ana.id, amount: Number(amount), reason: 'Thanks' })
  }
  for (const queue of ['deposits', 'withdrawals', 'messages', 'proposals', 'kyc']) {
    for (const query of ['', 'query=Ordered%20Oriel&']) {
      const path = `/operator/${queue}?${query}`
      const list = (rest: string) => as<{ _id: string }[]>(operator, 'GET', `${path}${rest}`)
      const ids = (rows: readonly { _id: string }[]) => rows.map(({ _id }) => _id)
      const newest = ids((await list('limit=100')).body)
      const paged: string[] = []
      let rest: string | null = 'order=oldest&limit=2'
      while (rest !== null) {
        const { body, headers } = await list(rest)
        paged.push(...ids(body))
        const next: string | undefined = /cursor=([^&>]+)/.exec(headers.get('Link') ?? '')?.[1]
        rest = next === undefined ? null : `order=oldest&limit=2&cursor=${next}`
      }
      expect([path, paged]).toEqual([path, newest.toReversed()])
    }
  }
})

test('a case that you have taken is in your work, even if many others are older', async () => {
  const operator = await newOperator()
  const many = [await newInvestor(), await newInvestor()]
  for (const person of many) for (let i = 0; i < MOST_WORK - 2; i++) await deposit(person, '10')
  const newest = await deposit(await newInvestor(), '10')
  expect(idsOf(await work(operator))).not.toContain(newest)
  await as(operator, 'POST', `/operator/cases/${newest}/assign`, {})
  expect(idsOf(await work(operator))).toContain(newest)
})

test('a longer queue costs no more', async () => {
  const operator = await newOperator()
  const file = async () => {
    const person = await newInvestor()
    for (let i = 0; i < MOST_WORK - 2; i++) await deposit(person, '10')
  }
  const rows = async () => (await cost('GET', '/operator/work', { token: operator.token })).counted.rowsRead
  await file()
  await file()
  const before = await rows()
  await file()
  await file()
  // Each shown deposit is compared with at most 100 others of the same receipt.
  expect(await rows()).toBeLessThanOrEqual(before + MOST_WORK * 100 * 4)
})

test('the cost of a long queue depends on the shown rows', async () => {
  const operator = await newOperator()
  for (let i = 0; i < MOST_WORK + 5; i++)
    await call('POST', '/contact-us', {
      json: { name: 'Many', email: `m${i}@example.com`, message: 'Hello' },
    })
  const items = await work(operator)
  expect(items.filter(({ kind }) => kind === 'message').length).toBeLessThanOrEqual(MOST_WORK)
  expect(new Set(idsOf(items)).size).toBe(items.length)
  const { counted } = await cost('GET', '/operator/work', { token: operator.token })
  expect(counted.trips).toBe(2)
})
