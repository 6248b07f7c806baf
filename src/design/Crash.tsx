import { ButtonLink } from './ButtonLink.tsx'
import styles from './Crash.module.css'

/** What a page or a part of it shows when it can't go on: what happened, in words, and a way home. */
export function Crash({ message, home = '/' }: { message: string; home?: string }) {
  return (
    <div className={styles.crash} role="alert">
      <h2 className={styles.title}>Unexpected Application Error!</h2>
      <p className={styles.message}>{message}</p>
      <ButtonLink href={home}>Go home</ButtonLink>
    </div>
  )
}
