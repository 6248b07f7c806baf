import type { ReactNode } from 'react'
import { Switch } from '../../../design/Switch.tsx'

interface ChoiceSwitchProps {
  label: string
  hint: ReactNode
  isOn: boolean
  /** Why it is back at what it was. */
  problem: string | undefined
  onChoose: (isOn: boolean) => void
}

/** A preference that is saved as it is pressed. */
export function ChoiceSwitch({ label, hint, isOn, problem, onChoose }: ChoiceSwitchProps) {
  return (
    <Switch
      label={label}
      hint={hint}
      error={problem && `It is still ${isOn ? 'on' : 'off'}. ${problem}`}
      checked={isOn}
      onChange={() => onChoose(!isOn)}
    />
  )
}
