import styles from './Chart.module.css'
import { type ChartCourse, underOf } from './chartCourse.ts'
import { classes } from './classes.ts'

/** What each line is, and whose library drew them: its licence asks for the link. */
export function ChartLegend({ course }: { course: ChartCourse }) {
  const { label, beside = [], heldOutFrom } = course
  return (
    <figcaption className={styles.legend}>
      <span className={classes(styles.key, styles.worth)}>{label}</span>
      {beside.map((line, index) => (
        <span key={line.label} className={classes(styles.key, index > 0 && styles.dashed)}>
          {line.label}
        </span>
      ))}
      <span className={classes(styles.key, 'gains' in course ? styles.gains : styles.falls)}>
        {underOf(course).legend}
      </span>
      {heldOutFrom !== undefined && (
        <span className={classes(styles.key, styles.heldOut)}>Not used for choosing</span>
      )}
      <a href="https://www.tradingview.com/" rel="noopener noreferrer">
        Charts by TradingView
      </a>
    </figcaption>
  )
}
