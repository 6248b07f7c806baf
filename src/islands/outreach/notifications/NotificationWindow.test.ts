import { expect, test } from 'vitest'
import { isDue } from './NotificationWindow.tsx'

const note = { title: 'News', content: '<p>Good</p>', persistent: false, seen: false }

test('a notification is shown until it was seen, and only with a title and content', () => {
  expect(isDue(note)).toBe(true)
  expect(isDue({ ...note, persistent: true })).toBe(true)
  expect(isDue({ ...note, seen: true })).toBe(false)
  expect(isDue({ ...note, title: '' })).toBe(false)
  expect(isDue({ ...note, content: '' })).toBe(false)
  expect(isDue(null)).toBe(false)
  expect(isDue(undefined)).toBe(false)
})
