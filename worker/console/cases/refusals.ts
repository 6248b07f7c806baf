import { eq, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { formatCents } from '../../../src/contract/money.ts'
import type { ActorCall } from '../../http/call.ts'
import { refuseAsFrozen } from '../../ledger/frozen.ts'
import { readTogether, selectRows } from '../../lib/database.ts'
import { refuse } from '../../lib/errors.ts'
import { accounts } from '../../lib/tables/ledger.ts'
import { requests } from '../../lib/tables/requests.ts'
import { isSamePayment } from '../../money/requests/references.ts'
import type { RequestFacts } from './requests.ts'

// Refusals with explanations for operators. The database enforces each of them again in the batch.

/** The debt of a request's investor in cents; no row if there is none. */
export function readDebt(request: string) {
  const [r, a] = [alias(requests, 'r'), alias(accounts, 'a')]
  return selectRows({ owedCents: sql<number>`-a.balance` })
    .from(r)
    .innerJoin(a, sql`a.id = r.investor || ':owed'`)
    .where(eq(r.id, request))
}

/** Refuses to approve or pay a withdrawal while its investor owes money. */
export function refuseDebtor(owedCents: number): void {
  if (owedCents > 0)
    refuse('debt_outstanding', {
      msg: `This investor owes ${formatCents(owedCents)}. Reject this request: the released hold repays the debt first.`,
    })
}

/** Refuses to move money for a request while its investor's account is frozen. */
export function refuseFrozen({ frozenAt }: Pick<RequestFacts, 'frozenAt'>): void {
  if (frozenAt !== null) refuseAsFrozen()
}

/** Refuses a used reference. Call it only where the decision is refused anyway: a commit meets the constraint itself. */
export async function assertReferenceFree({ db }: ActorCall, reference: string): Promise<void> {
  const [used] = await readTogether(
    db,
    selectRows({ one: sql`1` }).from(sql`references_in_force`).where(isSamePayment(reference)).limit(1),
  )
  if (used.length > 0) refuse('reference_used')
}
