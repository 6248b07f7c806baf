import { listActivity as listActivityEndpoint } from '../../../src/contract/identity/activity.ts'
import { showPreferences as showEndpoint } from '../../../src/contract/identity/preferences.ts'
import {
  changePreferences as changeEndpoint,
  unsubscribeFromMails,
} from '../../../src/contract/identity/preferencesCalls.ts'
import { publicRoute, type Route, route } from '../../http/route.ts'
import { changePreferences } from './change.ts'
import { listActivity } from './listActivity.ts'
import { showPreferences } from './show.ts'
import { unsubscribe } from './unsubscribe.ts'

export const preferenceRoutes: readonly Route[] = [
  route(showEndpoint, showPreferences),
  route(changeEndpoint, changePreferences),
  publicRoute(unsubscribeFromMails, unsubscribe),
  route(listActivityEndpoint, listActivity),
]
