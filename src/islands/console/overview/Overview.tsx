import { useEffect } from 'react'
import { getHealth, type OperatorHealth } from '../../../contract/console/health.ts'
import { getOverview, type OperatorOverview } from '../../../contract/console/overview.ts'
import { LoadFailure } from '../../../design/Notice.tsx'
import { call } from '../../lib/api.ts'
import type { Resource } from '../../lib/resource.ts'
import { type Fresh, useFresh } from '../../lib/resource.ts'
import { OperatorScreen } from '../cases/OperatorScreen.tsx'
import { Alerts } from './Alerts.tsx'
import { Books } from './Books.tsx'
import { Platform } from './Platform.tsx'
import { DecisionTimesTable, Queues } from './Queues.tsx'

/** /operator: what needs an operator, the queues, the books, and how the platform itself works. */
export function Overview() {
  return <OperatorScreen waiting={<View />}>{LoadedOverview}</OperatorScreen>
}

type Loaded<T> = Resource<Fresh<T>> & { reload: () => void }

// Two calls, so that a failure of one leaves the other.
function LoadedOverview() {
  const overview = useEachMinute('operator overview', () => call(getOverview))
  const health = useEachMinute('operator health', () => call(getHealth))
  return <View overview={overview} health={health} />
}

interface ViewProps {
  overview?: Loaded<OperatorOverview>
  health?: Loaded<OperatorHealth>
}

function View({ overview, health }: ViewProps) {
  const figures = dataOf(overview)
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
        <Platform health={dataOf(health)} />
      )}
    </div>
  )
}

function dataOf<T>(loaded: Loaded<T> | undefined): T | undefined {
  return loaded?.state === 'ready' ? loaded.data.data : undefined
}

const EVERY_MS = 60_000
/** After this long without input the operator counts as away. */
const AWAY_MS = 10 * 60_000
const SIGNS = ['pointermove', 'pointerdown', 'keydown', 'wheel', 'touchstart'] as const

/**
 * As `useFresh`, and reloaded each minute while somebody is there: an unattended screen loads nothing and keeps no session
 * alive. Somebody who returns gets new figures at once.
 */
function useEachMinute<T>(key: string, load: () => Promise<T>) {
  const resource = useFresh(key, load)
  const { reload } = resource
  useEffect(() => {
    let askedAtMs = Date.now()
    let seenAtMs = Date.now()
    const askAgain = () => {
      askedAtMs = Date.now()
      reload()
    }
    const seen = () => {
      const wasAway = Date.now() - seenAtMs >= AWAY_MS
      seenAtMs = Date.now()
      if (wasAway) askAgain()
    }
    const timer = setInterval(() => {
      const isThere = !document.hidden && Date.now() - seenAtMs < AWAY_MS
      if (isThere && Date.now() - askedAtMs >= EVERY_MS) askAgain()
    }, 5_000)
    for (const sign of SIGNS) addEventListener(sign, seen, { passive: true })
    return () => {
      clearInterval(timer)
      for (const sign of SIGNS) removeEventListener(sign, seen)
    }
  }, [reload])
  return resource
}
