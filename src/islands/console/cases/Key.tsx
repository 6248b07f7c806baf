import styles from './Key.module.css'

/** A key of the keyboard. */
export function Key({ children }: { children: string }) {
  return <kbd className={styles.key}>{children}</kbd>
}

/** Says on a button which key presses it too; for the eye, as `aria-keyshortcuts` is for screen readers. Not where there is no keyboard. */
export function KeyHint({ of }: { of: string }) {
  return (
    <span aria-hidden="true" className={styles.hint}>
      <Key>{of}</Key>
    </span>
  )
}
