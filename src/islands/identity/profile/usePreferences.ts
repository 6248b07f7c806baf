import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { changePreferences, showPreferences } from '../../../contract/identity/preferences.ts'
import { toast } from '../../../design/toasts.ts'
import { call } from '../../lib/api.ts'
import { type PreferencesState, type PreferencesStore, preferencesStore } from './preferences.ts'

const store = preferencesStore(
  {
    load: () => call(showPreferences),
    save: (body) => call(changePreferences, { body, quiet: true }),
  },
  // One toast, also after several presses in a row.
  () => toast.success('Your choice was saved.', { id: 'preferences' }),
)

/** The preferences, loaded when the first part of the page needs them, and the same ones for all parts. */
export function usePreferences(): PreferencesState & Pick<PreferencesStore, 'load' | 'choose'> {
  useEffect(() => void store.load(), [])
  return { ...useStore(store.$state), load: store.load, choose: store.choose }
}
