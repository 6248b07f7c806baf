import { eq } from 'drizzle-orm'
import { type ActorCall, type Answer, noContent } from '../../http/call.ts'
import { savedAddresses } from '../../lib/tables/requests.ts'
import type { SavedAddressRow } from './savedAddress.ts'

/** Takes an address out of the book. A destination that was confirmed stays known, and what was filed stays filed. */
export async function deleteAddress(call: ActorCall, row: SavedAddressRow): Promise<Answer<undefined>> {
  await call.commit({
    statements: [call.db.delete(savedAddresses).where(eq(savedAddresses.id, row.id))],
    audit: [{ action: 'address.deleted', subject: row.id }],
  })
  return noContent()
}
