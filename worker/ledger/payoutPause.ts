import { eq, isNull } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { selectRows } from '../lib/database.ts'
import { payoutPauses } from '../lib/tables/payouts.ts'
import { users } from '../lib/tables/people.ts'

/** The pause of all payouts that has not ended; no row while payouts go on. */
export function readPause() {
  const [p, u] = [alias(payoutPauses, 'p'), alias(users, 'u')]
  return selectRows({ at: p.at, actor: p.actor, name: u.displayName, reason: p.reason })
    .from(p)
    .innerJoin(u, eq(u.id, p.actor))
    .where(isNull(p.liftedAt))
}
