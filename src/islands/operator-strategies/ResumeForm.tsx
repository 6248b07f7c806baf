import { propose, strategyProposal } from '../../contract/operator/proposals.ts'
import type { OperatorStrategy } from '../../contract/operator/strategies.ts'
import { TextArea } from '../../design/TextArea.tsx'
import { ConfirmedForm } from '../operator/ConfirmedForm.tsx'
import { isOvertaken } from '../operator/decision.ts'
import { useConfirmedForm } from '../operator/useConfirmedForm.ts'
import { RESUMING } from './words.ts'

interface ResumeFormProps {
  strategy: OperatorStrategy
  onProposed: () => void
  onOvertaken: (msg: string) => void
  onCancel: () => void
}

/** Proposes to resume a suspended strategy. */
export function ResumeForm({ strategy, onProposed, onOvertaken, onCancel }: ResumeFormProps) {
  const form = useConfirmedForm({
    endpoint: propose,
    schema: strategyProposal,
    defaultValues: { kind: 'strategy', strategy: strategy._id },
    onDone: onProposed,
    onFailure: (failure) => {
      if (isOvertaken(failure)) onOvertaken(failure.msg)
    },
  })
  return (
    <ConfirmedForm
      form={form}
      reviewLabel="Review"
      confirmLabel={() => `Propose to resume ${strategy.name}`}
      onCancel={onCancel}
      summary={({ reason }) => (
        <>
          <p>
            <strong>{strategy.name}</strong> would be resumed. {RESUMING}
          </p>
          <p>
            <span className="soft">Reason: </span>
            {reason.trim()}
          </p>
        </>
      )}
    >
      <TextArea
        label="Reason"
        rows={3}
        maxLength={500}
        hint="Why what it was suspended for is over. Operators read it."
        {...form.field('reason')}
      />
    </ConfirmedForm>
  )
}
