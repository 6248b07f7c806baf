import { expect, test } from 'vitest'
import { createNetworkFailure } from '../../lib/ApiFailure.ts'
import { describeLength, describeUnsent } from './ContactForm.tsx'

test('a short message is told the limit only', () => {
  expect(describeLength('', 5000)).toBe('Up to 5,000 characters.')
  expect(describeLength('x'.repeat(4499), 5000)).toBe('Up to 5,000 characters.')
})

test('a long one is told its length, without the blanks around it, and what is too much', () => {
  expect(describeLength(`  ${'x'.repeat(4500)}\n`, 5000)).toBe('4,500 of 5,000 characters.')
  expect(describeLength('x'.repeat(5000), 5000)).toBe('5,000 of 5,000 characters.')
  expect(describeLength('x'.repeat(6234), 5000)).toBe('6,234 characters: 1,234 too many.')
})

test('a lost connection leaves the text, and says so', () => {
  expect(describeUnsent(createNetworkFailure().msg)).toBe(
    'Your message was not sent. We could not reach the server. Please check your connection and try again. What you wrote is still here.',
  )
})
