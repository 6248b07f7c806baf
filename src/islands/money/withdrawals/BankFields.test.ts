import { expect, it } from 'vitest'
import { bankWithdrawal } from '../../../contract/money/withdrawals.ts'
import { BANK_FIELDS } from './BankFields.tsx'
import { bankWithdrawalForm, buildBankDefaults, pickBankFields } from './bankAccount.ts'

it('the bank form asks for every field of the contract, each once', () => {
  const asked = BANK_FIELDS.map(({ name }) => name)
  const elsewhere = ['amount', 'code', 'passkey', 'withdrawalMethod', 'country']
  expect(asked.toSorted()).toEqual(
    Object.keys(bankWithdrawal.shape)
      .filter((name) => !elsewhere.includes(name))
      .toSorted(),
  )
})

it('every field that is left empty has its sentence, in the words of its label', () => {
  const issues = bankWithdrawal.safeParse({ amount: '5' }).error?.issues ?? []
  const required = BANK_FIELDS.filter(({ optional }) => !optional)
  expect(issues.map(({ message }) => message).toSorted()).toEqual(
    required.map(({ label }) => `Please provide ${label.toLowerCase()}`).toSorted(),
  )
})

it('what is known is filled in, the rest is blank, and only what the country needs is sent', () => {
  const known = buildBankDefaults({ name: 'Ana María Torres', country: 'Switzerland', gender: 'Female' })
  expect(known).toEqual({
    country: 'CH',
    accountHolderName: 'Ana María Torres',
    title: 'Ms',
    firstName: 'Ana',
    surname: 'María Torres',
  })
  const account = { amount: '5', bankName: 'First Bank', accountNumber: 'CH93 0076 2011 6238 5295 7' }
  const typed = {
    ...known,
    ...account,
    branchCode: 'left from another country',
    withdrawalType: 'full',
  } as const
  expect(bankWithdrawalForm.safeParse(typed).success).toBe(true)
  const sent = JSON.parse(JSON.stringify(pickBankFields(typed)))
  expect(sent).toEqual({ ...account, country: 'CH', accountHolderName: 'Ana María Torres' })
  expect(bankWithdrawal.safeParse(sent).success).toBe(true)
})

it('the full form asks for every field of the specification, and sends all of them', () => {
  const typed = {
    ...buildBankDefaults({ name: 'Ana Torres', country: 'Germany' }),
    isFull: true,
    amount: '5',
  }
  const asked = bankWithdrawalForm.safeParse(typed).error?.issues.map(({ path }) => path[0])
  const given = ['accountHolderName', 'firstName', 'surname']
  expect(asked?.toSorted()).toEqual(
    BANK_FIELDS.filter(({ name, optional }) => !optional && !given.includes(name))
      .map(({ name }) => name)
      .toSorted(),
  )
  expect(pickBankFields({ ...typed, occupation: 'Pilot' })).toMatchObject({
    occupation: 'Pilot',
    firstName: 'Ana',
  })
})

it('what is unknown is not guessed', () => {
  expect(buildBankDefaults({ name: 'Ana', country: 'Atlantis', gender: '' })).toEqual({
    country: '',
    accountHolderName: 'Ana',
    title: '',
    firstName: 'Ana',
    surname: '',
  })
})

it('the number of the account is checked by the rules of its country', () => {
  const form = { amount: '5', ...buildBankDefaults({ name: 'Ana Torres' }), bankName: 'First Bank' }
  const problemsOf = (typed: object) =>
    bankWithdrawalForm
      .safeParse({ ...form, ...typed })
      .error?.issues.map(({ path, message }) => [path[0], message])
  const american = { country: 'US', accountNumber: '12345678', accountType: 'checking' }
  expect(problemsOf({ ...american, branchCode: '021000022' })).toEqual([
    ['branchCode', 'This is not a routing number'],
  ])
  expect(problemsOf({ country: 'DE', accountNumber: 'DE89 3704 0044 0532 0130 01' })).toEqual([
    ['accountNumber', 'This IBAN is mistyped: its checksum does not match'],
  ])
  expect(problemsOf({ country: 'ZA', accountNumber: '00112233445566', branchCode: '250655' })).toBeUndefined()
})
