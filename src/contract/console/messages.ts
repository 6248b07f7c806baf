import * as z from 'zod/mini'
import { filter, isoTime } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { investorBrief, noBody, queuePage } from './cases.ts'

export const contactMessage = z.object({
  _id: z.string(),
  name: z.string(),
  email: z.string(),
  message: z.string(),
  status: z.enum(['open', 'closed']),
  createdAt: isoTime,
  closedBy: z.nullable(z.string()),
  /** The investor with that address. The sender did not prove that it is theirs. */
  investor: z.nullable(investorBrief),
})

export type ContactMessage = z.output<typeof contactMessage>

export const closeMessage = endpoint('POST', '/operator/messages/:id/close', 'operator:messages.write', {
  summary: 'Mark a contact message as answered',
  body: noBody,
  answer: contactMessage,
  idempotent: true,
  refusals: ['already_decided'],
  audit: ['message.closed'],
})

export const listMessages = endpoint('GET', '/operator/messages', 'operator:messages.read', {
  summary:
    'Contact messages, newest first, or oldest first with `order=oldest`; `query` is a part of the sender’s name or e-mail address; `format=csv` returns all of them as a file',
  query: z.object({
    ...queuePage,
    status: filter('status', ['open', 'closed'], 'status is open or closed'),
  }),
  answer: z.array(contactMessage),
  audit: ['messages.exported'],
})
