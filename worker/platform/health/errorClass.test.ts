import { expect, it } from 'vitest'
import { getErrorClass } from './cronWork.ts'

it.each([
  ['Resend answered 422', 'Resend answered 422'],
  ['D1_ERROR: no such table: x: SQLITE_ERROR', 'SQLITE_ERROR'],
  ['D1_ERROR: Network connection lost.', 'D1_ERROR'],
  ['The operation was aborted due to timeout', 'timed out'],
  ['E_RECIPIENT_NOT_ALLOWED: ana@example.com is not allowed', 'E_RECIPIENT_NOT_ALLOWED'],
  ['Live mode does not trade the simulated market', 'Live mode does not trade the simulated market'],
  [
    'Live mode does not trade investors’ money on paper',
    'Live mode does not trade investors’ money on paper',
  ],
  ['550 mailbox of ana@example.com is full', 'other'],
  ['', 'other'],
])('of "%s" it shows "%s", and nobody’s address', (message, shown) => {
  expect(getErrorClass(message)).toBe(shown)
})
