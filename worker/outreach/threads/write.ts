import { and, eq, getTableColumns, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { FiledRequest } from '../../../src/contract/common.ts'
import * as contract from '../../../src/contract/outreach/threads.ts'
import { type ActorCall, type Answer, type CallOf, created } from '../../http/call.ts'
import { requireInvestor } from '../../http/scopes.ts'
import { newId, newRef } from '../../lib/crypto/tokens.ts'
import { type RowOf, readTogether, selectRows } from '../../lib/database.ts'
import { refuse } from '../../lib/errors.ts'
import { foldName } from '../../lib/foldName.ts'
import { contactMessages, threadEntries } from '../../lib/tables/outreach.ts'
import { endHolds } from './holds.ts'

export const RECEIVED = 'Thank you for your message. We will answer you by e-mail.'

type Thread = RowOf<typeof readOwn>

type WriteCall = CallOf<typeof contract.writeToSupport>

/**
 * Starts a thread, or joins the writer's own thread whose reference the text names. Only a signed-in investor can join a thread:
 * the contact form does not prove its writer's identity.
 */
export async function writeToSupport(call: WriteCall): Promise<Answer<FiledRequest>> {
  const [named] = call.body.message.toUpperCase().match(/\bMSG-[0-9A-Z]{8}\b/) ?? []
  return write(call, named === undefined ? undefined : await findOwn(call, 'ref', named))
}

export async function loadOwnThread(call: ActorCall) {
  await requireInvestor(call)
  return (await findOwn(call, 'id', call.params.id ?? '')) ?? refuse('not_found')
}

async function findOwn(
  { db, actor }: ActorCall,
  by: 'id' | 'ref',
  value: string,
): Promise<Thread | undefined> {
  const [[thread]] = await readTogether(db, readOwn(actor.id, by, value))
  return thread
}

/** `last` is the number of its newest entry. */
function readOwn(investor: string, by: 'id' | 'ref', value: string) {
  const m = alias(contactMessages, 'm')
  return selectRows({
    ...getTableColumns(m),
    last: sql<number>`coalesce((SELECT max(place) FROM thread_entries WHERE thread = m.id), 1)`,
  })
    .from(m)
    .where(and(eq(m[by], value), eq(m.investor, investor)))
}

/** Writes in one of the writer's own threads, or in a new one. */
export function write(call: WriteCall, thread: Thread | undefined): Promise<Answer<FiledRequest>> {
  return thread === undefined || thread.last >= contract.MOST_ENTRIES ? start(call) : join(call, thread)
}

async function start({ db, actor, nowMs, body, commit }: WriteCall): Promise<Answer<FiledRequest>> {
  const [id, ref] = [newId(), newRef('MSG')]
  return commit({
    statements: [
      db.insert(contactMessages).values({
        id,
        ref,
        name: actor.displayName,
        nameFolded: foldName(actor.displayName),
        email: actor.email,
        investor: actor.id,
        message: body.message,
        createdAt: nowMs,
        openedAt: nowMs,
      }),
      endHolds(actor.email, nowMs),
    ],
    answer: created({ msg: RECEIVED, ref, _id: id }),
  })
}

/**
 * An open thread keeps its place in the queue; any other one waits from now on. The answer to a question about a case brings back the
 * case instead, which shows it.
 */
async function join(
  { db, actor, nowMs, body, commit }: WriteCall,
  thread: Thread,
): Promise<Answer<FiledRequest>> {
  const { id, ref, last } = thread
  return commit({
    statements: [
      db
        .insert(threadEntries)
        .values({ thread: id, place: last + 1, id: newId(), text: body.message, at: nowMs }),
      sql`
        UPDATE contact_messages SET status = 'open', opened_at = ${nowMs}, closed_by = NULL, closed_at = NULL
        WHERE id = ${id} AND status <> 'open'
          AND NOT EXISTS (SELECT 1 FROM case_holds WHERE thread = ${id} AND ended_at IS NULL)`,
      endHolds(actor.email, nowMs),
    ],
    audit: [{ action: 'message.continued', subject: id }],
    answer: created({ msg: RECEIVED, ref, _id: id }),
  })
}
