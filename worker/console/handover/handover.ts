import { desc, eq, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import * as z from 'zod/mini'
import type * as contract from '../../../src/contract/console/handover.ts'
import { type ActorCall, type CallOf, created, ok } from '../../http/call.ts'
import { openCursor, takePage, toIso } from '../../http/paging.ts'
import { newId } from '../../lib/crypto/tokens.ts'
import { parseStored, type RowOf, readTogether, selectRows } from '../../lib/database.ts'
import { refuse } from '../../lib/errors.ts'
import { handoverNotes, handoverReads } from '../../lib/tables/operators.ts'
import { users } from '../../lib/tables/people.ts'
import { readMentioned } from '../messages/thread.ts'

/** The notes of handovers, newest first. */
export async function listHandover(call: CallOf<typeof contract.listHandover>) {
  const { limit, cursor } = call.query
  const after = openCursor(cursor)
  const where = after === null ? sql`1` : sql`n.seq < ${after.seq}`
  const [found] = await readTogether(call.db, readNotes(where, limit + 1))
  const { rows, headers } = takePage(call, found, limit, ({ seq }) => ({ at: 0, seq }))
  const mentioned = await readMentioned(call, rows)
  return ok(
    rows.map((note) => ({
      ...toNote(note),
      mentioned: mentioned.filter(({ ref }) => note.text.toUpperCase().includes(ref)),
    })),
    headers,
  )
}

export async function writeHandover(call: CallOf<typeof contract.writeHandover>) {
  const { db, nowMs, actor, body } = call
  const id = newId()
  const note = { id, author: actor.id, at: nowMs, text: body.text }
  return call.commit({
    statements: [db.insert(handoverNotes).values(note)],
    audit: [{ action: 'handover.written', subject: actor.id, detail: { note: id } }],
    answer: created(toNote({ ...note, authorName: actor.displayName, readers: '[]' })),
  })
}

/** Marks a note as read. A second time changes nothing. */
export async function markHandoverRead(call: CallOf<typeof contract.markHandoverRead>, note: Note) {
  const { db, nowMs, actor } = call
  const readers = parseStored(storedReaders, note.readers)
  if (note.author === actor.id || readers.some(({ id }) => id === actor.id)) return ok(toNote(note))
  const now = JSON.stringify([...readers, { id: actor.id, name: actor.displayName, at: nowMs }])
  return call.commit({
    statements: [
      db.insert(handoverReads).values({ note: note.id, operator: actor.id, at: nowMs }).onConflictDoNothing(),
    ],
    audit: [{ action: 'handover.read', subject: actor.id, detail: { note: note.id } }],
    answer: ok(toNote({ ...note, readers: now })),
  })
}

export type Note = RowOf<typeof readNotes>

export async function loadHandover({ db, params }: ActorCall): Promise<Note> {
  const [[note]] = await readTogether(db, readNotes(sql`n.id = ${params.id ?? ''}`, 1))
  return note ?? refuse('not_found')
}

function readNotes(where: SQL, limit: number) {
  const [n, a] = [alias(handoverNotes, 'n'), alias(users, 'a')]
  return selectRows({
    ...{ seq: n.seq, id: n.id, author: n.author, at: n.at, text: n.text, authorName: a.displayName },
    readers: sql<string>`(
      SELECT json_group_array(json_object('id', id, 'name', name, 'at', at)) FROM (
        SELECT o.id, o.display_name AS name, r.at FROM ${handoverReads} r JOIN users o ON o.id = r.operator WHERE r.note = n.id
        ORDER BY r.at))`,
  })
    .from(n)
    .innerJoin(a, eq(a.id, n.author))
    .where(where)
    .orderBy(desc(n.seq))
    .limit(limit)
}

const storedReaders = z.array(z.object({ id: z.string(), name: z.string(), at: z.number() }))

function toNote(note: Omit<Note, 'seq'>): contract.HandoverNote {
  return {
    _id: note.id,
    at: toIso(note.at),
    by: { _id: note.author, name: note.authorName },
    text: note.text,
    readBy: parseStored(storedReaders, note.readers).map(({ id, name, at }) => ({
      _id: id,
      name,
      at: toIso(at),
    })),
  }
}
