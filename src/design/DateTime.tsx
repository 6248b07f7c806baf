export interface DateTimeProps {
  /** ISO 8601 in UTC, as the API answers it. */
  at: string
  /** `date` omits the time. */
  show?: 'date' | 'both'
  timeZone?: string
}

/**
 * A time in the reader's time zone unless another is given, in the site's US format. `datetime` and the tooltip have
 * the exact UTC form.
 */
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
