import { expect, test } from 'vitest'
import { SECOND_OPERATOR_REASONS } from '../../../contract/console/cases.ts'
import { aloneWords, secondOperatorWords } from './aloneWords.ts'

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
