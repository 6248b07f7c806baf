import { expect, test } from 'vitest'
import { newPasswordField } from '../../../contract/identity/passwords.ts'
import { measureStrength } from './StrengthMeter.tsx'

test('what the server would refuse is level 0, and nothing else is', () => {
  const field = newPasswordField()
  for (const password of [
    'short',
    '1234567',
    'password123',
    'aaaaaaaaaaaa',
    'correct horse',
    'ein Kahn im Hafen',
  ])
    expect(measureStrength(password).level === 0, password).toBe(!field.safeParse(password).success)
})

test('more that cannot be foreseen is worth more', () => {
  const levels = ['kq7wzt3m', 'kq7wzt3mxv1p', 'four words out of a hat'].map(
    (password) => measureStrength(password).level,
  )
  expect(levels).toEqual([2, 3, 4])
})

test('what runs on or repeats itself is worth little, however long', () => {
  for (const password of ['abcdefghijklmnop', '9876543210987', 'aaaabbbbccccdddd'])
    expect(measureStrength(password), password).toMatchObject({
      level: 1,
      words: /is repeated or in sequence/,
    })
})

test('what anybody knows of the owner is worth little', () => {
  const known = ['Ana Torres', 'sailor@example.com']
  for (const password of ['my name is TORRES', 'sailor-on-the-sea', 'examplexample'])
    expect(measureStrength(password, known), password).toMatchObject({
      level: 1,
      words: /your name or e-mail/,
    })
  expect(measureStrength('banana boat on the sea', known).level).toBe(4)
})

test('no password at all is too short', () => {
  expect(measureStrength('')).toMatchObject({ level: 0, words: /^Too short/ })
})

test('what can be tried without asking us has to be longer', () => {
  expect(measureStrength('kq7wzt3mxv1', [], 12)).toEqual({
    level: 0,
    words: 'Too short. At least 12 characters are needed.',
  })
  expect(measureStrength('kq7wzt3mxv1p', [], 12).level).toBe(3)
})
