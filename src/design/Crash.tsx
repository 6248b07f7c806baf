import { ButtonLink } from './Button.tsx'
import styles from './Crash.module.css'

/** What a page or a part of it shows when it can't go on: what happened, in words, and a way home. */
export function Crash({ message, home }: { message: string; home: string }) {
  return (
    <div className={styles.crash} role="alert">
      {/* The mark capsized: its keel is above the line. */}
      <svg className={styles.picture} viewBox="0 0 120 34" aria-hidden="true">
        <path d="M0 26h120" />
        <path className={styles.keel} d="M38 26a22 22 0 0 1 44 0" />
      </svg>
      <h2 className={styles.title}>Unexpected Application Error!</h2>
      <p className={styles.message}>{message}</p>
      <p className={styles.ways}>
        <ButtonLink href={home} variant="primary">
          Go home
        </ButtonLink>
        <ButtonLink href="/contact-us">Contact us</ButtonLink>
      </p>
    </div>
  )
}
