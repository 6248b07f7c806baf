import { expect, test } from 'vitest'
import { factorNames, statusOf } from './words.ts'

test('a request says what it waits for, and who proposed it', () => {
  expect(statusOf({ status: 'filed', proposal: null })).toBe('Waiting for a reviewer')
  expect(statusOf({ status: 'proposed', proposal: { _id: '1', proposedBy: 'Rae' } })).toBe(
    'Proposed by Rae, waiting for a second reviewer',
  )
})

test('second factors are named', () => {
  expect(factorNames(['passkey', 'totp'])).toBe('Authenticator app and passkeys')
  expect(factorNames(['totp'])).toBe('Authenticator app')
  expect(factorNames([])).toBe('None')
})
