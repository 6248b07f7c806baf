import { propose, reversalProposal } from '../../../contract/console/proposals.ts'
import { Button } from '../../../design/Button.tsx'
import { Form } from '../../../design/Form.tsx'
import { TextArea } from '../../../design/TextArea.tsx'
import { TextField } from '../../../design/TextField.tsx'
import { useEndpointForm } from '../../lib/endpointForm.ts'
import { withFactor } from '../cases/factor.ts'
import { ReasonPick } from '../cases/ReasonPick.tsx'
import type { ProposeFormProps } from './Propose.tsx'

/** Proposes to take back a credit or a payment that was recorded by mistake. */
export function ProposeReversal({ settings, onProposed, onCancel }: ProposeFormProps) {
  const { shell, field, form } = useEndpointForm({
    endpoint: propose,
    schema: reversalProposal,
    defaultValues: { kind: 'reversal' },
    failures: 'form',
    send: withFactor(propose, (body) =>
      'request' in body ? `The reversal of ${String(body.request)}` : 'A reversal',
    ),
    onDone: onProposed,
  })
  return (
    <Form
      {...shell}
      submitLabel="Propose the reversal"
      actions={
        <Button variant="quiet" onClick={onCancel}>
          Cancel
        </Button>
      }
    >
      <TextField
        label="Reference of the request"
        hint="A credited deposit (DEP-…) or a completed withdrawal (WDR-…). A payment that is reversed is available to the investor again; a credit that is reversed is taken back."
        autoComplete="off"
        spellCheck={false}
        maxLength={100}
        {...field('request')}
      />
      <ReasonPick settings={settings} kind="reversal" onPick={(reason) => form.setValue('reason', reason)} />
      <TextArea label="Reason" rows={2} maxLength={500} {...field('reason')} />
    </Form>
  )
}
