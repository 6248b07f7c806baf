import {
  getDeposit,
  getReceipt,
  type OperatorDeposit,
  rejectDeposit,
  revokeApproval,
} from '../../../contract/console/deposits.ts'
import { formatUsd } from '../../../contract/money.ts'
import { DateTime } from '../../../design/DateTime.tsx'
import { LoadFailure } from '../../../design/LoadFailure.tsx'
import { Money } from '../../../design/Money.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { call, callBlob } from '../../lib/api.ts'
import { useResource } from '../../lib/resource.ts'
import { Case, CaseFrame } from '../cases/Case.tsx'
import { CaseWaiting } from '../cases/CaseWaiting.tsx'
import { ConfirmOnly } from '../cases/ConfirmOnly.tsx'
import { Decide } from '../cases/Decide.tsx'
import type { DecisionProps } from '../cases/decision.ts'
import { Known } from '../cases/Known.tsx'
import { Outcome } from '../cases/Outcome.tsx'
import { Picture } from '../cases/Picture.tsx'
import type { QueueCaseProps } from '../cases/QueueScreen.tsx'
import { ReasonForm } from '../cases/ReasonForm.tsx'
import { useDecision } from '../cases/useDecision.ts'
import { useOperator } from '../cases/useOperator.ts'
import { ApproveDeposit } from './ApproveDeposit.tsx'
import { DepositFacts } from './DepositFacts.tsx'
import { outcomeOf } from './outcomeOf.ts'

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

/** Who approved first, and what: the second operator compares it with the receipt and the network. */
function FirstApproval({ first, isOwn }: FirstApprovalProps) {
  return (
    <Notice tone="caution" title="A second operator has to approve this">
      {isOwn ? 'You' : first.by} approved <Money value={first.amount} /> under <code>{first.reference}</code>{' '}
      on <DateTime at={first.at} />. It is credited once another operator approves the same amount under the
      same transaction id{first.hasQuantity && ', and gives the same quantity'}.
    </Notice>
  )
}

interface FirstApprovalProps {
  first: NonNullable<OperatorDeposit['firstApproval']>
  /** It was whoever looks at it. */
  isOwn: boolean
}

/** Takes one's own first approval back, so that it can be given anew, or not at all. */
function TakeBack(props: DecisionProps<OperatorDeposit>) {
  const { firstApproval, ref } = props.row
  return (
    <ConfirmOnly {...props} endpoint={revokeApproval} confirmLabel="Take it back">
      <p>
        Your approval of <strong>{formatUsd(firstApproval?.amount ?? 0)}</strong> for {ref} under{' '}
        <code>{firstApproval?.reference}</code> no longer counts. Nothing is credited, and it stays on the
        audit log. The next approval is a first one again, whoever gives it.
      </p>
    </ConfirmOnly>
  )
}
