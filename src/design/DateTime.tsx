import { formatDateTime, formatTableDate } from '../contract/dates.ts'

export interface DateTimeProps {
  /** ISO 8601 in UTC, as the API answers it. */
  at: string
  /** `date` omits the time. */
  show?: 'date' | 'both'
  timeZone?: string
}

/** A moment in running text, in the reader's locale and, unless another is given, time zone. The tooltip has the zone and the exact UTC form. */
export function DateTime({ at, show, timeZone }: DateTimeProps) {
  return (
    <time dateTime={at} title={formatTitle(at, timeZone)}>
      {formatDateTime(at, show, timeZone)}
    </time>
  )
}

/** A moment in a table: 2026-11-23 14:05. */
export function TableDate({ at, show, timeZone }: DateTimeProps) {
  return (
    <time dateTime={at} title={formatTitle(at, timeZone)} className="number">
      {formatTableDate(at, show, timeZone)}
    </time>
  )
}

function formatTitle(at: string, timeZone?: string): string {
  return `${formatDateTime(at, 'exact', timeZone)} (${at})`
}
