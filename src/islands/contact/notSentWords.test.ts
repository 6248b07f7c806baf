import { expect, test } from 'vitest'
import { failureOf, networkFailure } from '../lib/ApiFailure.ts'
import { notSentWords } from './notSentWords.ts'

async function refused(retryAfter: string) {
  const body = { msg: 'Too many tries.', code: 'too_many_requests' }
  return failureOf(Response.json(body, { status: 429, headers: { 'Retry-After': retryAfter } }))
}

test('a lost connection leaves the text, and says so', () => {
  expect(notSentWords(networkFailure())).toBe(
    'Your message was not sent. We could not reach the server. Please check your connection and try again. What you wrote is still here.',
  )
})

test.each([
  ['1', '1 second'],
  ['59', '59 seconds'],
  ['60', '1 minute'],
  ['61', '2 minutes'],
  ['2700', '45 minutes'],
  ['3541', '1 hour'],
  ['3601', '2 hours'],
])('a wait of %s seconds is said as %s', async (seconds, words) => {
  expect(notSentWords(await refused(seconds))).toContain(
    `Too many tries. The next message can be sent in ${words}. What you wrote`,
  )
})

test('a wait until a date is left out', async () => {
  expect(notSentWords(await refused('Wed, 21 Oct 2026 07:28:00 GMT'))).toBe(
    'Your message was not sent. Too many tries. What you wrote is still here.',
  )
})
