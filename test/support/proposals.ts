import { eq } from 'drizzle-orm'
import type { Database, Statement } from '../../worker/lib/database.ts'
import { proposals } from '../../worker/lib/tables/operators.ts'

/** Approves a proposal by SQL, as the other operator. */
export function decideProposal(db: Database, proposal: string, operator: string, nowMs: number): Statement {
  return db
    .update(proposals)
    .set({ status: 'approved', decidedBy: operator, decidedAt: nowMs })
    .where(eq(proposals.id, proposal))
}
