import styles from './Logo.module.css'

/** The logo with the site's name; null shows only the mark. */
export function Logo({ name }: { name: string | null }) {
  return (
    <span className={styles.logo}>
      <svg className={styles.mark} viewBox="0 0 28 20" aria-hidden="true" focusable="false">
        <path className={styles.line} d="M1 5h26" />
        <path className={styles.keel} d="M5.5 9a8.5 8.5 0 0 0 17 0" />
      </svg>
      {name && <span className={styles.name}>{name}</span>}
    </span>
  )
}
