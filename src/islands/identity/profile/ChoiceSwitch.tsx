import { useStore } from '@nanostores/react'
import { type ReactNode, useEffect } from 'react'
import { changePreferences, showPreferences } from '../../../contract/identity/preferences.ts'
import { Switch } from '../../../design/Switch.tsx'
import { toast } from '../../../design/toasts.ts'
import { call } from '../../lib/api.ts'
import { createPreferencesStore, type PreferencesState, type PreferencesStore } from './preferences.ts'

interface ChoiceSwitchProps {
  label: string
  hint: ReactNode
  isOn: boolean
  problem: string | undefined
  onChoose: (isOn: boolean) => void
}

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

const store = createPreferencesStore(
  {
    load: () => call(showPreferences),
    save: (body) => call(changePreferences, { body, quiet: true }),
  },
  // One toast, even after several clicks in a row.
  () => toast.success('Your choice was saved.', { id: 'preferences' }),
)

/** The preferences, loaded once and shared by all panels. */
export function usePreferences(): PreferencesState & Pick<PreferencesStore, 'load' | 'choose'> {
  useEffect(() => void store.load(), [])
  return { ...useStore(store.$state), load: store.load, choose: store.choose }
}
