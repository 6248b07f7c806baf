import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'

// Apart from the other endpoints of notifications, because every page of the dashboard loads it.
export const countUnseenNotifications = endpoint('GET', '/users/notifications/unseen', 'signed-in', {
  summary: 'How many notifications you have not seen yet',
  answer: z.object({ unseen: z.number() }),
})
