import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DAY_MS } from '../../time.ts'
import { isTimeZone } from '../timeZones.ts'
import {
  ANNOUNCE_AHEAD_MS,
  computeLocalTime,
  isStartInStep,
  listDueDates,
  listNextDates,
  MOST_DAYS_LATE,
  RHYTHMS,
  type Schedule,
} from './planDates.ts'

const ZONES = [
  'UTC',
  'Europe/Lisbon',
  'America/New_York',
  'Asia/Kathmandu',
  'Pacific/Kiritimati',
  'Pacific/Niue',
]

const schedules: fc.Arbitrary<Schedule> = fc
  .record({
    rhythm: fc.constantFrom(...RHYTHMS),
    day: fc.integer({ min: 1, max: 31 }),
    month: fc.integer({ min: 0, max: 12 * 20 }),
    zone: fc.constantFrom(...ZONES),
  })
  .map(({ rhythm, day, month, zone }) => {
    const last = new Date(Date.UTC(2020, month + 1, 0)).getUTCDate()
    const starts = new Date(Date.UTC(2020, month, Math.min(day, last))).toISOString().slice(0, 10)
    return { rhythm, day, starts, zone }
  })
const moments = fc.integer({ min: Date.UTC(2019, 0), max: Date.UTC(2050, 0) })

const listDays = (schedule: Schedule, after: string, count: number) =>
  listDueDates(schedule, Date.parse(after), count).map(({ on }) => on)

const monthly = (starts: string, day: number, zone = 'UTC'): Schedule => ({
  rhythm: 'monthly',
  starts,
  day,
  zone,
})

describe('the dates of a plan', () => {
  test('the 31st is the last day of a shorter month, and the 31st again after it', () => {
    expect(listDays(monthly('2027-01-31', 31), '2027-01-01', 4)).toEqual([
      '2027-01-31',
      '2027-02-28',
      '2027-03-31',
      '2027-04-30',
    ])
  })

  test('29 February is the 28th in other years', () => {
    const yearly: Schedule = { ...monthly('2028-02-29', 29), rhythm: 'yearly' }
    expect(listDays(yearly, '2028-01-01', 5)).toEqual([
      '2028-02-29',
      '2029-02-28',
      '2030-02-28',
      '2031-02-28',
      '2032-02-29',
    ])
  })

  test('a plan for the 31st can start in a month of 30 days', () => {
    expect(isStartInStep({ rhythm: 'monthly', starts: '2026-11-30', day: 31 })).toBe(true)
    expect(isStartInStep({ rhythm: 'monthly', starts: '2026-11-30', day: 29 })).toBe(false)
    expect(listDays(monthly('2026-11-30', 31), '2026-11-01', 2)).toEqual(['2026-11-30', '2026-12-31'])
  })

  test('the hour is the owner’s, in summer and in winter', () => {
    const times = listDueDates(monthly('2027-03-01', 1, 'America/New_York'), Date.UTC(2027, 1, 20), 2)
    expect(times.map(({ atMs }) => new Date(atMs).toISOString())).toEqual([
      '2027-03-01T14:00:00.000Z',
      '2027-04-01T13:00:00.000Z',
    ])
  })

  test('an hour that clocks skip or repeat is one moment', () => {
    const skipped = computeLocalTime('2027-03-14', 2, 'America/New_York')
    expect(new Date(skipped).toISOString()).toBe('2027-03-14T07:00:00.000Z')
    const repeated = computeLocalTime('2027-11-07', 1, 'America/New_York')
    expect(new Date(repeated).toISOString()).toBe('2027-11-07T05:00:00.000Z')
  })

  test('dates only go forward, are after the moment, and start with the schedule', () => {
    fc.assert(
      fc.property(schedules, moments, (schedule, afterMs) => {
        const dates = listDueDates(schedule, afterMs, 6)
        expect(dates.every(({ atMs, on }) => atMs > afterMs && on >= schedule.starts)).toBe(true)
        for (const [place, { on, atMs }] of dates.entries()) {
          const next = dates[place + 1]
          if (next !== undefined) expect(next.on > on && next.atMs > atMs).toBe(true)
        }
      }),
    )
  })

  test('no date is left out or comes twice, wherever one asks from', () => {
    fc.assert(
      fc.property(schedules, moments, fc.integer({ min: 0, max: 40 }), (schedule, afterMs, later) => {
        const dates = listDueDates(schedule, afterMs, 6)
        const laterMs = afterMs + later * DAY_MS
        const rest = dates.filter(({ atMs }) => atMs > laterMs)
        expect(listDueDates(schedule, laterMs, rest.length)).toEqual(rest)
      }),
    )
  })

  test('each date is at nine in its zone, on its day of the month', () => {
    fc.assert(
      fc.property(schedules, moments, (schedule, afterMs) => {
        for (const { on, atMs } of listDueDates(schedule, afterMs, 3)) {
          const local = new Intl.DateTimeFormat('sv-SE', {
            timeZone: schedule.zone,
            dateStyle: 'short',
            timeStyle: 'short',
          })
          expect(local.format(atMs)).toBe(`${on} 09:00`)
          const last = new Date(Date.UTC(Number(on.slice(0, 4)), Number(on.slice(5, 7)), 0)).getUTCDate()
          if (schedule.rhythm !== 'weekly') expect(Number(on.slice(8))).toBe(Math.min(schedule.day, last))
        }
      }),
    )
  })

  test('a late run is left out before the next date is announced', () => {
    fc.assert(
      fc.property(schedules, moments, (schedule, afterMs) => {
        const [first, second] = listDueDates(schedule, afterMs, 2)
        const gap = (second?.atMs ?? 0) - (first?.atMs ?? 0)
        expect(gap).toBeGreaterThan(MOST_DAYS_LATE * DAY_MS + ANNOUNCE_AHEAD_MS)
      }),
    )
  })

  test('the first date of a new plan can still be announced', () => {
    fc.assert(
      fc.property(schedules, moments, (schedule, nowMs) => {
        expect(listNextDates(schedule, nowMs)[0]?.atMs).toBeGreaterThan(nowMs + DAY_MS)
      }),
    )
  })

  test('a time zone has a name of the IANA database', () => {
    expect(['UTC', 'Europe/Lisbon', 'America/Argentina/Buenos_Aires'].filter(isTimeZone)).toHaveLength(3)
    expect(
      ['', '+01:00', 'Mars/Olympus', 'Europe/Lisbon\n', '../etc', 'x'.repeat(60)].filter(isTimeZone),
    ).toEqual([])
  })
})
