import { propose, type StrategyAction, strategyProposal } from '../../../contract/console/proposals.ts'
import type { OperatorStrategy } from '../../../contract/console/strategies.ts'
import { TextArea } from '../../../design/TextArea.tsx'
import { ConfirmedForm } from '../cases/ConfirmedForm.tsx'
import { isOvertaken } from '../cases/decision.ts'
import { withFactor } from '../cases/factor.ts'
import { useConfirmedForm } from '../cases/useConfirmedForm.ts'
import { RESUMING, STOPPING } from './words.ts'

interface ProposeFormProps {
  strategy: OperatorStrategy
  action: StrategyAction
  onProposed: () => void
  onOvertaken: (msg: string) => void
  onCancel: () => void
}

/** Proposes to resume a suspended strategy, or to stop it for good. */
export function ProposeForm({ strategy, action, onProposed, onOvertaken, onCancel }: ProposeFormProps) {
  const isStopping = action === 'stop'
  const form = useConfirmedForm({
    endpoint: propose,
    schema: strategyProposal,
    defaultValues: { kind: 'strategy', strategy: strategy._id, action },
    send: withFactor(propose, action === 'stop' ? `Stopping ${strategy.name}` : `Resuming ${strategy.name}`),
    onDone: onProposed,
    onFailure: (failure) => {
      if (isOvertaken(failure)) onOvertaken(failure.msg)
    },
  })
  return (
    <ConfirmedForm
      form={form}
      reviewLabel="Review"
      confirmLabel={() => `Propose to ${action} ${strategy.name}`}
      variant={isStopping ? 'danger' : 'primary'}
      onCancel={onCancel}
      summary={({ reason }) => (
        <>
          <p>
            <strong>{strategy.name}</strong> would be {isStopping ? 'stopped for good' : 'resumed'}.{' '}
            {isStopping ? STOPPING : RESUMING}
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
        hint={
          isStopping
            ? 'Operators read it, and everybody on the page of the strategy once it is stopped.'
            : 'Why what it was suspended for is over. Operators read it.'
        }
        {...form.field('reason')}
      />
    </ConfirmedForm>
  )
}
