import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import type { OperatorWithdrawal } from '../../../src/contract/console/withdrawals.ts'
import { BANK_IDENTITY, type BankIdentityField } from '../../../src/contract/money/withdrawals.ts'
import { BANK_WITHDRAWAL, mailedCode, withdraw } from '../../../test/support/filing.ts'
import { letHoldPass } from '../../../test/support/hold.ts'
import { call } from '../../../test/support/http.ts'
import { mailTo } from '../../../test/support/mailbox.ts'
import { approveWithdrawal, as, completeWithdrawal } from '../../../test/support/operating.ts'
import { newInvestor, newOperator, type Person } from '../../../test/support/people.ts'

const PATH = '/withdrawals/online-service'
type Fields = Readonly<Record<string, unknown>>

/** The same account except for one field. */
const REDIRECTED: Record<BankIdentityField, string> = {
  bankName: 'First Harbor Bank',
  branchName: 'Hillside',
  branchCode: '250656',
  accountNumber: '00112233445567',
  accountType: 'current',
  accountHolderName: 'Eve Torres',
  title: 'Mr',
  firstName: 'Eve',
  surname: 'Torrez',
  clientNumber: 'C-1002',
  investmentNumber: 'I-2003',
  productName: 'Eve’s savings',
  country: 'PK',
}
const ask = (person: Person, fields: Fields = {}, idempotencyKey?: string) =>
  call('POST', PATH, {
    token: person.token,
    json: { ...BANK_WITHDRAWAL, amount: '1.00', ...fields },
    ...(idempotencyKey !== undefined && { idempotencyKey }),
  })
const held = (investor: string) =>
  env.DB.prepare('SELECT count(*) AS n FROM requests WHERE investor = ?').bind(investor).first<number>('n')

describe('a bank destination that was proven', () => {
  test('a changed name, number, branch, bank or product needs proof again', async () => {
    const ana = await newInvestor({ availableCents: 1000_00 })
    expect((await withdraw(ana, { amount: '1.00' }, PATH)).status).toBe(201)
    expect((await ask(ana)).status).toBe(201)
    const filed = await held(ana.id)
    expect(Object.keys(REDIRECTED).toSorted()).toEqual([...BANK_IDENTITY].toSorted())
    for (const [field, value] of Object.entries(REDIRECTED)) {
      const reply = await ask(ana, { [field]: value })
      expect([field, reply]).toMatchObject([
        field,
        { status: 403, body: { code: 'step_up_required', reasons: ['new_destination'] } },
      ])
    }
    expect(await held(ana.id)).toBe(filed)
    // Fields that neither route nor name need no proof, nor do case and blanks.
    for (const same of [
      { occupation: 'Pilot', withdrawalReason: 'Food', withdrawalType: 'full' },
      { accountHolderName: ' ANA  TORRES', bankName: 'first harbour bank' },
    ])
      expect([same, (await ask(ana, same)).status]).toEqual([same, 201])
  })

  test('a bank destination is confirmed only by the code that was mailed for it', async () => {
    const ana = await newInvestor({ availableCents: 1000_00 })
    await ask(ana)
    const code = await mailedCode(ana.email)
    for (const [field, value] of Object.entries(REDIRECTED)) {
      const reply = await ask(ana, { [field]: value, code })
      expect([field, reply]).toMatchObject([field, { status: 403, body: { code: 'invalid_code' } }])
    }
    expect(await ask(ana, { code })).toMatchObject({ status: 201, body: { heldUntil: expect.any(String) } })
  })

  test('is named in both mails in full except its account number', async () => {
    const ana = await newInvestor({ availableCents: 1000_00 })
    const filed = await withdraw(ana, { amount: '1.00', clientNumber: 'C 123456 7' }, PATH)
    expect(filed.status).toBe(201)
    for (const subject of [/^Confirm your withdrawal$/, /is delayed until/]) {
      const { text } = await mailTo(ana.email, subject)
      for (const part of [
        'First Harbour Bank',
        'Quayside',
        '••••5566',
        'Ms “Ana Torres”',
        'I-2002',
        'Savings',
      ])
        expect([part, text.includes(part)]).toEqual([part, true])
      expect(text).not.toContain('00112233445566')
    }
    // No other number can be mistaken for the code.
    expect((await mailTo(ana.email, /^Confirm your withdrawal$/)).text.match(/\d{6}/g)).toHaveLength(1)
  })

  test('one key belongs to one destination, whatever is sent later', async () => {
    const ana = await newInvestor({ availableCents: 1000_00 })
    await ask(ana)
    const code = await mailedCode(ana.email)
    const first = await ask(ana, { code }, 'bank-1')
    expect(first.status).toBe(201)
    const again = await ask(ana, {}, 'bank-1')
    expect([again.body, again.headers.get('Idempotency-Replayed')]).toEqual([first.body, 'true'])
    expect(await ask(ana, { accountHolderName: 'Eve Torres' }, 'bank-1')).toMatchObject({
      status: 422,
      body: { code: 'idempotency_key_reused' },
    })
  })

  test('the operator sees what differs from the last paid destination, and a holder with another name', async () => {
    const operator = await newOperator()
    const ana = await newInvestor({ availableCents: 1000_00, name: 'Ana Torres' })
    const file = async (fields: Fields = {}) => {
      const { status, body } = await withdraw(ana, { amount: '1.00', ...fields }, PATH)
      expect(status).toBe(201)
      await letHoldPass(body._id)
      return body
    }
    const seen = async (id: string) =>
      (await as<OperatorWithdrawal>(operator, 'GET', `/operator/withdrawals/${id}`)).body
    const first = await file()
    expect(await seen(first._id)).toMatchObject({ lastPaid: null, bank: { clientNumber: 'C-1001' } })
    await approveWithdrawal(operator, first._id)
    expect(
      (await completeWithdrawal(await newOperator(), first._id, { reference: 'First payout' })).status,
    ).toBe(200)
    const same = await seen((await file({ withdrawalReason: 'Food', bankName: 'FIRST harbour bank' }))._id)
    expect(same.lastPaid).toEqual({ ref: first.ref, at: expect.stringMatching(/Z$/), changed: [] })
    expect(same.risk?.signals.map(({ rule }) => rule)).not.toContain('new_destination')
    expect(same.risk?.signals.map(({ rule }) => rule)).not.toContain('holder_differs')
    const other = await seen((await file(REDIRECTED))._id)
    expect(other.lastPaid?.changed).toEqual(BANK_IDENTITY)
    const signals = other.risk?.signals.map(({ rule }) => rule)
    expect(signals).toContain('holder_differs')
    expect(signals).toContain('new_destination')
  })

  test('a shared bank account is found whatever the names', async () => {
    const operator = await newOperator()
    const [ana, ben] = [
      await newInvestor({ availableCents: 1000_00 }),
      await newInvestor({ availableCents: 1000_00 }),
    ]
    const accountNumber = '777000777000'
    await withdraw(ana, { amount: '1.00', accountNumber }, PATH)
    const { body } = await withdraw(
      ben,
      { amount: '1.00', accountNumber: '777-000 777000', accountHolderName: 'Ben', clientNumber: '9' },
      PATH,
    )
    const { risk } = (await as<OperatorWithdrawal>(operator, 'GET', `/operator/withdrawals/${body._id}`)).body
    expect(risk?.signals[0]).toMatchObject({ rule: 'shared_destination', count: 1, link: { id: ana.id } })
  })
})
