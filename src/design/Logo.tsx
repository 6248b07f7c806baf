import styles from './Logo.module.css'

/** The logo with the site's name; null shows only the mark. */
export function Logo({ name }: { name: string | null }) {
  return (
    <span className={styles.logo}>
      {/* BaseLayout defines both parts once for each page. */}
      <svg className={styles.mark} aria-hidden="true" focusable="false">
        <use className={styles.ink} href="#logo-ink" />
        <use className={styles.accent} href="#logo-accent" />
      </svg>
      {name && <span className={styles.name}>{name}</span>}
    </span>
  )
}
