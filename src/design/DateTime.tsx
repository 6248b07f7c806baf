export interface DateTimeProps {
  /** ISO 8601 in UTC, as the API answers it. */
  at: string
  /** `date` leaves the time of day out. */
  show?: 'date' | 'both'
  /** Default: the reader's own. */
  timeZone?: string
}

/** A moment in the reader's own time zone unless another is given, in the site's US format; its exact UTC form is in `datetime` and the tooltip. */
export function DateTime({ at, show = 'both', timeZone }: DateTimeProps) {
  return (
    <time dateTime={at} title={at}>
      {dateTimeText(at, show, timeZone)}
    </time>
  )
}

/** "Jan 31, 2026" or "Jan 31, 2026, 9:30 AM"; `timeZone` is the reader's unless given. */
export function dateTimeText(at: string, show: 'date' | 'both' = 'both', timeZone?: string): string {
  return new Date(at).toLocaleString('en-US', {
    dateStyle: 'medium',
    ...(show === 'both' && { timeStyle: 'short' }),
    ...(timeZone && { timeZone }),
  })
}
