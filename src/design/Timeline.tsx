import type { ReactNode } from 'react'
import { joinClasses } from './classes.ts'
import { DateTime } from './DateTime.tsx'
import { Status } from './Status.tsx'
import styles from './Timeline.module.css'

export interface TimelineEntry {
  /** ISO 8601 in UTC. */
  at: string
  status: string
  /** Replaces the status text, for example to name who acted: “Credited by Olga”. */
  label?: string
  note?: ReactNode
}

/** The history of a request, oldest first. */
export function Timeline({
  entries,
  next,
  label = 'Timeline',
}: {
  entries: readonly TimelineEntry[]
  /** The next step, shown after the entries. */
  next?: ReactNode
  label?: string
}) {
  return (
    <ol className={styles.timeline} aria-label={label}>
      {entries.map((entry) => (
        <li key={`${entry.at} ${entry.label ?? entry.status}`} className={styles.entry}>
          <Status status={entry.status} {...(entry.label !== undefined && { label: entry.label })} />
          <span className={styles.at}>
            <DateTime at={entry.at} />
          </span>
          {entry.note && <p className={styles.note}>{entry.note}</p>}
        </li>
      ))}
      {next && (
        <li className={joinClasses(styles.entry, styles.next)}>
          <p className={styles.note}>{next}</p>
        </li>
      )}
    </ol>
  )
}
