import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import type { OperatorDeposit } from '../../../src/contract/console/deposits.ts'
import { txid } from '../../../test/support/ledger/txid.ts'
import { booksOf } from '../../../test/support/money.ts'
import {
  approveDeposit,
  approveProposal,
  as,
  deposit,
  propose,
  statuses,
} from '../../../test/support/operating.ts'
import { newInvestor, newOperator, type Person } from '../../../test/support/people.ts'

const takeBack = (by: Person, id: string) =>
  as<OperatorDeposit>(by, 'POST', `/operator/deposits/${id}/withdraw-approval`)

async function reverse(id: string): Promise<void> {
  const [one, other] = [await newOperator(), await newOperator()]
  const { body } = await propose(one, { kind: 'reversal', request: id, reason: 'The wrong investor' })
  expect((await approveProposal(other, body._id)).status).toBe(200)
}

describe('a first approval', () => {
  test('only its operator withdraws a first approval; it stays on record, and the next one is a first one again', async () => {
    const ana = await newInvestor()
    const [first, second] = [await newOperator({ name: 'Fay First' }), await newOperator()]
    const id = await deposit(ana, '9000')
    const approved = await approveDeposit(first, id, { reference: txid('mistyped-1'), note: 'Seen' })
    expect(approved.body.firstApproval).toMatchObject({ by: 'Fay First', byId: first.id })
    const read = () => as<OperatorDeposit>(second, 'GET', `/operator/deposits/${id}`)
    expect(approved.body.dueAt).toEqual(expect.any(String))
    expect((await read()).body).toMatchObject(approved.body)
    const back = await takeBack(first, id)
    expect(back).toMatchObject({ status: 200, body: { status: 'pending' } })
    expect(back.body.awaiting).toBeUndefined()
    // It is due later again, because one operator can decide it.
    expect((await read()).body).toMatchObject(back.body)
    expect(Date.parse(back.body.dueAt ?? '')).toBeGreaterThan(Date.parse(approved.body.dueAt ?? ''))
    const kept = await env.DB.prepare(
      'SELECT operator, reference, note FROM withdrawn_approvals WHERE request = ?',
    )
      .bind(id)
      .first()
    expect(kept).toEqual({ operator: first.id, reference: txid('mistyped-1'), note: 'Seen' })

    expect((await approveDeposit(first, id, { reference: txid('right-1') })).status).toBe(202)
    expect((await approveDeposit(first, id, { reference: txid('right-1') })).status).toBe(403)
    expect(await booksOf(ana.id)).toMatchObject({ available: 0 })
    expect((await approveDeposit(second, id, { reference: txid('right-1') })).status).toBe(200)
    expect(await booksOf(ana.id)).toMatchObject({ available: 9000_00 })
  })

  test('nobody withdraws another operator’s approval, a missing one or a completed one', async () => {
    const ana = await newInvestor()
    const [first, second] = [await newOperator(), await newOperator()]
    const reviewer = await newOperator({ roles: ['reviewer'] })
    const id = await deposit(ana, '9000')
    expect(await takeBack(first, id)).toMatchObject({ status: 409, body: { code: 'conflict' } })
    await approveDeposit(first, id, { reference: txid('whole-1') })
    for (const other of [second, reviewer])
      expect(await takeBack(other, id)).toMatchObject({ status: 403, body: { code: 'forbidden' } })
    await approveDeposit(second, id, { reference: txid('whole-1') })
    expect(await takeBack(first, id)).toMatchObject({ status: 409, body: { code: 'already_decided' } })
    expect(await booksOf(ana.id)).toMatchObject({ available: 9000_00 })
  })

  test('withdrawn during another operator’s credit: either the credit stands, or nothing was credited', async () => {
    const [first, second] = [await newOperator(), await newOperator()]
    for (let round = 0; round < 5; round++) {
      const ana = await newInvestor()
      const id = await deposit(ana, '9000')
      const fields = { reference: txid(`raced-${round}`) }
      await approveDeposit(first, id, fields)
      const replies = await Promise.all([
        ...Array.from({ length: 4 }, () => approveDeposit(second, id, fields)),
        ...Array.from({ length: 4 }, () => takeBack(first, id)),
      ])
      const { available } = await booksOf(ana.id)
      const credits = replies.slice(0, 4).filter(({ status }) => status === 200).length
      const takenBack = replies.slice(4).filter(({ status }) => status === 200).length
      expect([available, credits + takenBack]).toEqual([credits * 9000_00, 1])
      for (const status of Object.keys(statuses(replies)))
        expect(['200', '202', '403', '409']).toContain(status)
      const { body } = await as<OperatorDeposit>(first, 'GET', `/operator/deposits/${id}`)
      // The operator who was too late to be second is now first.
      if (credits === 0 && body.firstApproval !== undefined) expect(body.firstApproval.byId).toBe(second.id)
    }
  })
})

describe('the reference of a reversed credit', () => {
  test('is free for the right investor, and only once, also in parallel', async () => {
    const operator = await newOperator()
    const [wrong, right, third] = [await newInvestor(), await newInvestor(), await newInvestor()]
    const reference = `0x${txid('mistake').toUpperCase()}`
    const mistaken = await deposit(wrong, '700')
    await approveDeposit(operator, mistaken, { reference })
    const ids = await Promise.all(
      [right, third].flatMap((person) => [1, 2, 3].map(() => deposit(person, '700'))),
    )
    for (const id of ids)
      expect((await approveDeposit(operator, id, { reference })).body.code).toBe('reference_used')
    await reverse(mistaken)
    const replies = await Promise.all(
      ids.map((id) => approveDeposit(operator, id, { reference: txid('mistake') })),
    )
    expect(statuses(replies)).toEqual({ 200: 1, 409: 5 })
    const sums = await Promise.all([wrong, right, third].map(({ id }) => booksOf(id)))
    expect(sums.reduce((sum, { deposits }) => sum + deposits, 0)).toBe(700_00)
  })

  test('stays used otherwise, and a reversed deposit is not credited again', async () => {
    const operator = await newOperator()
    const ana = await newInvestor()
    const [one, two] = [await deposit(ana, '10'), await deposit(ana, '20')]
    await approveDeposit(operator, one, { reference: txid('kept-1') })
    await reverse(one)
    expect((await approveDeposit(operator, one, { reference: txid('kept-1') })).body.code).toBe(
      'already_decided',
    )
    expect((await approveDeposit(operator, two, { reference: txid('kept-1') })).status).toBe(200)
    const three = await deposit(ana, '30')
    expect(
      (await approveDeposit(operator, three, { reference: txid('kept-1').toUpperCase() })).body.code,
    ).toBe('reference_used')
    await reverse(two)
    expect((await approveDeposit(operator, three, { reference: txid('kept-1').toUpperCase() })).status).toBe(
      200,
    )
  })
})
