import { listStrategies } from '../../../contract/investing/strategies.ts'
import { ErrorBoundary } from '../../../design/ErrorBoundary.tsx'
import { call } from '../../lib/api.ts'
import { useResource } from '../../lib/resource.ts'
import { StrategyTable } from './StrategyTable.tsx'
import { worstFirst } from './words.ts'

/** The strategies, each leading to the page on which one allocates. */
export function StrategyList() {
  return (
    <ErrorBoundary home="/dashboard/overview">
      <List />
    </ErrorBoundary>
  )
}

function List() {
  const all = useResource('strategies', () => call(listStrategies))
  return (
    <StrategyTable
      data={all.state === 'ready' ? { state: 'ready', rows: worstFirst(all.data) } : all}
      onRetry={all.reload}
      hrefOf={({ slug }) => `/dashboard/strategies?strategy=${slug}`}
    />
  )
}
