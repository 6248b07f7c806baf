import styles from './Progress.module.css'

export interface ProgressProps {
  /** From 0 to 1. */
  progress: number
  /** What is being done: "Unlocking". */
  what: string
  /** What is said under the bar; the share in per cent unless given. */
  words?: string
}

/** How far something is that takes a while. */
export function Progress({ progress, what, words }: ProgressProps) {
  return (
    <div className={styles.working}>
      <progress className={styles.progress} value={progress} max={1} aria-label={what} />
      <span className={styles.share}>{words ?? `${what}, ${Math.round(progress * 100)}%`}</span>
    </div>
  )
}
