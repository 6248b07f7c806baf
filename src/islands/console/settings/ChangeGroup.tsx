import { useMemo } from 'react'
import { getSettingFacts, type SettingKey } from '../../../contract/console/settingList.ts'
import { patchSettings } from '../../../contract/console/settings.ts'
import type { Settings } from '../../../contract/console/settingValues.ts'
import { PhoneNumberField, TextArea, TextField } from '../../../design/Field.tsx'
import { MoneyField } from '../../../design/MoneyField.tsx'
import { RadioGroup } from '../../../design/RadioGroup.tsx'
import type { FieldAttributes } from '../../lib/form.ts'
import { ConfirmedForm, useConfirmedForm } from '../cases/ConfirmedForm.tsx'
import { withFactor } from '../cases/factor.tsx'
import { buildSettingsChange, ChangeList, describeChanges, type SettingsChange } from './changes.tsx'
import { buildInitialInput, buildPatchBody, buildSettingsSchema, collectChanges } from './settingsInput.ts'

export interface ChangeGroupProps {
  keys: readonly SettingKey[]
  settings: Settings
  onDone: (done: SettingsChange) => void
  onCancel: () => void
}

/** A form that proposes new values for the settings of a group. */
export function ChangeGroup({ keys, settings, onDone, onCancel }: ChangeGroupProps) {
  const schema = useMemo(() => buildSettingsSchema(keys, settings), [keys, settings])
  const form = useConfirmedForm({
    endpoint: patchSettings,
    schema,
    defaultValues: buildInitialInput(keys, settings),
    bodyOf: (typed) => buildPatchBody(collectChanges(keys, typed, settings), typed.reason),
    send: withFactor(
      patchSettings,
      `A change of settings: ${getSettingFacts(keys[0] ?? 'kycRequired').group.toLowerCase()}`,
    ),
    onDone: (answer, typed) =>
      onDone(buildSettingsChange(collectChanges(keys, typed, settings), settings, answer._id)),
  })
  return (
    <ConfirmedForm
      form={form}
      reviewLabel="Review the change"
      confirmLabel="Propose the change"
      summary={(typed) => (
        <>
          <ChangeList changes={describeChanges(collectChanges(keys, typed, settings), settings)} />
          <p>Nothing changes until another administrator approves your proposal.</p>
        </>
      )}
      onCancel={onCancel}
    >
      {keys.map((key) => (
        <SettingField key={key} of={key} {...form.field(key)} />
      ))}
      <TextArea
        label="Reason"
        hint="The second administrator reads it."
        optional
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
