import * as z from 'zod/mini'
import { filed, isoTime, pageQuery } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { requiredLines } from '../fields.ts'
import { MESSAGE_LENGTH } from './contact.ts'

/** An open thread waits for an operator. A closed one does not, until its writer or an operator reopens it. */
export const THREAD_STATUSES = ['open', 'answered', 'closed'] as const

/** A thread with this many entries takes no more from its writer: the next message starts a new thread. */
export const MOST_ENTRIES = 100

const ownThread = z.object({
  _id: z.string(),
  ref: z.string(),
  status: z.enum(THREAD_STATUSES),
  createdAt: isoTime,
  /** Oldest first. */
  entries: z.array(z.object({ at: isoTime, from: z.enum(['you', 'support']), text: z.string() })),
})

export type OwnThread = z.output<typeof ownThread>

export const listOwnThreads = endpoint('GET', '/users/messages', 'signed-in', {
  summary: 'Your threads with support that you started while signed in, newest first',
  query: pageQuery,
  answer: z.array(ownThread),
})

const writing = {
  status: 201,
  body: z.object({ message: requiredLines('Message is required', MESSAGE_LENGTH) }),
  answer: filed,
  idempotent: true,
  limit: { name: 'messages', per: 'account', max: 60, windowSeconds: 3600 },
} as const

export const writeToSupport = endpoint('POST', '/users/messages', 'signed-in', {
  ...writing,
  summary:
    'Write to support. A message that names the reference of one of your threads joins that thread and reopens it',
})

export const writeAgain = endpoint('POST', '/users/messages/:id', 'signed-in', {
  ...writing,
  summary: 'Write again in one of your threads, which reopens it',
})
