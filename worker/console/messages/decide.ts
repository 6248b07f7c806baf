import { eq } from 'drizzle-orm'
import * as contract from '../../../src/contract/console/messages.ts'
import { type ActorCall, type CallOf, ok } from '../../http/call.ts'
import { newId } from '../../lib/crypto/tokens.ts'
import { refuse } from '../../lib/errors.ts'
import { buildLink, composeMail, composeNews } from '../../lib/mail/compose.ts'
import { caseAssignments } from '../../lib/tables/operators.ts'
import { contactMessages, threadEntries } from '../../lib/tables/outreach.ts'
import { assertOwnAddresses, countMessage } from '../cases/messageToInvestor.ts'
import { assertNotAssigned } from '../cases/workState.ts'
import { buildThreadRow, type Thread } from './thread.ts'

/**
 * Mails a reply and marks the thread as answered, in one batch. Refuses a closed thread, a reply to an entry that is not the
 * newest, addresses or numbers that are not ours, and more messages than the settings allow: people trust our mails.
 */
export async function replyToMessage(call: CallOf<typeof contract.replyToMessage>, thread: Thread) {
  const { db, env, actor, nowMs } = call
  const { text, latest } = call.body
  const { facts, entries, situation } = thread
  await assertOwnAddresses(call, 'text', text)
  if (facts.status === 'closed')
    refuse('already_decided', { msg: 'This thread is closed. Reopen it to reply.' })
  assertNotAssigned(facts, call)
  const newest = entries.at(-1)
  if (newest === undefined || newest.id !== latest)
    refuse('conflict', {
      msg: 'Something was written in this thread in the meantime. Read it before you reply.',
    })
  const reply = { id: newId(), place: newest.place + 1, at: nowMs, by: actor.displayName, text }
  const closing = contract.buildReplyClosing({ ref: facts.ref, isProven: facts.isProven === 1 })
  const subject = contract.formatReplySubject(facts.ref)
  const parts = [
    ...text.split(/\n\s*\n/),
    closing.words,
    { label: closing.label, href: buildLink(env, closing.path) },
  ]
  return call.commit({
    statements: [
      db.insert(threadEntries).values({
        thread: facts.id,
        place: reply.place,
        id: reply.id,
        operator: actor.id,
        text,
        at: nowMs,
      }),
      db
        .update(contactMessages)
        .set({ status: 'answered', handledAt: facts.handledAt ?? nowMs })
        .where(eq(contactMessages.id, facts.id)),
      endAssignment(call, facts.id),
      countMessage(call),
    ],
    audit: [{ action: 'message.answered', subject: facts.id, detail: { reply: reply.id } }],
    mails: [
      facts.isProven === 1
        ? composeNews(facts.email, subject, facts.name, parts)
        : composeMail(facts.email, subject, null, parts),
    ],
    answer: ok(
      await buildThreadRow(call, {
        facts: {
          ...facts,
          status: 'answered',
          work: null,
          replies: facts.replies + 1,
          answeredBy: actor.displayName,
        },
        entries: [...entries, reply],
        situation,
      }),
    ),
  })
}

export async function closeMessage(call: CallOf<typeof contract.closeMessage>, { facts, ...thread }: Thread) {
  const { db, actor, nowMs } = call
  if (facts.status === 'closed') refuse('already_decided', { msg: 'This message is already closed.' })
  assertNotAssigned(facts, call)
  const closed = { status: 'closed', handledAt: facts.handledAt ?? nowMs, closedAt: nowMs } as const
  return call.commit({
    statements: [
      db
        .update(contactMessages)
        .set({ ...closed, closedBy: actor.id })
        .where(eq(contactMessages.id, facts.id)),
      endAssignment(call, facts.id),
    ],
    audit: [{ action: 'message.closed', subject: facts.id }],
    answer: ok(
      await buildThreadRow(call, {
        facts: { ...facts, ...closed, work: null, closedByName: actor.displayName },
        ...thread,
      }),
    ),
  })
}

export async function reopenMessage(
  call: CallOf<typeof contract.reopenMessage>,
  { facts, ...thread }: Thread,
) {
  const { db, nowMs } = call
  if (facts.status === 'open') refuse('already_decided', { msg: 'This message is already open.' })
  const open = { status: 'open', openedAt: nowMs, closedAt: null } as const
  return call.commit({
    statements: [
      db
        .update(contactMessages)
        .set({ ...open, closedBy: null })
        .where(eq(contactMessages.id, facts.id)),
    ],
    audit: [{ action: 'message.reopened', subject: facts.id }],
    answer: ok(await buildThreadRow(call, { facts: { ...facts, ...open, closedByName: null }, ...thread })),
  })
}

/** Ends the assignment of a thread that was answered or closed. */
function endAssignment({ db }: Pick<ActorCall, 'db'>, thread: string) {
  return db.delete(caseAssignments).where(eq(caseAssignments.caseId, thread))
}
