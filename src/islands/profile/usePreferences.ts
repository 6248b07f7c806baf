import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { showPreferences } from '../../contract/preferences.ts'
import { toast } from '../../design/toasts.ts'
import { call } from '../lib/api.ts'
import { type PreferencesState, type PreferencesStore, preferencesStore } from './preferences.ts'

const store = preferencesStore(
  {
    load: () => call(showPreferences),
    // Only asked for when something is chosen: it brings along what checks a request.
    save: async (body) => {
      const { changePreferences } = await import('../../contract/preferencesCalls.ts')
      return await call(changePreferences, { body, quiet: true })
    },
  },
  // One toast, also after several presses in a row.
  () => toast.success('Your choice was saved.', { id: 'preferences' }),
)

/** The preferences, loaded when the first part of the page needs them, and the same ones for all parts. */
export function usePreferences(): PreferencesState & Pick<PreferencesStore, 'load' | 'choose'> {
  useEffect(() => void store.load(), [])
  return { ...useStore(store.$state), load: store.load, choose: store.choose }
}
