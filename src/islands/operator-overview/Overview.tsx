import { getOverview, type OperatorOverview } from '../../contract/operator/overview.ts'
import { LoadFailure } from '../../design/LoadFailure.tsx'
import { call } from '../lib/api.ts'
import { useResource } from '../lib/resource.ts'
import { OperatorScreen } from '../operator/OperatorScreen.tsx'
import { Books } from './Books.tsx'
import { Custody } from './Custody.tsx'
import { Waiting } from './Waiting.tsx'

/** /operator: what waits and since when, whether what is owed is covered, whether the books balance. */
export function Overview() {
  return <OperatorScreen waiting={<View overview={undefined} />}>{Loaded}</OperatorScreen>
}

function Loaded() {
  const overview = useResource('operator overview', () => call(getOverview))
  if (overview.state === 'failed') return <LoadFailure msg={overview.msg} onRetry={overview.reload} />
  return <View overview={overview.state === 'ready' ? overview.data : undefined} />
}

function View({ overview }: { overview: OperatorOverview | undefined }) {
  return (
    <div className="stack">
      <Waiting waiting={overview?.waiting} />
      <Custody overview={overview} />
      <Books trialBalance={overview?.trialBalance} />
    </div>
  )
}
