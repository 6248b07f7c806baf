import styles from './Working.module.css'

export interface WorkingProps {
  /** From 0 to 1. */
  progress: number
  /** What is being done: "Unlocking". */
  what: string
}

/** How far something is that takes a while. */
export function Working({ progress, what }: WorkingProps) {
  return (
    <div className={styles.working}>
      <progress className={styles.progress} value={progress} max={1} aria-label={what} />
      <span className={styles.share}>
        {what}, {Math.round(progress * 100)}%
      </span>
    </div>
  )
}
