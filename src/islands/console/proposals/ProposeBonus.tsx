import { bonusProposal, propose } from '../../../contract/console/proposals.ts'
import { Button } from '../../../design/Button.tsx'
import { Form } from '../../../design/Form.tsx'
import { MoneyField } from '../../../design/MoneyField.tsx'
import { TextArea } from '../../../design/TextArea.tsx'
import { useEndpointForm } from '../../lib/endpointForm.ts'
import { withFactor } from '../cases/factor.ts'
import { ReasonPick } from '../cases/ReasonPick.tsx'
import { InvestorPicker } from './InvestorPicker.tsx'
import type { ProposeFormProps } from './Propose.tsx'

/** Proposes a bonus for one investor. */
export function ProposeBonus({ settings, onProposed, onCancel }: ProposeFormProps) {
  const { shell, field, form } = useEndpointForm({
    endpoint: propose,
    schema: bonusProposal,
    defaultValues: { kind: 'bonus' },
    failures: 'form',
    send: withFactor(propose, (body) =>
      'amount' in body ? `A bonus of $${String(body.amount)}` : 'A bonus',
    ),
    onDone: onProposed,
  })
  return (
    <Form
      {...shell}
      submitLabel="Propose the bonus"
      actions={
        <Button variant="quiet" onClick={onCancel}>
          Cancel
        </Button>
      }
    >
      <InvestorPicker {...field('investor')} />
      <MoneyField label="Amount" {...field('amount')} />
      <ReasonPick settings={settings} kind="bonus" onPick={(reason) => form.setValue('reason', reason)} />
      <TextArea label="Reason" rows={2} maxLength={500} {...field('reason')} />
    </Form>
  )
}
