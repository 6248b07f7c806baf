import { sql } from 'drizzle-orm'
import type { listInvestorNotes as endpoint } from '../../../src/contract/console/investorFile.ts'
import type { addInvestorNote as addEndpoint, InvestorNote } from '../../../src/contract/console/investors.ts'
import type { BodyOf, QueryOf } from '../../../src/contract/endpoint.ts'
import { type ActorCall, type Answer, type CheckedCall, created, ok } from '../../http/call.ts'
import { iso, openCursor, pageOf } from '../../http/paging.ts'
import { newId } from '../../lib/crypto/tokens.ts'
import { reading } from '../../lib/database.ts'
import { refuse } from '../../lib/errors.ts'
import { investorNotes } from '../../lib/tables/operators.ts'
import { readFile } from './file.ts'
import type { Investor } from './investor.ts'

interface Row {
  readonly seq: number
  readonly id: string
  readonly at: number
  readonly by: string
  readonly text: string
}

/** What operators noted about an investor, newest first. */
export async function listInvestorNotes(
  call: CheckedCall<unknown, QueryOf<typeof endpoint>> & ActorCall,
): Promise<Answer<InvestorNote[]>> {
  const { cursor, limit } = call.query
  const after = openCursor(cursor)
  const { rows } = await readFile(
    call,
    reading<Row>(sql`
      SELECT n.seq, n.id, n.at, n.text, a.display_name AS by FROM investor_notes n JOIN users a ON a.id = n.author
      WHERE n.investor = ${call.params.id ?? ''} AND ${after === null ? sql`1` : sql`n.seq < ${after.seq}`}
      ORDER BY n.seq DESC LIMIT ${limit + 1}`),
  )
  const page = pageOf(call, rows[0], limit, ({ seq }) => ({ at: 0, seq }))
  return ok(page.rows.map(noteOf), page.headers)
}

/** Notes something about an investor. The audit log says that, and when; the text stands here alone, and goes with the person. */
export async function addInvestorNote(
  call: CheckedCall<BodyOf<typeof addEndpoint>, unknown> & ActorCall,
  { facts }: Investor,
): Promise<Answer<InvestorNote>> {
  const { db, nowMs, actor, body } = call
  if (facts.isErased) refuse('conflict', { msg: 'Who this was has been erased: nothing is noted any more.' })
  const id = newId()
  const answer = created(noteOf({ id, at: nowMs, by: actor.displayName, text: body.text }))
  await call.commit({
    statements: [
      db
        .insert(investorNotes)
        .values({ id, investor: facts.id, author: actor.id, at: nowMs, text: body.text }),
    ],
    audit: [{ action: 'investor.noted', subject: facts.id, detail: { note: id } }],
    answer,
  })
  return answer
}

function noteOf({ id, at, by, text }: Omit<Row, 'seq'>): InvestorNote {
  return { _id: id, at: iso(at), by, text }
}
