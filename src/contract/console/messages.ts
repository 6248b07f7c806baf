import * as z from 'zod/mini'
import { filter, isoTime, refuseValue } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { requiredLines } from '../fields.ts'
import { MESSAGE_LENGTH } from '../outreach/contact.ts'
import { THREAD_STATUSES } from '../outreach/threads.ts'
import {
  assignedFilter,
  filtersInOrder,
  investorBrief,
  noBody,
  personFilters,
  queuePage,
  workFields,
} from './cases.ts'
import { findPlaceholder } from './placeholders.ts'

const threadEntry = z.object({
  _id: z.string(),
  at: isoTime,
  /** The operator who replied; null if the person wrote it. */
  by: z.nullable(z.string()),
  text: z.string(),
})

export type ThreadEntry = z.output<typeof threadEntry>

export const mentionedCase = z.object({
  ref: z.string(),
  kind: z.enum(['deposit', 'withdrawal', 'kyc', 'message']),
  _id: z.string(),
  status: z.string(),
  /** USD; null for an identity document or a message, and for support. */
  amount: z.nullable(z.number()),
  /** Whether it belongs to the investor of the thread; false in a note. */
  isTheirs: z.boolean(),
})

export type MentionedCase = z.output<typeof mentionedCase>

/**
 * What a thread may be about, by the words of its writer, in the order in which they count. Open threads with a topic come first,
 * because the answer has a deadline.
 */
export const MESSAGE_TOPICS = {
  authority: {
    label: 'May be from an authority',
    words: ['authority', 'police', 'prosecut', 'inspector', 'court order', 'subpoena'],
    advice:
      'Compliance answers. Take the order in writing, and call back on a number that you looked up yourself.',
  },
  complaint: {
    label: 'May be a complaint',
    words: ['complain', 'ombuds', 'legal action'],
    advice:
      'Reply on the same day: say that it is a complaint, who handles it, and until when. Somebody who did not decide the case answers within 15 working days.',
  },
  data: {
    label: 'May be a request about data',
    words: [
      'data that you have',
      'my data',
      'personal data',
      'data protection',
      'gdpr',
      'erase',
      'delete my account',
    ],
    advice:
      'Confirm who is writing, and answer within a month. The profile has a download of all their data. A closed account is erased when its retention period ends.',
  },
  estate: {
    label: 'May be about an estate',
    words: ['death certificate', 'passed away', 'deceased', 'inherit', 'estate of', 'probate'],
    advice:
      'Say nothing about the account until the death certificate and the certificate of inheritance are here. Then compliance decides.',
  },
} as const
export type MessageTopic = keyof typeof MESSAGE_TOPICS

export const MESSAGE_TOPIC_NAMES = Object.keys(MESSAGE_TOPICS) as MessageTopic[]

/** An open or lately decided case of an account. */
const situation = z.object({
  kind: z.enum(['deposit', 'withdrawal', 'kyc', 'factor_recovery', 'lock']),
  /** Null for a lost second factor and for a lock. */
  ref: z.nullable(z.string()),
  status: z.string(),
  /** As in `mentioned`. */
  amount: z.nullable(z.number()),
  /** The end of a withdrawal's delay. */
  until: z.nullable(isoTime),
  /** When it was filed, or the account locked. */
  at: z.optional(isoTime),
})
export type Situation = z.output<typeof situation>

export const contactMessage = z.object({
  _id: z.string(),
  ref: z.string(),
  name: z.string(),
  email: z.string(),
  /** The first message. */
  message: z.string(),
  status: z.enum(THREAD_STATUSES),
  createdAt: isoTime,
  /** Since when it waits for an operator, or waited last. */
  openedAt: isoTime,
  /** How many replies operators mailed. */
  replies: z.number(),
  /** The operator who replied last. */
  answeredBy: z.nullable(z.string()),
  closedBy: z.nullable(z.string()),
  /** Only while it is closed. */
  closedAt: z.optional(isoTime),
  ...workFields,
  topic: z.nullable(z.enum(MESSAGE_TOPIC_NAMES)),
  /** Whether it was written while signed in. Otherwise the sender did not prove that the address is theirs. */
  isProven: z.boolean(),
  /** The investor who wrote it, or else the one with that address. */
  investor: z.nullable(investorBrief),
  /** The whole thread, oldest first; in the answers about one thread only. */
  entries: z.optional(z.array(threadEntry)),
  /** The cases whose references stand in the thread; in the answers about one thread only. */
  mentioned: z.optional(z.array(mentionedCase)),
  /** The state of the writer's account, newest first; in the answers about one thread only. */
  situation: z.optional(z.array(situation)),
})

