import { sql } from 'drizzle-orm'
import type { Proposal } from '../../../src/contract/operator/proposals.ts'
import { type ActorCall, type Answer, type CheckedCall, ok } from '../../lib/call.ts'
import { readTogether } from '../../lib/database.ts'
import { openCursor, pageOf } from '../../lib/paging.ts'
import { type ProposalFacts, proposalRow, readProposals } from './proposal.ts'

interface ProposalQuery {
  readonly status?: ProposalFacts['status'] | '' | undefined
  readonly limit: number
  readonly cursor?: string | undefined
}

/** What one operator may not do alone, newest first. */
export async function listProposals(
  call: CheckedCall<unknown, ProposalQuery> & ActorCall,
): Promise<Answer<Proposal[]>> {
  const { status, limit, cursor } = call.query
  const after = openCursor(cursor)
  const where = sql`
    ${status ? sql`p.status = ${status}` : sql`1`} AND ${after === null ? sql`1` : sql`p.seq < ${after.seq}`}`
  const [found] = await readTogether(call.db, readProposals(where, limit + 1))
  const { rows, headers } = pageOf(call, found, limit, ({ seq }) => ({ at: 0, seq }))
  return ok(rows.map(proposalRow), headers)
}
