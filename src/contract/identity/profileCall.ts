import * as z from 'zod/mini'
import { message } from '../common.ts'
import { endpoint } from '../endpoint.ts'

/** Where changes of one's own account go. What the server checks of them stands in `profile.ts`, with lists a page need not load. */
export const profileCall = endpoint({
  method: 'PATCH',
  path: '/users/user-info',
  scope: 'signed-in',
  summary: 'Dismiss the notification, change personal information, or change the password',
  status: 200,
  accepts: 'either',
  body: z.looseObject({}),
  answer: message,
})
