import styles from './Loading.module.css'

/** Loading indicator for a whole screen without a fitting skeleton. `label` is shown and announced. */
export function Loading({ label = 'Loading' }: { label?: string }) {
  return (
    <div className={styles.loading} role="status">
      <svg className={styles.picture} viewBox="0 0 96 40" aria-hidden="true" focusable="false">
        <path className={styles.line} d="M0 16h96" />
        <path className={styles.keel} d="M34 16a14 14 0 0 0 28 0" />
      </svg>
      <p className={styles.label}>{label}…</p>
    </div>
  )
}
