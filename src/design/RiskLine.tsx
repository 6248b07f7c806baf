import styles from './RiskLine.module.css'

/** The warning that stands where money is put at risk, for screens that are drawn in the browser: `RiskWarning.astro` says the same. */
export function RiskLine() {
  return (
    <p className={styles.risk}>
      You could lose all the money you invest. Past and simulated results say little about the future.{' '}
      <a href="/risk-disclosure">Read the risks</a>
    </p>
  )
}