export type ContactMessage = z.output<typeof contactMessage>

export const listMessages = endpoint('GET', '/operator/messages', 'operator:messages.read', {
  summary:
    'Threads of messages, newest first, or oldest first with `order=oldest`: open ones by the time since when they wait, those with a topic first. `assigned` selects the caller’s own threads, or unassigned ones. `query` is a part of the sender’s name or e-mail address, or the beginning of a reference. `format=csv` returns all matching ones as a file',
  query: z
    .object({
      ...queuePage,
      ...personFilters,
      status: filter('status', THREAD_STATUSES, 'status is open, answered or closed'),
      assigned: assignedFilter,
    })
    .check(filtersInOrder),
  answer: z.array(contactMessage),
  audit: ['messages.exported'],
  findsPeopleBy: 'query',
})

export const getMessage = endpoint('GET', '/operator/messages/:id', 'operator:messages.read', {
  summary: 'One thread with all its messages, and the cases whose references it mentions',
  answer: contactMessage,
})

/** The references of cases, as they stand in a text. */
export const CASE_REFERENCE = /\b(?:DEP|WDR|KYC|MSG)-[0-9A-HJKMNP-TV-Z]{8}\b/gi

/** The text of a reply. */
export const replyFields = z.object({
  text: z.pipe(
    requiredLines('Please write the reply', MESSAGE_LENGTH),
    z.transform((text, context) => {
      const left = findPlaceholder(text)
      return left === undefined ? text : refuseValue(context, `Please fill in ${left}`)
    }),
  ),
})

export const replyToMessage = endpoint('POST', '/operator/messages/:id/reply', 'operator:messages.write', {
  summary:
    'Mail a reply to the sender and mark the thread as answered. `latest` is the newest entry that you read. The reply is refused if there is a newer one. Links may lead to our own pages only',
  body: z.extend(replyFields, {
    latest: z.string({ error: 'Please name the latest entry that you read' }),
  }),
  answer: contactMessage,
  idempotent: true,
  limit: { name: 'replies', per: 'account', max: 120, windowSeconds: 3600 },
  refusals: ['already_decided', 'case_assigned', 'conflict', 'too_many_notifications'],
  audit: ['message.answered'],
})

export const closeMessage = endpoint('POST', '/operator/messages/:id/close', 'operator:messages.write', {
  summary: 'Close a thread: nothing more has to be done about it',
  body: noBody,
  answer: contactMessage,
  idempotent: true,
  refusals: ['already_decided', 'case_assigned'],
  audit: ['message.closed'],
})

export const reopenMessage = endpoint('POST', '/operator/messages/:id/reopen', 'operator:messages.write', {
  summary: 'Reopen an answered or closed thread, so that it waits for an operator again',
  body: noBody,
  answer: contactMessage,
  idempotent: true,
  refusals: ['already_decided'],
  audit: ['message.reopened'],
})

/** The subject of a reply's mail. */
export function formatReplySubject(ref: string): string {
  return `Our reply to your message ${ref}`
}

/** The last lines of a reply's mail: how to write again. */
export function buildReplyClosing({ ref, isProven }: Pick<ContactMessage, 'ref' | 'isProven'>) {
  return isProven
    ? {
        words: `Reference: ${ref}.`,
        label: 'Read the conversation and write again',
        path: '/dashboard/support',
      }
    : {
        words: `Reference: ${ref}. If you write again, please name it.`,
        label: 'Write again',
        path: '/contact-us',
      }
}
