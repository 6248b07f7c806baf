import { ErrorBoundary } from '../../design/ErrorBoundary.tsx'
import styles from './Market.module.css'
import { TopCoins } from './TopCoins.tsx'
import { TrendingCoins } from './TrendingCoins.tsx'

/** The market beside the investor's own figures. Whatever happens to it, they stay. */
export function Market() {
  return (
    <div className={styles.frame}>
      <div className={styles.market}>
        <ErrorBoundary home="/dashboard/overview">
          <TrendingCoins />
        </ErrorBoundary>
        <ErrorBoundary home="/dashboard/overview">
          <TopCoins />
        </ErrorBoundary>
      </div>
    </div>
  )
}
