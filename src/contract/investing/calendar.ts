import { PLAN_HOUR, type Schedule } from './planDates.ts'

interface Reminder {
  /** Unique and stable, so that a calendar replaces an earlier file of the same reminder. */
  readonly id: string
  readonly title: string
  readonly description: string
  readonly schedule: Pick<Schedule, 'rhythm' | 'starts' | 'day'>
}

/**
 * A calendar file (RFC 5545) with one repeated all-day reminder and an alarm at 9:00 of the reader's clock. Coins cannot be pulled, so
 * a deposit can only be remembered.
 */
export function buildCalendar(
  { id, title, description, schedule }: Reminder,
  domain: string,
  nowMs: number,
): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    `PRODID:-//${escapeText(domain)}//Deposit reminder//EN`,
    'BEGIN:VEVENT',
    `UID:${escapeText(id)}@${escapeText(domain)}`,
    `DTSTAMP:${formatStamp(nowMs)}`,
    `DTSTART;VALUE=DATE:${schedule.starts.replaceAll('-', '')}`,
    `RRULE:${buildRule(schedule)}`,
    `SUMMARY:${escapeText(title)}`,
    `DESCRIPTION:${escapeText(description)}`,
    'TRANSP:TRANSPARENT',
    'BEGIN:VALARM',
    'ACTION:DISPLAY',
    `DESCRIPTION:${escapeText(title)}`,
    `TRIGGER:PT${PLAN_HOUR}H`,
    'END:VALARM',
    'END:VEVENT',
    'END:VCALENDAR',
  ]
  return lines.map((line) => `${foldLine(line)}\r\n`).join('')
}

const FREQUENCIES = {
  weekly: 'FREQ=WEEKLY',
  monthly: 'FREQ=MONTHLY',
  quarterly: 'FREQ=MONTHLY;INTERVAL=3',
  yearly: 'FREQ=YEARLY',
} as const

/** The last of the days 28 to `day` that a month has is its last day if it is shorter. */
function buildRule({ rhythm, starts, day }: Reminder['schedule']): string {
  if (rhythm === 'weekly') return FREQUENCIES.weekly
  const month = rhythm === 'yearly' ? `;BYMONTH=${Number(starts.slice(5, 7))}` : ''
  const days = [28, 29, 30, 31].filter((last) => last <= day)
  const byDay = day <= 28 ? `BYMONTHDAY=${day}` : `BYMONTHDAY=${days.join()};BYSETPOS=-1`
  return `${FREQUENCIES[rhythm]}${month};${byDay}`
}

function formatStamp(atMs: number): string {
  return `${new Date(atMs).toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`
}

function escapeText(text: string): string {
  return text.replace(/[\\;,]/g, '\\$&').replace(/\r\n|\r|\n/g, '\\n')
}

/** Lines have at most 75 octets. A continued line begins with a blank, and no character is cut. */
function foldLine(line: string): string {
  const parts: string[] = []
  let part = ''
  let octets = 0
  for (const character of line) {
    const size = new TextEncoder().encode(character).length
    if (octets + size > 75) {
      parts.push(part)
      part = ''
      octets = 1
    }
    part += character
    octets += size
  }
  return [...parts, part].join('\r\n ')
}
