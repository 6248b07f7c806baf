import { listAllocations } from '../../../contract/investing/allocations.ts'
import { listStrategies } from '../../../contract/investing/strategies.ts'
import { withErrorBoundary } from '../../../design/ErrorBoundary.tsx'
import { LoadFailure } from '../../../design/Notice.tsx'
import { PageHeading } from '../../../design/PageHeading.tsx'
import { Panel } from '../../../design/Panel.tsx'
import { call } from '../../lib/api.ts'
import { useResource } from '../../lib/resource.ts'
import { popSearchParams, setSearchParams, useSearchParams } from '../../lib/url.ts'
import { OneStrategy } from './OneStrategy.tsx'
import styles from './Strategies.module.css'
import { StrategyTable } from './StrategyTable.tsx'

export const Strategies = withErrorBoundary(Screen, '/dashboard/overview')

function Screen() {
  const words = useSearchParams()
  const all = useResource('strategies', async () => {
    const [strategies, positions] = await Promise.all([call(listStrategies), call(listAllocations)])
    return { strategies, positions }
  })
  const slug = words?.get('strategy') ?? null
  const ready = all.state === 'ready' ? all.data : null
  const opened = ready?.strategies.find((strategy) => strategy.slug === slug)
  if (opened) {
    const position = ready?.positions.find(({ strategy }) => strategy === opened.slug) ?? null
    return (
      <OneStrategy
        key={opened.slug}
        strategy={opened}
        position={position}
        onBack={() => popSearchParams({ strategy: null })}
        onChanged={all.reload}
      />
    )
  }
  const heading = (
    <PageHeading
      title="Strategies"
      lead={
        <p>
          Written rules. Invest and redeem on any day, or with <a href="/dashboard/plans">recurring plans</a>.
        </p>
      }
    />
  )
  if (all.state === 'failed')
    return (
      <div className={styles.screen}>
        {heading}
        <LoadFailure msg={all.msg} onRetry={all.reload} />
      </div>
    )
  return (
    <div className={styles.screen}>
      {heading}
      <Panel>
        <StrategyTable
          data={ready ? { state: 'ready', rows: ready.strategies } : { state: 'loading' }}
          positions={ready?.positions ?? []}
          onOpen={({ slug: chosen }) => open(chosen)}
        />
      </Panel>
    </div>
  )
}

function open(slug: string): void {
  setSearchParams({ strategy: slug }, 'push')
  // The screen of the strategy starts at its top, however far down the list its row was.
  scrollTo({ top: 0, behavior: 'instant' })
}
