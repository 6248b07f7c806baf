import * as z from 'zod/mini'
import { isoTime, pageQuery } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { requiredLines } from '../fields.ts'
import { noBody } from './cases.ts'
import { LONGEST_NOTE } from './investors.ts'
import { mentionedCase } from './messages.ts'

const operator = z.object({ _id: z.string(), name: z.string() })

/** A note from one shift of operators to the next. */
export const handoverNote = z.object({
  _id: z.string(),
  at: isoTime,
  by: operator,
  text: z.string(),
  /** The cases whose references stand in the text; in the list only. */
  mentioned: z.optional(z.array(mentionedCase)),
  /** The operators who marked it as read, in that order. */
  readBy: z.array(z.extend(operator, { at: isoTime })),
})
export type HandoverNote = z.output<typeof handoverNote>

export const listHandover = endpoint('GET', '/operator/handover', 'operator:overview', {
  summary:
    'The notes of handovers between shifts, newest first, with who read them. They are kept for 90 days',
  query: pageQuery,
  answer: z.array(handoverNote),
})

export const writeHandover = endpoint('POST', '/operator/handover', 'operator:cases.assign', {
  summary: 'Write a note for the next shift. It cannot be changed later',
  status: 201,
  body: z.object({ text: requiredLines('Please write the note', LONGEST_NOTE) }),
  answer: handoverNote,
  idempotent: true,
  audit: ['handover.written'],
})

export const markHandoverRead = endpoint('POST', '/operator/handover/:id/read', 'operator:cases.assign', {
  summary: 'Mark a note of a handover as read by the caller',
  body: noBody,
  answer: handoverNote,
  audit: ['handover.read'],
})
