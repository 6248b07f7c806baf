import { expect, it } from 'vitest'
import { bankWithdrawal } from '../../../contract/money/withdrawals.ts'
import { BANK_FIELDS } from './BankFields.tsx'

it('the bank form asks for every field of the contract, in its order', () => {
  const asked = BANK_FIELDS.flatMap(({ fields }) => fields.map(({ name }) => name))
  const elsewhere = ['amount', 'code', 'passkey', 'withdrawalMethod']
  expect(asked).toEqual(Object.keys(bankWithdrawal.shape).filter((name) => !elsewhere.includes(name)))
})

it('every field that is left empty has its sentence, in the words of its label', () => {
  const issues = bankWithdrawal.safeParse({ amount: '5' }).error?.issues ?? []
  const required = BANK_FIELDS.flatMap(({ fields }) => fields.filter(({ optional }) => !optional))
  expect(issues.map(({ message }) => message)).toEqual(
    required.map(({ label }) => `Please provide ${label.toLowerCase()}`),
  )
})
