import { useMemo } from 'react'
import { getSettingFacts, needsReason, type SettingKey } from '../../../contract/console/settingList.ts'
import { patchSettings } from '../../../contract/console/settings.ts'
import type { Settings } from '../../../contract/console/settingValues.ts'
import { PhoneNumberField, TextArea, TextField } from '../../../design/Field.tsx'
import { MoneyField } from '../../../design/MoneyField.tsx'
import { RadioGroup } from '../../../design/RadioGroup.tsx'
import type { FieldAttributes } from '../../lib/form.ts'
import { ConfirmedForm, useConfirmedForm } from '../cases/ConfirmedForm.tsx'
import { withFactor } from '../cases/factor.tsx'
import { ChangeWords, describeChange, type SettingChange } from './changes.tsx'
import { SettingEffects } from './SettingEffects.tsx'
import { buildInitialInput, buildPatchBody, buildSettingSchema, parseTyped } from './settingsInput.ts'

export interface ChangeSettingProps {
  of: SettingKey
  settings: Settings
  /** Called with the change and the id of its proposal. */
  onDone: (change: SettingChange, proposal: string) => void
  onCancel: () => void
}

/** A form that proposes another value of one setting. */
export function ChangeSetting({ of, settings, onDone, onCancel }: ChangeSettingProps) {
  const schema = useMemo(() => buildSettingSchema(of, settings), [of, settings])
  const form = useConfirmedForm({
    endpoint: patchSettings,
    schema,
    defaultValues: buildInitialInput(of, settings),
    bodyOf: (typed) => buildPatchBody(of, parseTyped(of, typed), typed.reason),
    send: withFactor(patchSettings, `A change of a setting: ${getSettingFacts(of).label.toLowerCase()}`),
    onDone: (answer, typed) => onDone(describeChange(of, parseTyped(of, typed), settings), answer._id),
  })
  return (
    <ConfirmedForm
      form={form}
      reviewLabel="Review the change"
      confirmLabel="Propose the change"
      summary={(typed) => (
        <>
          <ChangeWords change={describeChange(of, parseTyped(of, typed), settings)} />
          {typed.reason?.trim() && (
            <p>
              Reason: <bdi>{typed.reason}</bdi>
            </p>
          )}
          <SettingEffects settings={buildPatchBody(of, parseTyped(of, typed), '')} />
          <p>Nothing changes until another administrator approves your proposal.</p>
        </>
      )}
      onCancel={onCancel}
    >
      <SettingField of={of} {...form.field(of)} />
      <TextArea
        label="Reason"
        hint="The second administrator reads it, and the audit log shows it."
        optional={!needsReason(of)}
        rows={2}
        maxLength={500}
        {...form.field('reason')}
      />
    </ConfirmedForm>
  )
}

function SettingField({ of, ...field }: FieldAttributes & { of: SettingKey }) {
  const { label, does, unit } = getSettingFacts(of)
  switch (unit) {
    case 'cents':
      return <MoneyField label={label} hint={does} {...field} />
    case 'basis points':
      return <MoneyField label={label} hint={does} sign={null} unit="%" {...field} />
    case 'yes or no':
      return (
        <RadioGroup
          label={label}
          hint={does}
          options={[
            { value: 'true', label: 'Yes' },
            { value: 'false', label: 'No' },
          ]}
          {...field}
        />
      )
    case 'phone':
      return <PhoneNumberField label={label} hint={does} optional autoComplete="off" {...field} />
    case 'email':
      return <TextField label={label} hint={does} optional type="email" autoComplete="off" {...field} />
    default:
      return (
        <TextField
          label={unit === 'days' ? `${label}, in days` : label}
          hint={does}
          inputMode="numeric"
          autoComplete="off"
          {...field}
        />
      )
  }
}
