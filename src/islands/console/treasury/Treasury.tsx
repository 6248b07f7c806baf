import { getTreasury } from '../../../contract/console/treasury.ts'
import { LoadFailure } from '../../../design/Notice.tsx'
import { Skeleton } from '../../../design/Skeleton.tsx'
import { call } from '../../lib/api.ts'
import { useResource } from '../../lib/resource.ts'
import { OperatorScreen } from '../cases/OperatorScreen.tsx'
import { PauseSwitch } from './PauseSwitch.tsx'

/** /operator/treasury: the company's places of money, and the switch that pauses payouts. */
export function Treasury() {
  return (
    <OperatorScreen scope="operator:treasury.read" waiting={<Waiting />}>
      {TreasuryScreen}
    </OperatorScreen>
  )
}

function TreasuryScreen() {
  const treasury = useResource('operator treasury', () => call(getTreasury))
  if (treasury.state === 'failed') return <LoadFailure msg={treasury.msg} onRetry={treasury.reload} />
  if (treasury.state === 'loading') return <Waiting />
  return <PauseSwitch pause={treasury.data.pause} onChanged={treasury.reload} />
}

function Waiting() {
  return <Skeleton width="full" height="block" />
}
