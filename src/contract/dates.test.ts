import { expect, test } from 'vitest'
import { plainSpaces } from '../../test/support/plainSpaces.ts'
import { DAY_MS } from '../time.ts'
import {
  formatDateTime,
  formatDay,
  formatMonth,
  formatTableDate,
  formatTime,
  mailDateText,
  toEnglishLocale,
} from './dates.ts'

const AT = '2026-01-31T23:30:00.000Z'

test('a moment is told in the reader’s time zone', () => {
  expect(plainSpaces(formatDateTime(AT, 'date', 'UTC', 'en-US'))).toBe('Jan 31, 2026')
  expect(plainSpaces(formatDateTime(AT, 'date', 'Asia/Tokyo', 'en-US'))).toBe('Feb 1, 2026')
  expect(plainSpaces(formatDateTime(AT, 'both', 'UTC', 'en-US'))).toBe('Jan 31, 2026, 11:30 PM')
})

test('running text has the order and the clock of the reader’s country, in English words', () => {
  const inLocale = (locale: string) => plainSpaces(formatDateTime(AT, 'both', 'UTC', toEnglishLocale(locale)))
  expect(inLocale('en-US')).toBe('Jan 31, 2026, 11:30 PM')
  expect(inLocale('en-GB')).toBe('31 Jan 2026, 23:30')
  expect(inLocale('de')).toBe('31 Jan 2026, 23:30')
  expect(inLocale('pt-BR')).toBe('31 Jan 2026, 23:30')
  expect(inLocale('th-TH')).toBe('31 Jan 2026, 23:30')
})

test('no date breaks inside a line', () => {
  const texts = [formatDateTime(AT), formatDay('2026-01-31'), formatTableDate(AT)]
  expect(texts.filter((text) => /[^\S\u00a0]/.test(text))).toEqual([])
})

test('a table has one form of fixed width', () => {
  expect(plainSpaces(formatTableDate(AT, 'both', 'UTC'))).toBe('2026-01-31 23:30')
  expect(plainSpaces(formatTableDate('2026-02-01T00:05:00.000Z', 'both', 'UTC'))).toBe('2026-02-01 00:05')
  expect(formatTableDate(AT, 'date', 'UTC')).toBe('2026-01-31')
})

test('days and months are those of UTC, and a day beside another one of its year is short', () => {
  expect([formatDay('2026-01-31'), formatDay('2026-01-31', '2026-11-01')].map(plainSpaces)).toEqual([
    'Jan 31, 2026',
    'Jan 31',
  ])
  expect([formatDay('2025-12-31', '2026-01-01'), formatMonth('2026-01')].map(plainSpaces)).toEqual([
    'Dec 31, 2025',
    'Jan 2026',
  ])
  expect(plainSpaces(formatMonth('2026-01', 'long'))).toBe('January 2026')
})

test('a mail names the time in UTC', () => {
  expect(mailDateText(Date.parse(AT))).toBe('Jan 31, 2026, 11:30 PM UTC')
  expect(mailDateText(Date.parse(AT), 'date')).toBe('Jan 31, 2026')
})

test('a time of day has its day only if that is another one', () => {
  const noon = new Date(2026, 0, 31, 12, 5).getTime()
  const texts = [formatTime(noon, noon + 60_000), formatTime(noon, noon + DAY_MS)]
  expect(texts.map(plainSpaces)).toEqual(['12:05 PM', 'Jan 31, 12:05 PM'])
})
