import { sql } from 'drizzle-orm'
import { type Database, runBatch } from '../../worker/lib/database.ts'
import { proposals } from '../../worker/lib/tables/operators.ts'
import { venueTransfers } from '../../worker/lib/tables/venues.ts'
import { newOperator } from './people.ts'

let transfers = 0

/** Two operators move a quantity (10⁻⁸) to an exchange, or back if it is negative. */
export async function moveToVenue(
  db: Database,
  transfer: { venue: string; asset: string; quantity: number; at: number },
): Promise<void> {
  const [proposer, approver] = [await newOperator(), await newOperator()]
  const id = `transfer-${++transfers}`
  const payload = JSON.stringify({ action: 'transfer', ...transfer })
  await runBatch(db, [
    db.insert(proposals).values({
      ...{ id, kind: 'venue', proposedBy: proposer.id },
      ...{ createdAt: transfer.at, reason: 'A test', payload },
    }),
    sql`UPDATE proposals SET status = 'approved', decided_by = ${approver.id}, decided_at = ${transfer.at} WHERE id = ${id}`,
    db.insert(venueTransfers).values({ ...transfer, proposal: id }),
  ])
}
