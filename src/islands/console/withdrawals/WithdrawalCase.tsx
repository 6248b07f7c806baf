import { getWithdrawal, type OperatorWithdrawal } from '../../../contract/console/withdrawals.ts'
import { LoadFailure } from '../../../design/LoadFailure.tsx'
import { call } from '../../lib/api.ts'
import { useResource } from '../../lib/resource.ts'
import { Case, CaseFrame } from '../cases/Case.tsx'
import { CaseWaiting } from '../cases/CaseWaiting.tsx'
import { Decide } from '../cases/Decide.tsx'
import { Known } from '../cases/Known.tsx'
import { Outcome } from '../cases/Outcome.tsx'
import type { QueueCaseProps } from '../cases/QueueScreen.tsx'
import { useDecision } from '../cases/useDecision.ts'
import { choicesOf } from './choicesOf.tsx'
import { Destination } from './Destination.tsx'
import { outcomeOf } from './outcomeOf.ts'
import { Signals } from './Signals.tsx'
import { WithdrawalFacts } from './WithdrawalFacts.tsx'

/** One withdrawal: who asked, where the money goes, what was proven, and what to decide about it. */
export function WithdrawalCase({
  id,
  listed,
  settings,
  onDecided,
  onClose,
  onNext,
}: QueueCaseProps<OperatorWithdrawal>) {
  const load = () => call(getWithdrawal, { params: { id } })
  const loaded = useResource(`withdrawal ${id}`, load)
  const { row, outcome, props } = useDecision({
    current: loaded.state === 'ready' ? loaded.data : listed,
    outcomeOf,
    deciderOf: ({ completedBy, approvedBy }) => completedBy ?? approvedBy,
    onDecided,
    refresh: load,
    look: load,
  })
  if (loaded.state === 'failed') return <LoadFailure msg={loaded.msg} onRetry={loaded.reload} />
  if (row === undefined) return <CaseWaiting what="withdrawal" />
  const choices = choicesOf(row, settings, props)
  return (
    <CaseFrame>
      {outcome !== null && <Outcome outcome={outcome} onClose={onClose} onNext={onNext} />}
      <Case
        facts={<WithdrawalFacts withdrawal={row} />}
        picture={
          <div className="stack">
            <Destination withdrawal={row} />
            <Signals withdrawal={row} />
          </div>
        }
        timeline={row.timeline}
      />
      <Known id={row.investor._id} />
      {outcome === null && loaded.state === 'ready' && choices.length > 0 && <Decide choices={choices} />}
    </CaseFrame>
  )
}
