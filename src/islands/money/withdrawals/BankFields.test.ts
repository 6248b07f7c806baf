import { expect, it } from 'vitest'
import { bankWithdrawal } from '../../../contract/money/withdrawals.ts'
import { BANK_FIELDS } from './BankFields.tsx'
import { bankWithdrawalForm, buildBankDefaults, NONE } from './bankAccount.ts'

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

it('what is known is filled in, and only the account is left to type', () => {
  const known = buildBankDefaults({ name: 'Ana María Torres', country: 'Switzerland', gender: 'Female' })
  expect(known).toMatchObject({
    country: 'CH',
    accountHolderName: 'Ana María Torres',
    title: 'Ms',
    firstName: 'Ana',
    surname: 'María Torres',
    branchCode: NONE,
  })
  const typed = { amount: '5', bankName: 'First Bank', accountNumber: 'CH93 0076 2011 6238 5295 7' }
  expect(bankWithdrawalForm.safeParse({ ...known, ...typed }).success).toBe(true)
})

it('what is unknown is not guessed', () => {
  expect(buildBankDefaults({ name: 'Ana', country: 'Atlantis', gender: '' })).toMatchObject({
    country: '',
    title: '',
    branchCode: '',
  })
})

it('the number of the account is checked by the rules of its country', () => {
  const form = {
    amount: '5',
    ...buildBankDefaults({ name: 'Ana Torres' }),
    title: 'Ms',
    bankName: 'First Bank',
  }
  const problemsOf = (typed: object) =>
    bankWithdrawalForm
      .safeParse({ ...form, ...typed })
      .error?.issues.map(({ path, message }) => [path[0], message])
  expect(problemsOf({ country: 'US', accountNumber: '12345678', branchCode: '021000022' })).toEqual([
    ['branchCode', 'This is not a routing number'],
  ])
  expect(
    problemsOf({ country: 'DE', accountNumber: 'DE89 3704 0044 0532 0130 01', branchCode: NONE }),
  ).toEqual([['accountNumber', 'This IBAN is mistyped: its checksum does not match']])
  expect(problemsOf({ country: 'ZA', accountNumber: '00112233445566', branchCode: '250655' })).toBeUndefined()
})
