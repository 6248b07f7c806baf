import { sql } from 'drizzle-orm'
import type { ActorCall } from '../../http/call.ts'
import { type Read, type RowsOf, reading, readTogether } from '../../lib/database.ts'
import { refuse } from '../../lib/errors.ts'
import { type InvestorFacts, readInvestors } from './investor.ts'

/** A second look by the same operator within this time is the same look. */
const LOOK_MS = 3_600_000

/**
 * Reads parts of the file of the investor whom `:id` names, in one round trip; refuses `not_found`. Whoever looks is put on the
 * audit log, once an hour for each investor: each part of a file alone tells much about a person, and opening all of them is one look.
 */
export async function readFile<const Reads extends readonly Read<unknown>[]>(
  call: ActorCall,
  ...reads: Reads
): Promise<{ readonly facts: InvestorFacts; readonly rows: RowsOf<Reads> }> {
  const id = call.params.id ?? ''
  const [found, looks, ...rows] = await readTogether(
    call.db,
    readInvestors(sql`u.id = ${id}`, 1),
    reading<{ at: number }>(sql`
      SELECT at FROM audit_log WHERE actor = ${call.actor.id} AND at > ${call.nowMs - LOOK_MS}
        AND action = 'investor.viewed' AND subject = ${id} LIMIT 1`),
    ...reads,
  )
  const facts = found[0] ?? refuse('not_found')
  if (looks.length === 0) await call.commit({ audit: [{ action: 'investor.viewed', subject: facts.id }] })
  return { facts, rows: rows as unknown as RowsOf<Reads> }
}
