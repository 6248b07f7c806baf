import { and, desc, eq, lt, or } from 'drizzle-orm'
import type { QueryOf } from '../../../src/contract/endpoint.ts'
import type { listAddresses as endpoint, SavedAddress } from '../../../src/contract/money/destinations.ts'
import { type ActorCall, type Answer, type CheckedCall, ok } from '../../http/call.ts'
import { openCursor, pageOf } from '../../http/paging.ts'
import { savedAddresses } from '../../lib/tables/requests.ts'
import { savedAddressOf } from './savedAddress.ts'

/** The actor's saved addresses, newest first. */
export async function listAddresses(
  call: CheckedCall<unknown, QueryOf<typeof endpoint>> & ActorCall,
): Promise<Answer<SavedAddress[]>> {
  const { limit, cursor } = call.query
  const after = openCursor(cursor)
  const { createdAt, seq, investor } = savedAddresses
  const rows = await call.db
    .select()
    .from(savedAddresses)
    .where(
      and(
        eq(investor, call.actor.id),
        after === null
          ? undefined
          : or(lt(createdAt, after.at), and(eq(createdAt, after.at), lt(seq, after.seq))),
      ),
    )
    .orderBy(desc(createdAt), desc(seq))
    .limit(limit + 1)
  const page = pageOf(call, rows, limit, (row) => ({ at: row.createdAt, seq: row.seq }))
  return ok(page.rows.map(savedAddressOf), page.headers)
}
