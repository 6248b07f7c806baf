import { expect, test } from 'vitest'
import { factorsIn, standingOf } from './words.ts'

test('a request says what it waits for, and who proposed it', () => {
  expect(standingOf({ status: 'filed', proposal: null })).toBe('Waits for a reviewer')
  expect(standingOf({ status: 'proposed', proposal: { _id: '1', proposedBy: 'Rae' } })).toBe(
    'Proposed by Rae, waits for a second reviewer',
  )
})

test('second factors are named', () => {
  expect(factorsIn(['passkey', 'totp'])).toBe('Authenticator app and passkeys')
  expect(factorsIn(['totp'])).toBe('Authenticator app')
  expect(factorsIn([])).toBe('None')
})
