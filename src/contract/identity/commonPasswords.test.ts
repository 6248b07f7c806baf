import { expect, test } from 'vitest'
import { isCommonPassword } from './commonPasswords.ts'

test('passwords that are tried first are common, in upper or lower case', () => {
  for (const password of [
    'password',
    'PassWord123',
    '12345678',
    'QWERTYUIOP',
    'iloveyou',
    'P@ssw0rd',
    'bitcoin1',
  ]) {
    expect([password, isCommonPassword(password)]).toEqual([password, true])
  }
})

test('one repeated character is common at any length', () => {
  expect(isCommonPassword('aaaaaaaa')).toBe(true)
  expect(isCommonPassword('0'.repeat(10_000))).toBe(true)
  expect(isCommonPassword('🌊'.repeat(8))).toBe(true)
})

test("a password of one's own is not common", () => {
  for (const password of ['correct-horse-battery-staple', 'ein Kahn im Hafen', 'aaaaaaab', 'constructor']) {
    expect([password, isCommonPassword(password)]).toEqual([password, false])
  }
})
