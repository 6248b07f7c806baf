import type { ReactNode } from 'react'
import styles from './WithAside.module.css'

/**
 * What a screen is for, and beside it, or under it where there is no room, what is good to know meanwhile. While the
 * screen loads, leave the aside out: it would be pushed away by what comes.
 */
export function WithAside({ aside, children }: { aside?: ReactNode; children: ReactNode }) {
  return (
    <div className={styles.screen}>
      <div className={styles.main}>{children}</div>
      {aside && <div className={styles.aside}>{aside}</div>}
    </div>
  )
}
