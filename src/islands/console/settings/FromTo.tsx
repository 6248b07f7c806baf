import type { Change } from './changed.ts'
import styles from './Settings.module.css'

/** What becomes of each setting: its name, what it was, what it is to be. */
export function FromTo({ changes }: { changes: readonly Change[] }) {
  return (
    <dl className={styles.changes}>
      {changes.map(({ label, before, after }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            <s className={styles.before}>
              <span className="visually-hidden">Before: </span>
              {before}
            </s>{' '}
            <span aria-hidden="true">→</span>{' '}
            <strong>
              <span className="visually-hidden">After: </span>
              {after}
            </strong>
          </dd>
        </div>
      ))}
    </dl>
  )
}
