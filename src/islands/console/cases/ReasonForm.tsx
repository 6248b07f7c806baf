import type { ReactNode } from 'react'
import { TextArea } from '../../../design/TextArea.tsx'
import { ConfirmedForm } from './ConfirmedForm.tsx'
import { type DecisionProps, isOvertaken, type ReasonEndpoint } from './decision.ts'
import { ReasonPick, type ReasonPickProps } from './ReasonPick.tsx'
import { useConfirmedForm } from './useConfirmedForm.ts'

export interface ReasonFormProps<Row extends { _id: string }> extends DecisionProps<Row> {
  endpoint: ReasonEndpoint<Row>
  /** Under the field: who reads it, what it should say. */
  hint: string
  /** Whose reasons of this kind can be picked and then edited. */
  settings: ReasonPickProps['settings']
  kind: ReasonPickProps['kind']
  /** What happens once it is confirmed. */
  consequence: ReactNode
  confirmLabel: string
}

/** A decision that needs a reason: picked from the settings' list or written, repeated, and then sent. */
export function ReasonForm<Row extends { _id: string }>(props: ReasonFormProps<Row>) {
  const { row, endpoint, settings, hint, onDecided, onOvertaken, onCancel } = props
  const form = useConfirmedForm({
    endpoint,
    params: { id: row._id },
    onDone: onDecided,
    onFailure: (failure) => {
      if (isOvertaken(failure)) onOvertaken(failure.msg)
    },
  })
  return (
    <ConfirmedForm
      form={form}
      reviewLabel="Review"
      confirmLabel={() => props.confirmLabel}
      variant="danger"
      summary={({ reason }) => (
        <>
          <div>{props.consequence}</div>
          <p>
            <span className="soft">Reason: </span>
            {reason.trim()}
          </p>
        </>
      )}
      onCancel={onCancel}
    >
      <ReasonPick
        settings={settings}
        kind={props.kind}
        onPick={(reason) => form.form.setValue('reason', reason)}
      />
      <TextArea label="Reason" rows={3} maxLength={500} hint={hint} {...form.field('reason')} />
    </ConfirmedForm>
  )
}
