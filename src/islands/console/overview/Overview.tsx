import { getHealth, type OperatorHealth } from '../../../contract/console/health.ts'
import { getOverview, type OperatorOverview } from '../../../contract/console/overview.ts'
import { LoadFailure } from '../../../design/LoadFailure.tsx'
import { call } from '../../lib/api.ts'
import type { Fresh, Resource } from '../../lib/resource.ts'
import { OperatorScreen } from '../cases/OperatorScreen.tsx'
import { Alerts } from './Alerts.tsx'
import { Books } from './Books.tsx'
import { Ceilings } from './Ceilings.tsx'
import { Custody } from './Custody.tsx'
import { HowLongTable } from './HowLongTable.tsx'
import { Mail } from './Mail.tsx'
import { SignedIn } from './SignedIn.tsx'
import { SignIns } from './SignIns.tsx'
import { useEachMinute } from './useEachMinute.ts'
import { Waiting } from './Waiting.tsx'
import { Work } from './Work.tsx'

/** /operator: what needs somebody, what waits and since when, whether what is owed is covered, how the platform's own work goes. */
export function Overview() {
  return <OperatorScreen waiting={<View />}>{Loaded}</OperatorScreen>
}

type Asked<T> = Resource<Fresh<T>> & { reload: () => void }

// Asked apart, so that what fails in one leaves the other.
function Loaded() {
  const overview = useEachMinute('operator overview', () => call(getOverview))
  const health = useEachMinute('operator health', () => call(getHealth))
  return <View overview={overview} health={health} />
}

interface ViewProps {
  overview?: Asked<OperatorOverview>
  health?: Asked<OperatorHealth>
}

function View({ overview, health }: ViewProps) {
  return (
    <div className="stack">
      <Alerts overview={overview} health={health} onRetried={() => health?.reload()} />
      {overview?.state === 'failed' ? (
        <LoadFailure msg={overview.msg} onRetry={overview.reload} />
      ) : (
        <Standing overview={dataOf(overview)} />
      )}
      {health?.state === 'failed' ? (
        <LoadFailure msg={health.msg} onRetry={health.reload} />
      ) : (
        <OwnWork health={dataOf(health)} />
      )}
    </div>
  )
}

function Standing({ overview }: { overview: OperatorOverview | undefined }) {
  return (
    <>
      <Waiting overview={overview} />
      <HowLongTable times={overview?.decisionTimes} />
      <Ceilings ceilings={overview?.ceilings} />
      <Custody overview={overview} />
      <Books overview={overview} />
    </>
  )
}

function OwnWork({ health }: { health: OperatorHealth | undefined }) {
  return (
    <>
      <Mail mail={health?.mail} />
      <Work health={health} />
      <SignIns health={health} />
      <SignedIn operators={health?.operators} />
    </>
  )
}

function dataOf<T>(asked: Asked<T> | undefined): T | undefined {
  return asked?.state === 'ready' ? asked.data.data : undefined
}
