import { getMessagingNumber, sendContactMessage } from '../../../src/contract/outreach/contact.ts'
import { publicRoute, type Route } from '../../http/route.ts'
import { messagingNumber } from './messagingNumber.ts'
import { send } from './send.ts'

export const contactRoutes: readonly Route[] = [
  publicRoute(sendContactMessage, send),
  publicRoute(getMessagingNumber, messagingNumber),
]
