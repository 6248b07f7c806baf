import styles from './Progress.module.css'

export interface ProgressProps {
  /** From 0 to 1. */
  progress: number
  /** The action: "Unlocking". */
  what: string
  /** Text under the bar; by default the percentage. */
  words?: string
}

/** A progress bar. */
export function Progress({ progress, what, words }: ProgressProps) {
  return (
    <div className={styles.working}>
      <progress className={styles.progress} value={progress} max={1} aria-label={what} />
      <span className={styles.share}>{words ?? `${what}, ${Math.round(progress * 100)}%`}</span>
    </div>
  )
}
