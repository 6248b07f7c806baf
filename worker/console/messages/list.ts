import { type SQL, sql } from 'drizzle-orm'
import type { ContactMessage, listMessages as endpoint } from '../../../src/contract/console/messages.ts'
import type { QueryOf } from '../../../src/contract/endpoint.ts'
import type { ActorCall, Answer, CheckedCall } from '../../http/call.ts'
import { iso, type Position } from '../../http/paging.ts'
import { type Database, readTogether } from '../../lib/database.ts'
import { pageOrFile } from '../cases/pageOrFile.ts'
import { type MessageFacts, messageRow, readMessages } from './message.ts'

type MessageQuery = QueryOf<typeof endpoint>

/** Contact messages, newest first: a page of them, or all as a file. */
export function listMessages(
  call: CheckedCall<unknown, MessageQuery> & ActorCall,
): Promise<Answer<ContactMessage[]> | Response> {
  return pageOrFile(call, {
    what: 'messages',
    read: (after, rows) => readList(call.db, call.query, after, rows),
    rowOf: messageRow,
    positionOf: positionOf,
    header: HEADER,
    fields,
  })
}

async function readList(
  db: Database,
  { status, query }: Pick<MessageQuery, 'status' | 'query'>,
  after: Position | null,
  rows: number,
): Promise<MessageFacts[]> {
  const where = sql`
    ${status ? sql`m.status = ${status}` : sql`1`} AND ${after === null ? sql`1` : sql`m.seq < ${after.seq}`}
    AND ${query === undefined ? sql`1` : isSought(query)}`
  const [found] = await readTogether(db, readMessages(where, rows))
  return found
}

// Of anybody, with an account or not: the messages under the filter are read until a page is full.
function isSought(query: string): SQL {
  const text = query.toLowerCase()
  return sql`(
    m.id = ${query} OR instr(lower(m.name), ${text}) > 0 OR instr(m.name, ${query}) > 0
    OR instr(lower(m.email), ${text}) > 0)`
}

function positionOf({ seq }: MessageFacts): Position {
  return { at: 0, seq }
}

const HEADER = ['Id', 'Sent (UTC)', 'Status', 'Name', 'E-mail', 'Message', 'Closed by']

function fields({ id, createdAt, status, name, email, message, closedByName }: MessageFacts): string[] {
  return [id, iso(createdAt), status, name, email, message, closedByName ?? '']
}
