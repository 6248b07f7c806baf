import { type SQL, sql } from 'drizzle-orm'
import type { ContactMessage } from '../../../src/contract/console/messages.ts'
import { iso } from '../../http/paging.ts'
import { type Read, reading } from '../../lib/database.ts'
import { investorOf } from '../cases/requests.ts'

export interface MessageFacts {
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

/** Contact messages `m`, newest first, that meet a condition. */
export function readMessages(where: SQL, limit: number): Read<MessageFacts> {
  return reading(sql`
    SELECT m.seq, m.id, m.name, m.email, m.message, m.status, m.created_at AS createdAt, u.display_name AS closedByName,
           v.id AS investor, v.display_name AS investorName, v.email AS investorEmail
    FROM contact_messages m LEFT JOIN users u ON u.id = m.closed_by
    LEFT JOIN users v ON v.email = lower(m.email) AND v.role = 'investor'
    WHERE ${where} ORDER BY m.seq DESC LIMIT ${limit}`)
}

export function messageRow(facts: MessageFacts): ContactMessage {
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
