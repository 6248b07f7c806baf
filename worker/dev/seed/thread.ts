import { sql } from 'drizzle-orm'
import { newId, newRef } from '../../lib/crypto/tokens.ts'
import type { Database, Statement } from '../../lib/database.ts'
import { foldName } from '../../lib/foldName.ts'
import { contactMessages, threadEntries } from '../../lib/tables/outreach.ts'
import type { SeededPeople } from './people.ts'

const HOUR_MS = 3_600_000

/** A message of the sample investor about the pending deposit, and the reply to it. */
export function seedThread(db: Database, people: SeededPeople, nowMs: number): Statement[] {
  const id = newId()
  const [askedMs, answeredMs] = [nowMs - 20 * HOUR_MS, nowMs - 18 * HOUR_MS]
  const ref = sql`(SELECT ref FROM requests WHERE investor = ${people.investor} AND queue = 'deposits' AND status = 'pending')`
  return [
    db.insert(contactMessages).values({
      id,
      ref: newRef('MSG'),
      name: 'Sample Investor',
      nameFolded: foldName('Sample Investor'),
      email: 'investor@example.com',
      investor: people.investor,
      message: sql`'Hello, when will my deposit ' || ${ref} || ' be credited? My wallet says that the payment went through.'`,
      status: 'answered',
      createdAt: askedMs,
      openedAt: askedMs,
      handledAt: answeredMs,
    }),
    db.insert(threadEntries).values({
      thread: id,
      place: 2,
      id: newId(),
      operator: people.operator,
      text: 'Thank you for your message. The payment has few confirmations yet.\n\nWe credit it once it has enough. You get a mail then, and your transaction history shows it.',
      at: answeredMs,
    }),
  ]
}
