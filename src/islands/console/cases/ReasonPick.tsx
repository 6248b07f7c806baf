import type { Settings } from '../../../contract/console/settingValues.ts'
import { SelectField } from '../../../design/SelectField.tsx'

export interface ReasonPickProps {
  /** Null while they load: a reason can be written all the same. */
  settings: Pick<Settings, 'reasons'> | null
  /** Which decision it is for. */
  kind: keyof Settings['reasons']
  onPick: (reason: string) => void
}

/** The reasons that the settings offer for a kind of decision, to be taken as they are or edited. */
export function ReasonPick({ settings, kind, onPick }: ReasonPickProps) {
  const reasons = settings?.reasons[kind] ?? []
  if (reasons.length === 0) return null
  return (
    <SelectField
      label="Take a reason from the list"
      optional
      placeholder="Write one of my own"
      options={reasons.map((reason) => ({ value: reason, label: reason }))}
      onChange={(event) => onPick(event.target.value)}
    />
  )
}
