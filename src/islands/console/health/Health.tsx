import { getHealth, type OperatorHealth } from '../../../contract/console/health.ts'
import { getOverview, type OperatorOverview } from '../../../contract/console/overview.ts'
import { LoadFailure } from '../../../design/Notice.tsx'
import { call } from '../../lib/api.ts'
import { type Fresh, getData, type Resource } from '../../lib/resource.ts'
import { OperatorScreen } from '../cases/OperatorScreen.tsx'
import { Alerts } from './Alerts.tsx'
import { Books } from './Books.tsx'
import { DecisionTimesTable } from './DecisionTimes.tsx'
import styles from './Health.module.css'
import { Platform } from './Platform.tsx'
import { Queues } from './Queues.tsx'
import { useEachMinute } from './useEachMinute.ts'

/** /operator/health: the queues, then the alerts, or one line while all is well, then all figures, folded where they are in order. */
export function Health() {
  return (
    <OperatorScreen scope="operator:health.read" waiting={<View />}>
      {LoadedHealth}
    </OperatorScreen>
  )
}

type ReloadableResource<T> = Resource<Fresh<T>> & { reload: () => void }

// Two calls, so that one can fail without the other.
function LoadedHealth() {
  const overview = useEachMinute('operator overview', () => call(getOverview))
  const health = useEachMinute('operator health', () => call(getHealth))
  return <View overview={overview} health={health} />
}

function View({
  overview,
  health,
}: {
  overview?: ReloadableResource<OperatorOverview>
  health?: ReloadableResource<OperatorHealth>
}) {
  const figures = getData(overview)?.data
  return (
    <div className="stack">
      {overview?.state === 'failed' ? (
        <LoadFailure msg={overview.msg} onRetry={overview.reload} />
      ) : (
        <Queues overview={figures} />
      )}
      <Alerts overview={overview} health={health} onRetried={() => health?.reload()} />
      {health?.state === 'failed' && <LoadFailure msg={health.msg} onRetry={health.reload} />}
      <div className={styles.parts}>
        {overview?.state !== 'failed' && <Books overview={figures} />}
        {health?.state !== 'failed' && <Platform health={getData(health)?.data} />}
        {overview?.state !== 'failed' && <DecisionTimesTable times={figures?.decisionTimes} />}
      </div>
    </div>
  )
}
