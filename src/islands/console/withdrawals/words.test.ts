import { describe, expect, it, test } from 'vitest'
import { SECOND_OPERATOR_REASONS } from '../../../contract/console/cases.ts'
import { SIGNALS } from '../../../contract/console/withdrawals.ts'
import { STEP_UP_REASONS } from '../../../contract/money/withdrawals.ts'
import {
  aloneWords,
  changedWords,
  methodOf,
  proofWords,
  reasonWords,
  secondOperatorWords,
  signalWords,
  statusWord,
} from './words.ts'

describe('a withdrawal in words', () => {
  it('says by which coin and network it is paid', () => {
    expect(methodOf({ type: 'usdt', network: 'usdt-bsc', bank: null })).toBe(
      'USDT on BNB Smart Chain (BEP-20)',
    )
  })

  it('says that an approved one is to be paid', () => {
    expect(statusWord('approved')).toBe('To be paid')
    expect(statusWord('completed')).toBe('Completed')
  })

  it('has words for every reason that proof is asked for', () => {
    expect(STEP_UP_REASONS.map(reasonWords)).not.toContainEqual(expect.stringMatching(/_/))
  })

  it('shows a reason it does not know as it came', () => {
    expect(reasonWords('constructor')).toBe('constructor')
  })

  it('names the fields of a bank destination that changed', () => {
    expect(changedWords(['accountHolderName', 'branchCode'])).toBe('account holder name, branch code')
    expect(changedWords([])).toBe('')
  })

  it('has words for every proof', () => {
    expect(proofWords('totp')).toMatch(/second factor/)
    expect(proofWords('email')).toMatch(/e-mail/)
    expect(proofWords('none')).toBe('Not required')
  })
})

const alone = { limit: 5000, used: 0, day: { limit: 25_000, used: 400 }, needsTwo: false, reasons: [] }

test('what one pays alone is said with both limits', () => {
  expect(aloneWords(alone)).toContain('$0.00 of $5,000.00')
  expect(aloneWords(alone)).toContain('$400.00 of $25,000.00')
})

test.each(SECOND_OPERATOR_REASONS)('%s is told as a sentence', (reason) => {
  const words = secondOperatorWords({ ...alone, needsTwo: true, reasons: [reason] })
  expect(words).toMatch(/^[A-Z].*\.$/)
  expect(words).not.toMatch(/_|undefined/)
})

test('several reasons stand one after another', () => {
  const words = aloneWords({ ...alone, needsTwo: true, reasons: ['credited', 'identified'] })
  expect(words).toContain('You credited this investor. You approved this investor’s identity.')
})

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
    'The destination is new, and not in the address book',
  )
  expect(signalWords({ signal: 'shared_destination', severity: 'high', count: 1 })).toMatch(
    /^Another investor/,
  )
})
