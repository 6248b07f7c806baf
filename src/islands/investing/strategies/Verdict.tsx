import type { Strategy } from '../../../contract/investing/strategies.ts'
import styles from './Strategies.module.css'

/** What our checks say of the test, and when it hit its drawdown limit in it. */
export function Verdict({ strategy: { backtest } }: { strategy: Pick<Strategy, 'backtest'> }) {
  if (backtest === null) return 'Not tested'
  const { verdict, stoppedOn } = backtest
  return (
    <span>
      {verdict.label}.
      {stoppedOn !== null && (
        <span>
          {' '}
          Hit its drawdown limit on <time className={styles.day}>{stoppedOn}</time>.
        </span>
      )}
    </span>
  )
}
