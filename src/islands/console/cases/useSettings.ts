import { getSettings } from '../../../contract/console/settings.ts'
import type { Settings } from '../../../contract/console/settingValues.ts'
import { call } from '../../lib/api.ts'
import { type Resource, useResource } from '../../lib/resource.ts'

/** The platform's settings. Does not load them if they are not needed. */
export function useSettings(isNeeded = true): Resource<Settings> & { reload: () => void } {
  return useResource(isNeeded ? 'settings' : null, () => call(getSettings))
}
