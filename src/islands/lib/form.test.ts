import { expect, test } from 'vitest'
import { newPasswordForm } from '../../contract/identity/passwords.ts'
import { updateErrors, validateValues } from './form.ts'

const MISMATCH = { msg: 'Passwords must match' }

test('a form is checked by the contract’s schema, one sentence for each field', () => {
  expect(validateValues(newPasswordForm, { password: '', confirmPassword: '' })).toEqual({
    password: { msg: 'Password is required' },
    confirmPassword: { msg: 'Confirm Password is required' },
  })
  expect(validateValues(undefined, { anything: 'goes' })).toEqual({})
})

test('an error goes once its field is right, also when another field made it right', () => {
  const before = { confirmPassword: MISMATCH }
  expect(updateErrors(before, {}, 'password')).toEqual({})
})

test('an error follows what is wrong now', () => {
  const before = { password: { msg: 'Password is required' } }
  const now = { password: { msg: 'Please use at least 8 characters' } }
  expect(updateErrors(before, now, 'password')).toEqual(now)
})

test('nothing new is said while somebody types', () => {
  const now = { password: { msg: 'Please use at least 8 characters' } }
  expect(updateErrors({ confirmPassword: MISMATCH }, now, 'password')).toEqual({})
})

test('what the server has against a field stands until that field is changed', () => {
  const before = { referralID: { msg: 'There is no such referral ID', server: true as const } }
  expect(updateErrors(before, {}, 'email')).toEqual(before)
  expect(updateErrors(before, {}, 'referralID')).toEqual({})
})
