import { DateTime } from '../../design/DateTime.tsx'
import styles from './When.module.css'

/** A moment in a list, on one line. */
export function When({ at }: { at: string }) {
  return (
    <span className={styles.when}>
      <DateTime at={at} />
    </span>
  )
}
