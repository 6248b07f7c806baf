import type { ReactNode } from 'react'
import styles from './WithAside.module.css'

/**
 * A screen's main content with an aside beside it, or below on narrow screens. Omit the aside while the screen loads,
 * so that it does not move.
 */
export function WithAside({ aside, children }: { aside?: ReactNode; children: ReactNode }) {
  return (
    <div className={styles.screen}>
      <div className={styles.main}>{children}</div>
      {aside && <div className={styles.aside}>{aside}</div>}
    </div>
  )
}
