import { sql } from 'drizzle-orm'
import { listInvestorNotes as listNotes } from '../../../src/contract/console/investorFile.ts'
import type { InvestorNote } from '../../../src/contract/console/investors.ts'
import * as investorActs from '../../../src/contract/console/investors.ts'
import { created } from '../../http/call.ts'
import { iso } from '../../http/paging.ts'
import { routeOf } from '../../http/route.ts'
import { newId } from '../../lib/crypto/tokens.ts'
import { reading } from '../../lib/database.ts'
import { refuse } from '../../lib/errors.ts'
import { investorNotes } from '../../lib/tables/operators.ts'
import { part } from './file.ts'
import { loadInvestor } from './investor.ts'

interface Row {
  readonly seq: number
  readonly id: string
  readonly at: number
  readonly by: string
  readonly text: string
}

/** What operators noted about an investor. */
export const listInvestorNotes = part(listNotes, {
  read: (investor, after, { limit }) =>
    reading<Row>(sql`
      SELECT n.seq, n.id, n.at, n.text, a.display_name AS by FROM investor_notes n JOIN users a ON a.id = n.author
      WHERE n.investor = ${investor} AND ${after === null ? sql`1` : sql`n.seq < ${after.seq}`}
      ORDER BY n.seq DESC LIMIT ${limit + 1}`),
  position: ({ seq }) => ({ at: 0, seq }),
  row: noteOf,
})

/** Adds a note about an investor. The audit log has no text of it: the text is erased with the person. */
export const addInvestorNote = routeOf(
  investorActs.addInvestorNote,
  loadInvestor,
  async (call, { facts }) => {
    const { db, nowMs, actor, body } = call
    if (facts.isErased)
      refuse('conflict', { msg: 'Who this was has been erased: nothing is noted any more.' })
    const id = newId()
    return call.commit({
      statements: [
        db
          .insert(investorNotes)
          .values({ id, investor: facts.id, author: actor.id, at: nowMs, text: body.text }),
      ],
      audit: [{ action: 'investor.noted', subject: facts.id, detail: { note: id } }],
      answer: created(noteOf({ id, at: nowMs, by: actor.displayName, text: body.text })),
    })
  },
)

function noteOf({ id, at, by, text }: Omit<Row, 'seq'>): InvestorNote {
  return { _id: id, at: iso(at), by, text }
}
