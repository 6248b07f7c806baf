import { expect, test } from 'vitest'
import { networkFailure } from '../lib/ApiFailure.ts'
import { notSentWords } from './notSentWords.ts'

test('a lost connection leaves the text, and says so', () => {
  expect(notSentWords(networkFailure().msg)).toBe(
    'Your message was not sent. We could not reach the server. Please check your connection and try again. What you wrote is still here.',
  )
})
