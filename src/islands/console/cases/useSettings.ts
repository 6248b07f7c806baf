import { getSettings } from '../../../contract/console/settings.ts'
import type { Settings } from '../../../contract/console/settingValues.ts'
import { call } from '../../lib/api.ts'
import { type Resource, useResource } from '../../lib/resource.ts'

/** The platform's settings. */
export function useSettings(): Resource<Settings> & { reload: () => void } {
  return useResource('settings', () => call(getSettings))
}
