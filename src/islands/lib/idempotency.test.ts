import { expect, test } from 'vitest'
import { ApiFailure, networkFailure } from './ApiFailure.ts'
import { submissionKeys } from './idempotency.ts'

const answered = (status: number, code = 'some_code') => new ApiFailure(status, { msg: 'No.', code })

test.each([
  ['a lost connection', networkFailure()],
  ['a failing server', answered(500)],
  ['an unavailable server', answered(503)],
  ['a first try that is still running', answered(409, 'idempotency_in_progress')],
  ['being asked for a code', answered(403, 'step_up_required')],
  ['a wrong code', answered(403, 'invalid_code')],
])('after %s the same content is sent under the same key', (_, failure) => {
  const keys = submissionKeys()
  const first = keys.keyFor('100 USD')
  keys.settle(failure)
  expect(keys.keyFor('100 USD')).toBe(first)
})

test.each([
  ['a success', null],
  ['a refusal', answered(422)],
])('after %s the same content is a new submission', (_, outcome) => {
  const keys = submissionKeys()
  const first = keys.keyFor('100 USD')
  keys.settle(outcome)
  expect(keys.keyFor('100 USD')).not.toBe(first)
})

test('other content is a new submission', () => {
  const keys = submissionKeys()
  const first = keys.keyFor('100 USD')
  keys.settle(networkFailure())
  expect(keys.keyFor('200 USD')).not.toBe(first)
})

test('a submission that was open when the page was left is repeated under its key', () => {
  const told: (string | undefined)[] = []
  const first = submissionKeys(undefined, (open) => told.push(open?.key))
  const key = first.keyFor('100 USD')
  first.settle(networkFailure())
  expect(told).toEqual([key])
  const afterReload = submissionKeys({ content: '100 USD', key }, (open) => told.push(open?.key))
  expect(afterReload.keyFor('100 USD')).toBe(key)
  afterReload.settle(null)
  expect(told).toEqual([key, key, undefined])
})

test('one that waits for a code was answered, and is open once more when it is sent with it', () => {
  const told: (string | undefined)[] = []
  const keys = submissionKeys(undefined, (open) => told.push(open?.key))
  const key = keys.keyFor('100 USD')
  keys.settle(answered(403, 'step_up_required'))
  expect(told).toEqual([key, undefined])
  keys.keyFor('100 USD')
  expect(told).toEqual([key, undefined, key])
})
