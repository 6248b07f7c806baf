import {
  confirmSubscription,
  subscribeToNewsletter,
  unsubscribeFromNewsletter,
} from '../../../src/contract/outreach/newsletter.ts'
import { publicRoute, type Route } from '../../http/route.ts'
import { confirm } from './confirm.ts'
import { subscribe } from './subscribe.ts'
import { unsubscribe } from './unsubscribe.ts'

export const newsletterRoutes: readonly Route[] = [
  publicRoute(subscribeToNewsletter, subscribe),
  publicRoute(confirmSubscription, confirm),
  publicRoute(unsubscribeFromNewsletter, unsubscribe),
]
