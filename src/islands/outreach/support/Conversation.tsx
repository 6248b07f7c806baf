import type { ReactNode } from 'react'
import { joinClasses } from '../../../design/classes.ts'
import { DateTime } from '../../../design/DateTime.tsx'
import styles from './Conversation.module.css'

interface Entry {
  at: string
  who: string
  /** Whether support wrote it. */
  isReply: boolean
  text: ReactNode
}

/** The messages of a thread, oldest first. */
export function Conversation({ label, entries }: { label: string; entries: readonly Entry[] }) {
  return (
    <ol className={joinClasses('plain-list', styles.entries)} aria-label={label}>
      {entries.map(({ at, who, isReply, text }) => (
        <li key={`${at} ${who}`} className={joinClasses(styles.entry, isReply && styles.reply)}>
          <p className={styles.head}>
            <b>{who}</b>
            <DateTime at={at} />
          </p>
          <p className={styles.text}>{text}</p>
        </li>
      ))}
    </ol>
  )
}
