import styles from './RiskLine.module.css'

/** The risk warning, shown wherever money is put at risk. `brief` omits its second sentence. */
export function RiskLine({ brief = false }: { brief?: boolean }) {
  return (
    <p className={styles.risk}>
      You could lose all the money you invest.{' '}
      <span>{!brief && 'Past and simulated results say little about the future. '}</span>
      <a href="/risk-disclosure">Read the risks</a>
    </p>
  )
}
