import { expect, test } from 'vitest'
import { ApiFailure } from './ApiFailure.ts'
import { filterFieldErrors } from './endpointForm.ts'

test('sentences stand beside the fields that the form shows; the others are left to the toast', () => {
  const fields = { email: 'Provide a valid email', token: 'This link is incomplete' }
  const failure = new ApiFailure(422, { msg: fields.email, code: 'validation_failed', fields })
  expect(filterFieldErrors(failure, (name) => name === 'email')).toEqual([['email', fields.email]])
  expect(filterFieldErrors(failure, () => false)).toEqual([])
})

test('a failure that names no field is beside none', () => {
  expect(filterFieldErrors(new ApiFailure(403, { msg: 'No.', code: 'forbidden' }), () => true)).toEqual([])
})
