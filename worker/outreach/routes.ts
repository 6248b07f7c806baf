import * as contact from '../../src/contract/outreach/contact.ts'
import * as newsletter from '../../src/contract/outreach/newsletter.ts'
import { countUnseenNotifications } from '../../src/contract/outreach/notificationCount.ts'
import * as notifications from '../../src/contract/outreach/notifications.ts'
import * as threads from '../../src/contract/outreach/threads.ts'
import { createItemRoute, createReadRoute, createRoute, type Route } from '../http/call.ts'
import { requireInvestor } from '../http/scopes.ts'
import { sendMessage, showMessagingNumber } from './contact/contact.ts'
import { confirm, subscribe, unsubscribe } from './newsletter/newsletter.ts'
import {
  countUnseen,
  listNotifications,
  readUnseen,
  seeNotifications,
} from './notifications/notifications.ts'
import { listOwnThreads } from './threads/list.ts'
import { loadOwnThread, write, writeToSupport } from './threads/write.ts'

/** Every route of this area. */
export const outreachRoutes: readonly Route[] = [
  createRoute(contact.sendContactMessage, sendMessage),
  createRoute(contact.getMessagingNumber, showMessagingNumber),
  createRoute(newsletter.subscribeToNewsletter, subscribe),
  createRoute(newsletter.confirmSubscription, confirm),
  createRoute(newsletter.unsubscribeFromNewsletter, unsubscribe),
  createRoute(notifications.listNotifications, listNotifications),
  createReadRoute(countUnseenNotifications, readUnseen, countUnseen),
  createRoute(notifications.seeNotifications, seeNotifications),
  createRoute(threads.listOwnThreads, listOwnThreads),
  createItemRoute(threads.writeToSupport, requireInvestor, writeToSupport),
  createItemRoute(threads.writeAgain, loadOwnThread, write),
]
