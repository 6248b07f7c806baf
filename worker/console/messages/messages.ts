import { type SQL, sql } from 'drizzle-orm'
import { listMessages, MESSAGE_TOPICS } from '../../../src/contract/console/messages.ts'
import { describeStatus } from '../../../src/contract/console/requestWords.ts'
import { matchFilters } from '../../http/filters.ts'
import { type Position, toIso, toIsoOrNull } from '../../http/paging.ts'
import { buildSeqPage, createQueue, type Order } from '../../http/queue.ts'
import { readTogether } from '../../lib/database.ts'
import { matchNameSql, matchRefSql } from '../cases/search.ts'
import { isAssignedTo } from '../cases/workState.ts'
import { readMessages, TOPIC, toMessageRow } from './thread.ts'

export const messageQueue = createQueue(listMessages, {
  read: async (call, after, rows) => {
    const { status, query, order, assigned } = call.query
    const { isAfter, by } =
      status === 'open' ? sortByOpening(order, after) : buildSeqPage(sql`m.seq`, order, after)
    const where = sql`
      ${status ? sql`m.status = ${status}` : sql`1`} AND ${isAfter} AND ${isAssignedTo(assigned, sql`m.id`, call)}
      AND ${query === undefined ? sql`1` : matchQuerySql(query)}`
    const filtered = matchFilters(call.query, {
      table: sql`contact_messages`,
      alias: sql`m`,
      base: where,
      by,
      at: sql`m.created_at`,
      investor: sql`m.investor`,
    })
    return (await readTogether(call.db, readMessages(filtered, rows, by)))[0].map((row) => ({
      ...row,
      sortedAt: row.openedAt + (order === 'oldest' && row.topic === null ? LATER_MS : 0),
    }))
  },
  position: ({ sortedAt, seq }) => ({ at: sortedAt, seq }),
  row: toMessageRow,
  file: {
    name: 'messages',
    columns: {
      Id: (row) => row.id,
      Reference: (row) => row.ref,
      'Sent (UTC)': (row) => toIso(row.createdAt),
      Status: (row) => describeStatus(row.status),
      Topic: ({ topic }) => (topic === null ? '' : MESSAGE_TOPICS[topic].label),
      Name: (row) => row.name,
      'E-mail': (row) => row.email,
      Message: (row) => row.message,
      Replies: (row) => String(row.replies),
      'Answered by': (row) => row.answeredBy ?? '',
      'Last reply (UTC)': (row) => toIsoOrNull(row.answeredAt) ?? '',
      'Closed by': (row) => row.closedByName ?? '',
      'Closed (UTC)': (row) => toIsoOrNull(row.closedAt) ?? '',
    },
  },
})

/** Added to the times of threads without a topic, so that the others come first. */
const LATER_MS = 1e13

/** Open threads by the time since when they wait. With the oldest first, those with a topic come before the others. */
function sortByOpening(order: Order, after: Position | null): ReturnType<typeof buildSeqPage> {
  const isOldest = order === 'oldest'
  const place = after && sql`(${after.at}, ${after.seq})`
  const sortedAt = sql`(m.opened_at + iif(${TOPIC} IS NULL, ${LATER_MS}, 0))`
  return {
    isAfter:
      place === null
        ? sql`1`
        : isOldest
          ? sql`(${sortedAt}, m.seq) > ${place}`
          : sql`(m.opened_at, m.seq) < ${place}`,
    by: isOldest ? sql`${sortedAt}, m.seq` : sql`m.opened_at DESC, m.seq DESC`,
  }
}

/** Messages are searched for a part of a name or an address among this many of the newest. */
const NEWEST = 10_000

// The sender may have no account.
function matchQuerySql(query: string): SQL {
  const range = matchRefSql(query, 'MSG')
  if (range !== null) return range
  const text = query.toLowerCase()
  return sql`m.seq IN (
    SELECT seq FROM contact_messages WHERE id = ${query}
    UNION ALL SELECT seq FROM (SELECT seq FROM contact_messages WHERE email = ${text} ORDER BY seq DESC LIMIT ${NEWEST})
    UNION ALL SELECT seq FROM contact_messages
      WHERE seq > (SELECT max(seq) FROM contact_messages) - ${NEWEST} AND (
        ${matchNameSql(sql`name_folded`, query)} OR instr(lower(email), ${text}) > 0))`
}
