import { expect, test } from 'vitest'
import { buildChatUrl, formatPhoneNumber } from './numberWords.ts'

test('a chat is opened by the digits alone', () => {
  expect(buildChatUrl('+41 79 123 45 67')).toBe('https://wa.me/41791234567')
})

test('a number in groups stays as it was written', () => {
  expect(formatPhoneNumber(' +41 79 123 45 67 ')).toBe('+41 79 123 45 67')
})

test.each([
  ['+41791234567', '+41 791 234 567'],
  ['+12025550123', '+1 202 555 0123'],
  ['+4915123456789', '+49 151 234 567 89'],
  ['+35312345678', '+353 123 456 78'],
  ['+3531234567', '+353 123 4567'],
  ['+3546921', '+354 6921'],
])('%s without groups is read as %s', (number, words) => {
  expect(formatPhoneNumber(number)).toBe(words)
})
