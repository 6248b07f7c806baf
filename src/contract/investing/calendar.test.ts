import fc from 'fast-check'
import { expect, test } from 'vitest'
import { buildCalendar } from './calendar.ts'
import { listDueDates, type Schedule } from './planDates.ts'

const NOW = Date.UTC(2026, 10, 29, 20, 30, 5)
const monthly = { rhythm: 'monthly', starts: '2026-12-01', day: 1 } as const
const reminder = {
  id: 'r1',
  title: 'Send 0.002 BTC',
  description: 'To bc1q, from your wallet',
  schedule: monthly,
}
const unfold = (file: string) => file.replaceAll('\r\n ', '').split('\r\n')
const find = (file: string, name: string) =>
  unfold(file)
    .find((line) => line.startsWith(name))
    ?.slice(name.length)

test('a reminder is one repeated all-day event with an alarm', () => {
  const lines = unfold(buildCalendar(reminder, 'example.com', NOW))
  expect(lines).toEqual([
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//example.com//Deposit reminder//EN',
    'BEGIN:VEVENT',
    'UID:r1@example.com',
    'DTSTAMP:20261129T203005Z',
    'DTSTART;VALUE=DATE:20261201',
    'RRULE:FREQ=MONTHLY;BYMONTHDAY=1',
    'SUMMARY:Send 0.002 BTC',
    'DESCRIPTION:To bc1q\\, from your wallet',
    'TRANSP:TRANSPARENT',
    'BEGIN:VALARM',
    'ACTION:DISPLAY',
    'DESCRIPTION:Send 0.002 BTC',
    'TRIGGER:PT9H',
    'END:VALARM',
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ])
})

test('text cannot begin another line, and no line has more than 75 octets', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => {
      const hostile = `${text}\r\nATTENDEE:mailto:a@example.com`
      const file = buildCalendar({ ...reminder, title: hostile, description: hostile }, 'example.com', NOW)
      for (const line of file.split('\r\n'))
        expect(new TextEncoder().encode(line).length).toBeLessThanOrEqual(75)
      expect(unfold(file)).toHaveLength(19)
      expect(unfold(file).some((line) => /^ATTENDEE/.test(line))).toBe(false)
      expect(file).not.toMatch(/[^\r]\n/)
    }),
  )
})

test('the rule of the calendar gives the dates of the plan', () => {
  const schedules: Pick<Schedule, 'rhythm' | 'starts' | 'day'>[] = [
    monthly,
    { rhythm: 'monthly', starts: '2027-01-31', day: 31 },
    { rhythm: 'monthly', starts: '2027-01-29', day: 29 },
    { rhythm: 'quarterly', starts: '2026-11-30', day: 30 },
    { rhythm: 'yearly', starts: '2028-02-29', day: 29 },
    { rhythm: 'weekly', starts: '2026-12-03', day: 3 },
  ]
  for (const schedule of schedules) {
    const rule = find(buildCalendar({ ...reminder, schedule }, 'example.com', NOW), 'RRULE:') ?? ''
    const expected = listDueDates({ ...schedule, zone: 'UTC' }, 0, 12).map(({ on }) => on)
    expect(expandRule(rule, schedule.starts, 12), rule).toEqual(expected)
  }
})

/** The first dates of the few kinds of rules that we write, by RFC 5545, section 3.3.10. */
function expandRule(rule: string, starts: string, count: number): string[] {
  const parts = new Map(rule.split(';').map((part) => part.split('=') as [string, string]))
  const days = parts.get('BYMONTHDAY')?.split(',').map(Number)
  const [frequency, interval] = [parts.get('FREQ'), Number(parts.get('INTERVAL') ?? 1)]
  const dates: string[] = []
  const [year = 0, month = 0] = starts.split('-').map(Number)
  for (let place = 0; dates.length < count; place += interval) {
    if (frequency === 'WEEKLY') {
      dates.push(new Date(Date.parse(starts) + place * 7 * 86_400_000).toISOString().slice(0, 10))
      continue
    }
    const first =
      frequency === 'YEARLY'
        ? new Date(Date.UTC(year + place, Number(parts.get('BYMONTH')) - 1))
        : new Date(Date.UTC(year, month - 1 + place))
    const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
    const matching = (days ?? []).filter((day) => day <= last)
    const taken = parts.get('BYSETPOS') === '-1' ? matching.slice(-1) : matching
    for (const day of taken) {
      const on = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth(), day))
        .toISOString()
        .slice(0, 10)
      if (on >= starts) dates.push(on)
    }
  }
  return dates
}
