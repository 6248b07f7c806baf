import type { ReactNode } from 'react'
import styles from './OneLine.module.css'

/** A reference or a moment in a list, never broken in two. */
export function OneLine({ children }: { children: ReactNode }) {
  return <span className={styles.line}>{children}</span>
}
