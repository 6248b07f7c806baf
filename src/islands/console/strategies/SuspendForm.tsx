import { type OperatorStrategy, suspendStrategy } from '../../../contract/console/strategies.ts'
import { TextArea } from '../../../design/TextArea.tsx'
import { ConfirmedForm } from '../cases/ConfirmedForm.tsx'
import { isOvertaken } from '../cases/decision.ts'
import { useConfirmedForm } from '../cases/useConfirmedForm.ts'
import { SUSPENDING } from './words.ts'

interface SuspendFormProps {
  strategy: OperatorStrategy
  onSuspended: (strategy: OperatorStrategy) => void
  onOvertaken: (msg: string) => void
  onCancel: () => void
}

/** Suspends a strategy, with the reason that its investors read. */
export function SuspendForm({ strategy, onSuspended, onOvertaken, onCancel }: SuspendFormProps) {
  const form = useConfirmedForm({
    endpoint: suspendStrategy,
    params: { id: strategy._id },
    onDone: onSuspended,
    onFailure: (failure) => {
      if (isOvertaken(failure)) onOvertaken(failure.msg)
    },
  })
  return (
    <ConfirmedForm
      form={form}
      reviewLabel="Review"
      confirmLabel={() => `Suspend ${strategy.name}`}
      variant="danger"
      onCancel={onCancel}
      summary={({ reason }) => (
        <>
          <p>
            <strong>{strategy.name}</strong> is suspended at once. {SUSPENDING}
          </p>
          <p>Resuming it takes another operator.</p>
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
        hint="Its investors read it in a mail, and everybody on the page of the strategy."
        {...form.field('reason')}
      />
    </ConfirmedForm>
  )
}
