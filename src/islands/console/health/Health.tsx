import type { ReactNode } from 'react'
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

/** /operator/health: the alerts, or one line while all is well, then the queues, then all figures. */
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
      <Alerts overview={overview} health={health} onRetried={() => health?.reload()} />
      {overview?.state === 'failed' && <LoadFailure msg={overview.msg} onRetry={overview.reload} />}
      {health?.state === 'failed' && <LoadFailure msg={health.msg} onRetry={health.reload} />}
      {overview?.state !== 'failed' && <Queues overview={figures} />}
      {overview?.state !== 'failed' && (
        <Section title="Custody, liabilities and the ledger">
          <Books overview={figures} />
        </Section>
      )}
      {overview?.state !== 'failed' && (
        <Section title="How long decisions take">
          <DecisionTimesTable times={figures?.decisionTimes} />
        </Section>
      )}
      {health?.state !== 'failed' && (
        <Section title="Mail, cron, self-checks, prices and sign-ins">
          <Platform health={getData(health)?.data} />
        </Section>
      )}
    </div>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <details className={styles.section} open>
      <summary>{title}</summary>
      <div className="stack">{children}</div>
    </details>
  )
}
