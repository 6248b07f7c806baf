import { listActivity as listActivityEndpoint } from '../../src/contract/activity.ts'
import {
  changePreferences as changeEndpoint,
  showPreferences as showEndpoint,
  unsubscribeFromMails,
} from '../../src/contract/preferences.ts'
import { publicRoute, type Route, route } from '../lib/route.ts'
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
