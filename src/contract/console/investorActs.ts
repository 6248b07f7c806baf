import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { FACTOR_REFUSALS, factorBody } from '../identity/factorProof.ts'
import { requiredText } from '../text.ts'
import { noBody, reasonBody } from './bodies.ts'
import { investorNote, LONGEST_NOTE } from './investorNote.ts'
import { operatorInvestor } from './investors.ts'

export const freezeInvestor = endpoint({
  method: 'POST',
  path: '/operator/investors/:id/freeze',
  scope: 'operator:investors.write',
  summary: 'Freeze an account: it reads, and moves no money',
  status: 200,
  body: reasonBody,
  answer: operatorInvestor,
  idempotent: true,
  audit: ['investor.frozen'],
})

export const unfreezeInvestor = endpoint({
  method: 'POST',
  path: '/operator/investors/:id/unfreeze',
  scope: 'operator:investors.write',
  summary:
    'Lift the freeze of an account. One that its owner locked takes two operators: 202 until the second one lifts it',
  status: 200,
  statusAwaiting: 202,
  body: factorBody,
  answer: operatorInvestor,
  idempotent: true,
  asksFactor: true,
  refusals: [...FACTOR_REFUSALS, 'second_operator_required', 'conflict'],
  audit: ['investor.unfrozen', 'investor.unlock_first'],
})

export const endInvestorSessions = endpoint({
  method: 'POST',
  path: '/operator/investors/:id/end-sessions',
  scope: 'operator:investors.write',
  summary: 'End every session of an investor, who is told by mail',
  status: 200,
  body: noBody,
  answer: operatorInvestor,
  idempotent: true,
  audit: ['investor.sessions_ended'],
})

const flag = (fallback: boolean, problem: string) =>
  z.pipe(
    z.optional(z.nullable(z.union([z.boolean(), z.enum(['true', 'false'])], { error: problem }))),
    z.transform((value) =>
      value === undefined || value === null ? fallback : value === true || value === 'true',
    ),
  )

const notification = {
  title: requiredText('Please give a title', 200),
  content: requiredText('Please give the content', 16_384),
}

export const notifyInvestor = endpoint({
  method: 'POST',
  path: '/operator/investors/:id/notification',
  scope: 'operator:investors.write',
  summary: 'Show an investor a notification. Its HTML is sanitised on the way in',
  status: 201,
  body: z.object({
    ...notification,
    persistent: flag(false, 'persistent is true or false'),
  }),
  answer: operatorInvestor,
  idempotent: true,
  refusals: ['too_many_notifications'],
  audit: ['investor.notified'],
})

export const previewNotification = endpoint({
  method: 'POST',
  path: '/operator/notifications/preview',
  scope: 'operator:investors.write',
  summary: 'What would be left of a notification’s HTML once it is sanitised. Nothing is stored',
  status: 200,
  body: z.object({ content: notification.content }),
  answer: z.object({ content: z.string(), bytes: z.number() }),
  changesNothing: true,
})

export const addInvestorNote = endpoint({
  method: 'POST',
  path: '/operator/investors/:id/notes',
  scope: 'operator:investors.note',
  summary: 'Note something about an investor, for other operators',
  status: 201,
  body: z.object({ text: requiredText('Please write the note', LONGEST_NOTE) }),
  answer: investorNote,
  idempotent: true,
  refusals: ['conflict'],
  audit: ['investor.noted'],
})
