import { ErrorBoundary } from '../../design/ErrorBoundary.tsx'
import { TopCoins } from './TopCoins.tsx'
import { TrendingCoins } from './TrendingCoins.tsx'

/** Both lists, each with its own error boundary, so that a crash does not hide the investor's figures. */
export function MarketLists() {
  return (
    <>
      <ErrorBoundary home="/dashboard/overview">
        <TrendingCoins />
      </ErrorBoundary>
      <ErrorBoundary home="/dashboard/overview">
        <TopCoins />
      </ErrorBoundary>
    </>
  )
}
