import { expect, test } from 'vitest'
import { SIGNALS } from '../../../contract/console/withdrawals.ts'
import { signalWords } from './signalWords.ts'

test.each(SIGNALS)('%s is told as a sentence that names its facts', (signal) => {
  const words = signalWords(
    { signal, severity: 'low', since: '2026-01-31T09:30:00.000Z', amount: 1234.5, count: 3 },
    'UTC',
  )
  expect(words).toMatch(/^[A-Z0-9$]/)
  expect(words).not.toMatch(/undefined|NaN|_|\.$/)
  if (/\$/.test(words)) expect(words).toContain('$1,234.50')
})

test('a destination that was never saved says so', () => {
  expect(signalWords({ signal: 'new_destination', severity: 'medium' })).toBe(
    'Nothing was paid to this destination before, and it is not in the address book',
  )
  expect(signalWords({ signal: 'shared_destination', severity: 'high', count: 1 })).toMatch(
    /^Another investor/,
  )
})
