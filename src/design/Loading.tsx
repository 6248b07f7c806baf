import styles from './Loading.module.css'

/** Loading indicator for a whole screen without a fitting skeleton. `label` is shown and announced. */
export function Loading({ label = 'Loading' }: { label?: string }) {
  return (
    <div className={styles.loading} role="status">
      <svg className={styles.picture} viewBox="0 0 96 40" aria-hidden="true" focusable="false">
        <use className={styles.ink} href="#logo-ink" />
        <use className={styles.accent} href="#logo-accent" />
      </svg>
      <p className={styles.label}>{label}…</p>
    </div>
  )
}
