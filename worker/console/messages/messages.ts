import { eq, type SQL, sql } from 'drizzle-orm'
import {
  type ContactMessage,
  closeMessage as endpoint,
  listMessages,
} from '../../../src/contract/console/messages.ts'
import { type ActorCall, ok, routeOf } from '../../http/call.ts'
import { iso } from '../../http/paging.ts'
import { type Read, reading, readTogether } from '../../lib/database.ts'
import { refuse } from '../../lib/errors.ts'
import { contactMessages } from '../../lib/tables/outreach.ts'
import { bySeq, queue } from '../cases/queue.ts'
import { investorOf } from '../cases/requests.ts'

export const messages = queue(listMessages, {
  read: async ({ db, query: { status, query, order } }, after, rows) => {
    const { isAfter, by } = bySeq(sql`m.seq`, order, after)
    const where = sql`
      ${status ? sql`m.status = ${status}` : sql`1`} AND ${isAfter}
      AND ${query === undefined ? sql`1` : matchesQuery(query)}`
    return (await readTogether(db, readMessages(where, rows, by)))[0]
  },
  row: messageRow,
  file: {
    name: 'messages',
    columns: {
      Id: (row) => row.id,
      'Sent (UTC)': (row) => iso(row.createdAt),
      Status: (row) => row.status,
      Name: (row) => row.name,
      'E-mail': (row) => row.email,
      Message: (row) => row.message,
      'Closed by': (row) => row.closedByName ?? '',
    },
  },
  waiting: { messages: { from: sql`contact_messages WHERE status = 'open'`, oldestFirst: sql`seq` } },
})

async function loadMessage(call: ActorCall): Promise<MessageFacts> {
  const [found] = await readTogether(call.db, readMessages(sql`m.id = ${call.params.id ?? ''}`, 1))
  return found[0] ?? refuse('not_found')
}

export const closeMessage = routeOf(endpoint, loadMessage, async (call, message) => {
  const { db, actor, nowMs } = call
  if (message.status !== 'open') refuse('already_decided', { msg: 'This message is already closed.' })
  return call.commit({
    statements: [
      db
        .update(contactMessages)
        .set({ status: 'closed', closedBy: actor.id, closedAt: nowMs })
        .where(eq(contactMessages.id, message.id)),
    ],
    audit: [{ action: 'message.closed', subject: message.id }],
    answer: ok(messageRow({ ...message, status: 'closed', closedByName: actor.displayName })),
  })
})

// The sender may have no account, so messages are scanned until a page is full.
function matchesQuery(query: string): SQL {
  const text = query.toLowerCase()
  return sql`(
    m.id = ${query} OR instr(lower(m.name), ${text}) > 0 OR instr(m.name, ${query}) > 0
    OR instr(lower(m.email), ${text}) > 0)`
}

interface MessageFacts {
  readonly seq: number
  readonly id: string
  readonly name: string
  readonly email: string
  readonly message: string
  readonly status: 'open' | 'closed'
  readonly createdAt: number
  readonly closedByName: string | null
  readonly investor: string | null
  readonly investorName: string | null
  readonly investorEmail: string | null
}

/** Contact messages `m` under a condition, newest first unless told otherwise. */
function readMessages(where: SQL, limit: number, by = sql`m.seq DESC`): Read<MessageFacts> {
  return reading(sql`
    SELECT m.seq, m.id, m.name, m.email, m.message, m.status, m.created_at AS createdAt, u.display_name AS closedByName,
           v.id AS investor, v.display_name AS investorName, v.email AS investorEmail
    FROM contact_messages m LEFT JOIN users u ON u.id = m.closed_by
    LEFT JOIN users v ON v.email = lower(m.email) AND v.role = 'investor'
    WHERE ${where} ORDER BY ${by} LIMIT ${limit}`)
}

function messageRow(facts: MessageFacts): ContactMessage {
  const { id, name, email, message, status, createdAt, closedByName } = facts
  const { investor, investorName, investorEmail } = facts
  return {
    _id: id,
    name,
    email,
    message,
    status,
    createdAt: iso(createdAt),
    closedBy: closedByName,
    investor:
      investor === null || investorName === null || investorEmail === null
        ? null
        : investorOf({ investor, investorName, investorEmail }),
  }
}
