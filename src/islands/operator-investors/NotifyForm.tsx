import { notifyInvestor, type OperatorInvestor } from '../../contract/operator/investors.ts'
import { Button } from '../../design/Button.tsx'
import { CheckboxField } from '../../design/CheckboxField.tsx'
import { Form } from '../../design/Form.tsx'
import { TextArea } from '../../design/TextArea.tsx'
import { TextField } from '../../design/TextField.tsx'
import { useEndpointForm } from '../lib/endpointForm.ts'
import { type DecisionProps, isOvertaken } from '../operator/decision.ts'

/** Shows an investor a notification, in place of the one before. */
export function NotifyForm({ row, onDecided, onOvertaken, onCancel }: DecisionProps<OperatorInvestor>) {
  const { shell, field } = useEndpointForm({
    endpoint: notifyInvestor,
    params: { id: row._id },
    failures: 'form',
    onDone: onDecided,
    onFailure: (failure) => {
      if (isOvertaken(failure)) onOvertaken(failure.msg)
    },
  })
  return (
    <Form
      {...shell}
      submitLabel="Show the notification"
      actions={
        <Button variant="quiet" onClick={onCancel}>
          Cancel
        </Button>
      }
    >
      <TextField label="Title" maxLength={200} autoComplete="off" {...field('title')} />
      <TextArea
        label="Content"
        rows={4}
        maxLength={16384}
        hint="Text or simple HTML: paragraphs, lists, links, emphasis. Everything else is taken out."
        {...field('content')}
      />
      <CheckboxField label="Show it again on every visit" {...field('persistent')} />
    </Form>
  )
}
