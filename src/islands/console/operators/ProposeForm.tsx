import type { ReactNode } from 'react'
import type * as z from 'zod/mini'
import type { enableOperator, OperatorRow } from '../../../contract/console/operators.ts'
import type { Proposal } from '../../../contract/console/proposals.ts'
import type { Endpoint } from '../../../contract/endpoint.ts'
import { TextArea } from '../../../design/TextArea.tsx'
import { ConfirmedForm } from '../cases/ConfirmedForm.tsx'
import { isOvertaken } from '../cases/decision.ts'
import { withFactor } from '../cases/factor.ts'
import { useConfirmedForm } from '../cases/useConfirmedForm.ts'
import { TakesTwo } from './TakesTwo.tsx'

/** What every form that proposes something about an operator gets. */
export interface ProposalProps {
  operator: OperatorRow
  othersCanDecide: boolean
  onProposed: (proposal: Proposal) => void
  onOvertaken: (msg: string) => void
  onCancel: () => void
}

interface ProposeFormProps extends ProposalProps {
  /** An endpoint that takes a reason, and answers the proposal. */
  endpoint: Endpoint<NonNullable<(typeof enableOperator)['body']>, z.ZodMiniType<undefined>, Proposal>
  /** What would happen. */
  consequence: ReactNode
  confirmLabel: string
}

/** Proposes a change about an operator, with a reason. */
export function ProposeForm(props: ProposeFormProps) {
  const { operator, endpoint, consequence, confirmLabel, othersCanDecide, onCancel } = props
  const form = useConfirmedForm({
    endpoint,
    params: { id: operator._id },
    send: withFactor(endpoint, `A change of ${operator.name}’s access`),
    onDone: props.onProposed,
    onFailure: (failure) => {
      if (isOvertaken(failure)) props.onOvertaken(failure.msg)
    },
  })
  return (
    <ConfirmedForm
      form={form}
      reviewLabel="Review"
      confirmLabel={() => confirmLabel}
      onCancel={onCancel}
      summary={({ reason }) => (
        <>
          <p>{consequence}</p>
          <p>
            <span className="soft">Reason: </span>
            {reason.trim()}
          </p>
          <TakesTwo othersCanDecide={othersCanDecide} />
        </>
      )}
    >
      <TextArea label="Reason" rows={3} maxLength={500} hint="Operators read it." {...form.field('reason')} />
      <TakesTwo othersCanDecide={othersCanDecide} />
    </ConfirmedForm>
  )
}
