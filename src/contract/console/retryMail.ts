import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'

export const retryMail = endpoint({
  method: 'POST',
  path: '/operator/outbox/retry',
  scope: 'operator:outbox.write',
  summary: 'Try mails that failed again now, instead of up to six hours later: the 500 oldest',
  status: 200,
  answer: z.object({ msg: z.string(), tried: z.number() }),
  audit: ['outbox.retried'],
})
