import { expect, test } from 'vitest'
import { dateTimeText } from './DateTime.tsx'

test('a moment is told in the reader’s time zone', () => {
  const at = '2026-01-31T23:30:00.000Z'
  expect(dateTimeText(at, 'date', 'UTC')).toBe('Jan 31, 2026')
  expect(dateTimeText(at, 'date', 'Asia/Tokyo')).toBe('Feb 1, 2026')
  expect(dateTimeText(at, 'both', 'UTC').replace('\u202f', ' ')).toBe('Jan 31, 2026, 11:30 PM')
})
