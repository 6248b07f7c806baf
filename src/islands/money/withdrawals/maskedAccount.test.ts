import { expect, it } from 'vitest'
import { describeAccount, formatMaskedAccount } from './BankFields.tsx'

it('an account number is shown by its last four characters only', () => {
  expect(formatMaskedAccount('12 3456-7890')).toBe('••••7890')
  expect(formatMaskedAccount('1234')).toBe('••••')
  const typed = {
    accountNumber: '12 3456-7890',
    bankName: 'First Harbour Bank',
    accountHolderName: 'Ana Torres',
  }
  expect(describeAccount((name) => typed[name])).toBe(
    'the account ••••7890 at First Harbour Bank, held by Ana Torres',
  )
})
