import { expect, test } from 'vitest'
import { describeFactors, describeRecoveryStatus } from './recoveryWords.ts'

test('a request says what it waits for, and who proposed it', () => {
  expect(describeRecoveryStatus({ status: 'filed', proposal: null })).toBe('Waiting for a reviewer')
  expect(describeRecoveryStatus({ status: 'proposed', proposal: { _id: '1', proposedBy: 'Rae' } })).toBe(
    'Proposed by Rae, waiting for a second reviewer',
  )
})

test('second factors are named', () => {
  expect(describeFactors(['passkey', 'totp'])).toBe('Authenticator app and passkeys')
  expect(describeFactors(['totp'])).toBe('Authenticator app')
  expect(describeFactors([])).toBe('None')
})
