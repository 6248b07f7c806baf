import * as z from 'zod/mini'
import { isoTime, pageQuery } from '../common.ts'
import { endpoint } from '../endpoint.ts'

const receivedNotification = z.object({
  _id: z.string(),
  title: z.string(),
  /** Sanitised HTML. */
  content: z.string(),
  at: isoTime,
  seen: z.boolean(),
})
export type ReceivedNotification = z.output<typeof receivedNotification>

export const listNotifications = endpoint('GET', '/users/notifications', 'signed-in', {
  summary: 'The notifications you received, newest first',
  query: pageQuery,
  answer: z.array(receivedNotification),
})

export const seeNotifications = endpoint('POST', '/users/notifications/seen', 'signed-in', {
  summary: 'Mark a notification and all older ones as seen',
  body: z.object({ latest: z.string({ error: 'Please name the latest notification that you saw' }) }),
  status: 204,
  limit: { name: 'notifications', per: 'account', max: 300, windowSeconds: 3600 },
})
