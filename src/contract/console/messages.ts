import * as z from 'zod/mini'
import { isoTime } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { noBody } from './bodies.ts'
import { investorBrief } from './investorBrief.ts'

export const contactMessage = z.object({
  _id: z.string(),
  name: z.string(),
  email: z.string(),
  message: z.string(),
  status: z.enum(['open', 'closed']),
  createdAt: isoTime,
  closedBy: z.nullable(z.string()),
  /** Whose the address is. Whoever writes may give any: that it is theirs nobody proved. */
  investor: z.nullable(investorBrief),
})

export type ContactMessage = z.output<typeof contactMessage>

export const closeMessage = endpoint({
  method: 'POST',
  path: '/operator/messages/:id/close',
  scope: 'operator:messages.write',
  summary: 'Mark a contact message as answered',
  status: 200,
  body: noBody,
  answer: contactMessage,
  idempotent: true,
  refusals: ['already_decided'],
  audit: ['message.closed'],
})
