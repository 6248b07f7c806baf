import { expect, it } from 'vitest'
import { maskedAccount } from './maskedAccount.ts'

it('an account number is shown by its last four characters only', () => {
  expect(maskedAccount('12 3456-7890')).toBe('••••7890')
  expect(maskedAccount('1234')).toBe('••••')
})
