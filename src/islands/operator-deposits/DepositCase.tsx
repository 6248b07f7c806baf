import {
  getDeposit,
  getReceipt,
  type OperatorDeposit,
  rejectDeposit,
} from '../../contract/operator/deposits.ts'
import { LoadFailure } from '../../design/LoadFailure.tsx'
import { call, callBlob } from '../lib/api.ts'
import { useResource } from '../lib/resource.ts'
import { Case, CaseFrame } from '../operator/Case.tsx'
import { CaseWaiting } from '../operator/CaseWaiting.tsx'
import { Decide } from '../operator/Decide.tsx'
import { Known } from '../operator/Known.tsx'
import { Outcome } from '../operator/Outcome.tsx'
import { Picture } from '../operator/Picture.tsx'
import type { QueueCaseProps } from '../operator/QueueScreen.tsx'
import { ReasonForm } from '../operator/ReasonForm.tsx'
import { useDecision } from '../operator/useDecision.ts'
import { useOperator } from '../operator/useOperator.ts'
import { ApproveDeposit } from './ApproveDeposit.tsx'
import { DepositFacts } from './DepositFacts.tsx'
import { FirstApproval } from './FirstApproval.tsx'
import { outcomeOf } from './outcomeOf.ts'
import { TakeBack } from './TakeBack.tsx'

/** One deposit: the facts beside the receipt, and what to decide about it. */
export function DepositCase({
  id,
  listed,
  settings,
  onDecided,
  onClose,
  onNext,
}: QueueCaseProps<OperatorDeposit>) {
  const { me } = useOperator()
  const load = () => call(getDeposit, { params: { id } })
  const loaded = useResource(`deposit ${id}`, load)
  const { row, outcome, props } = useDecision({
    current: loaded.state === 'ready' ? loaded.data : listed,
    outcomeOf,
    deciderOf: ({ decidedBy }) => decidedBy,
    onDecided,
    refresh: load,
    look: load,
  })
  if (loaded.state === 'failed') return <LoadFailure msg={loaded.msg} onRetry={loaded.reload} />
  if (row === undefined) return <CaseWaiting what="deposit" />
  const isOwn = row.firstApproval !== undefined && row.firstApproval.byId === me?._id
  return (
    <CaseFrame>
      {outcome !== null && <Outcome outcome={outcome} onClose={onClose} onNext={onNext} />}
      <Case
        facts={<DepositFacts deposit={row} />}
        picture={
          <Picture
            name={`receipt ${id}`}
            load={() => callBlob(getReceipt, { params: { id } })}
            alt={`Receipt of deposit ${row.ref}`}
          />
        }
        timeline={row.timeline}
      />
      <Known id={row.investor._id} />
      {outcome === null && row.firstApproval && <FirstApproval first={row.firstApproval} isOwn={isOwn} />}
      {outcome === null && loaded.state === 'ready' && row.status === 'pending' && (
        <Decide
          choices={[
            {
              label: 'Credit it',
              intent: 'approve',
              scope: 'operator:deposits.decide',
              variant: 'primary',
              closed: isOwn ? 'You approved it first: crediting it is another operator’s.' : undefined,
              panel: (onCancel) => (
                <ApproveDeposit {...props} row={row} settings={settings} onCancel={onCancel} />
              ),
            },
            ...(isOwn
              ? [
                  {
                    label: 'Take your approval back',
                    scope: 'operator:deposits.decide' as const,
                    panel: (onCancel: () => void) => <TakeBack {...props} row={row} onCancel={onCancel} />,
                  },
                ]
              : []),
            {
              label: 'Reject it',
              intent: 'reject',
              scope: 'operator:deposits.decide',
              panel: (onCancel) => (
                <ReasonForm
                  {...props}
                  row={row}
                  settings={settings}
                  onCancel={onCancel}
                  kind="depositRejection"
                  endpoint={rejectDeposit}
                  hint="The investor reads it: say what was wrong, and what to do next."
                  consequence={`${row.ref} of ${row.investor.name} is rejected. Nothing is credited.`}
                  confirmLabel="Reject the deposit"
                />
              ),
            },
          ]}
        />
      )}
    </CaseFrame>
  )
}
