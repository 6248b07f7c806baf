import { sql } from 'drizzle-orm'
import { formatCents } from '../../../src/contract/money.ts'
import { type Read, reading } from '../../lib/database.ts'
import { refuse } from '../../lib/errors.ts'

/** What the investor of a request owes, in cents; 0 where nothing is owed. */
export function readDebt(request: string): Read<{ owedCents: number }> {
  return reading(sql`
    SELECT -a.balance AS owedCents FROM requests r JOIN accounts a ON a.id = r.investor || ':owed'
    WHERE r.id = ${request}`)
}

/** Refuses to approve or pay a withdrawal while its investor owes money, in words for operators. The database asks again in the batch. */
export function refuseDebtor(owedCents: number): void {
  if (owedCents > 0)
    refuse('debt_outstanding', {
      msg: `This investor owes ${formatCents(owedCents)}. Reject this request: what was held repays the debt first.`,
    })
}
