import { expect, test } from 'vitest'
import { ApiFailure, createNetworkFailure } from './ApiFailure.ts'
import { createSubmissionKeys } from './idempotency.ts'

const answered = (status: number, code = 'some_code') => new ApiFailure(status, { msg: 'No.', code })

test.each([
  ['a lost connection', createNetworkFailure()],
  ['a failing server', answered(500)],
  ['an unavailable server', answered(503)],
  ['a first try that is still running', answered(409, 'idempotency_in_progress')],
  ['being asked for a code', answered(403, 'step_up_required')],
  ['a wrong code', answered(403, 'invalid_code')],
])('after %s the same content is sent under the same key', (_, failure) => {
  const keys = createSubmissionKeys()
  const first = keys.keyFor('100 USD')
  keys.settle(failure)
  expect(keys.keyFor('100 USD')).toBe(first)
})

test.each([
  ['a success', null],
  ['a refusal', answered(422)],
])('after %s the same content is a new submission', (_, outcome) => {
  const keys = createSubmissionKeys()
  const first = keys.keyFor('100 USD')
  keys.settle(outcome)
  expect(keys.keyFor('100 USD')).not.toBe(first)
})

test('other content is a new submission', () => {
  const keys = createSubmissionKeys()
  const first = keys.keyFor('100 USD')
  keys.settle(createNetworkFailure())
  expect(keys.keyFor('200 USD')).not.toBe(first)
})

test('a submission that was open when the page was left is repeated under its key', () => {
  const told: (string | undefined)[] = []
  const first = createSubmissionKeys(undefined, (open) => told.push(open?.key))
  const key = first.keyFor('100 USD')
  first.settle(createNetworkFailure())
  expect(told).toEqual([key])
  const afterReload = createSubmissionKeys({ content: '100 USD', key }, (open) => told.push(open?.key))
  expect(afterReload.keyFor('100 USD')).toBe(key)
  afterReload.settle(null)
  expect(told).toEqual([key, key, undefined])
})

test('one that waits for a code was answered, and is open once more when it is sent with it', () => {
  const told: (string | undefined)[] = []
  const keys = createSubmissionKeys(undefined, (open) => told.push(open?.key))
  const key = keys.keyFor('100 USD')
  keys.settle(answered(403, 'step_up_required'))
  expect(told).toEqual([key, undefined])
  keys.keyFor('100 USD')
  expect(told).toEqual([key, undefined, key])
})
