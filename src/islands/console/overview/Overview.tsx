import { useEffect } from 'react'
import { getHealth, type OperatorHealth } from '../../../contract/console/health.ts'
import { getOverview, type OperatorOverview } from '../../../contract/console/overview.ts'
import { LoadFailure } from '../../../design/Notice.tsx'
import { call } from '../../lib/api.ts'
import { dataOf, type Fresh, type Resource, useFresh } from '../../lib/resource.ts'
import { OperatorScreen } from '../cases/OperatorScreen.tsx'
import { Alerts } from './Alerts.tsx'
import { Books } from './Books.tsx'
import { Platform } from './Platform.tsx'
import { DecisionTimesTable, Queues } from './Queues.tsx'

/** /operator: alerts, queues, books, and the health of the platform. */
export function Overview() {
  return <OperatorScreen waiting={<View />}>{LoadedOverview}</OperatorScreen>
}

type Loaded<T> = Resource<Fresh<T>> & { reload: () => void }

// Two calls, so that one can fail without the other.
function LoadedOverview() {
  const overview = useEachMinute('operator overview', () => call(getOverview))
  const health = useEachMinute('operator health', () => call(getHealth))
  return <View overview={overview} health={health} />
}

function View({
  overview,
  health,
}: {
  overview?: Loaded<OperatorOverview>
  health?: Loaded<OperatorHealth>
}) {
  const figures = dataOf(overview)?.data
  return (
    <div className="stack">
      <Alerts overview={overview} health={health} onRetried={() => health?.reload()} />
      {overview?.state === 'failed' ? (
        <LoadFailure msg={overview.msg} onRetry={overview.reload} />
      ) : (
        <>
          <Queues overview={figures} />
          <DecisionTimesTable times={figures?.decisionTimes} />
          <Books overview={figures} />
        </>
      )}
      {health?.state === 'failed' ? (
        <LoadFailure msg={health.msg} onRetry={health.reload} />
      ) : (
        <Platform health={dataOf(health)?.data} />
      )}
    </div>
  )
}

const EVERY_MS = 60_000
/** After this time without input, the operator counts as away. */
const AWAY_MS = 10 * 60_000
const INPUT_EVENTS = ['pointermove', 'pointerdown', 'keydown', 'wheel', 'touchstart'] as const

/**
 * Like `useFresh`, and reloads each minute while the operator is present: an unattended screen must not keep the session
 * alive. Reloads at once when the operator returns.
 */
function useEachMinute<T>(key: string, load: () => Promise<T>) {
  const resource = useFresh(key, load)
  const { reload } = resource
  useEffect(() => {
    let loadedAtMs = Date.now()
    let inputAtMs = Date.now()
    const loadAgain = () => {
      loadedAtMs = Date.now()
      reload()
    }
    const onInput = () => {
      const wasAway = Date.now() - inputAtMs >= AWAY_MS
      inputAtMs = Date.now()
      if (wasAway) loadAgain()
    }
    const timer = setInterval(() => {
      const isPresent = !document.hidden && Date.now() - inputAtMs < AWAY_MS
      if (isPresent && Date.now() - loadedAtMs >= EVERY_MS) loadAgain()
    }, 5_000)
    for (const name of INPUT_EVENTS) addEventListener(name, onInput, { passive: true })
    return () => {
      clearInterval(timer)
      for (const name of INPUT_EVENTS) removeEventListener(name, onInput)
    }
  }, [reload])
  return resource
}
