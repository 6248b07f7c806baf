import { sql } from 'drizzle-orm'
import type { ActorCall } from '../../http/call.ts'
import { reading, readTogether } from '../../lib/database.ts'
import { refuse } from '../../lib/errors.ts'
import { isSamePayment } from '../../money/requests/references.ts'

/** Refuses a reference that is used. Only where the decision is refused anyway: a decision itself meets the constraint. */
export async function assertReferenceFree({ db }: ActorCall, reference: string): Promise<void> {
  const [used] = await readTogether(
    db,
    reading<{ one: 1 }>(
      sql`SELECT 1 AS one FROM references_in_force WHERE ${isSamePayment(reference)} LIMIT 1`,
    ),
  )
  if (used.length > 0) refuse('reference_used')
}
