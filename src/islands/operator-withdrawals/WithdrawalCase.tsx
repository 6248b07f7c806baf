import { getWithdrawal, type OperatorWithdrawal } from '../../contract/operator/withdrawals.ts'
import { LoadFailure } from '../../design/LoadFailure.tsx'
import { call } from '../lib/api.ts'
import { useResource } from '../lib/resource.ts'
import { Case, CaseFrame } from '../operator/Case.tsx'
import { CaseWaiting } from '../operator/CaseWaiting.tsx'
import { Decide } from '../operator/Decide.tsx'
import { Known } from '../operator/Known.tsx'
import { Outcome } from '../operator/Outcome.tsx'
import type { QueueCaseProps } from '../operator/QueueScreen.tsx'
import { useDecision } from '../operator/useDecision.ts'
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
