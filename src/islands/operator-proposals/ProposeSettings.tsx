import { useMemo } from 'react'
import { propose } from '../../contract/operator/proposals.ts'
import type { Settings } from '../../contract/operator/settings.ts'
import { Button } from '../../design/Button.tsx'
import { CheckboxField } from '../../design/CheckboxField.tsx'
import { Form } from '../../design/Form.tsx'
import { MoneyField } from '../../design/MoneyField.tsx'
import { TextArea } from '../../design/TextArea.tsx'
import { TextField } from '../../design/TextField.tsx'
import { useEndpointForm } from '../lib/endpointForm.ts'
import type { ProposeFormProps } from './Propose.tsx'
import { asTyped, changedSettings, settingsFormFor } from './settingsForm.ts'

/** Proposes other limits, fees or minimums: the form opens with what holds now, and only what differs is proposed. */
export function ProposeSettings({
  settings,
  onProposed,
  onCancel,
}: ProposeFormProps & { settings: Settings }) {
  const schema = useMemo(() => settingsFormFor(settings), [settings])
  const { shell, field } = useEndpointForm({
    endpoint: propose,
    schema,
    defaultValues: asTyped(settings),
    bodyOf: (values) => ({
      kind: 'settings' as const,
      settings: changedSettings(values, settings),
      reason: values.reason,
    }),
    failures: 'form',
    onDone: onProposed,
  })
  return (
    <Form
      {...shell}
      submitLabel="Propose the settings"
      actions={
        <Button variant="quiet" onClick={onCancel}>
          Cancel
        </Button>
      }
    >
      <div className="pair">
        <MoneyField label="Two operators above" {...field('twoPersonLimit')} />
        <MoneyField label="Referral bonus" hint="0 for none." {...field('referralBonus')} />
        <MoneyField label="Smallest deposit" hint="0 for none." {...field('minimumDeposit')} />
        <MoneyField label="Smallest withdrawal" hint="0 for none." {...field('minimumWithdrawal')} />
        <MoneyField label="Performance fee" sign={null} unit="%" {...field('performanceFee')} />
        <MoneyField label="Monthly subscription" {...field('subscriptionMonthly')} />
        <TextField
          label="Days documents are kept after closing"
          inputMode="numeric"
          {...field('documentDays')}
        />
        <TextField label="Days a person is kept after closing" inputMode="numeric" {...field('personDays')} />
        <TextField
          label="Days a rejected document is kept"
          inputMode="numeric"
          {...field('rejectedDocumentDays')}
        />
      </div>
      <CheckboxField
        label="An approved identity is required for depositing and withdrawing"
        {...field('kycRequired')}
      />
      <TextArea label="Reason" optional rows={2} maxLength={500} {...field('reason')} />
    </Form>
  )
}
