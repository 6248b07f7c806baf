import styles from './Settings.module.css'

/** A list of reasons to be read. */
export function Reasons({ reasons }: { reasons: readonly string[] }) {
  if (reasons.length === 0) return <p className="soft">None: a reason is written each time.</p>
  return (
    <ol className={styles.reasons}>
      {reasons.map((reason) => (
        <li key={reason}>{reason}</li>
      ))}
    </ol>
  )
}
