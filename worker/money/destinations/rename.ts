import { eq } from 'drizzle-orm'
import type { BodyOf } from '../../../src/contract/endpoint.ts'
import type { renameAddress as endpoint, SavedAddress } from '../../../src/contract/money/destinations.ts'
import { type ActorCall, type Answer, type CheckedCall, ok } from '../../http/call.ts'
import { savedAddresses } from '../../lib/tables/requests.ts'
import { naming, type SavedAddressRow, savedAddressOf } from './savedAddress.ts'

/** Gives a saved address another name. */
export async function renameAddress(
  call: CheckedCall<BodyOf<typeof endpoint>, unknown> & ActorCall,
  row: SavedAddressRow,
): Promise<Answer<SavedAddress>> {
  const { label } = call.body
  await naming(() =>
    call.commit({
      statements: [call.db.update(savedAddresses).set({ label }).where(eq(savedAddresses.id, row.id))],
      audit: [{ action: 'address.renamed', subject: row.id }],
    }),
  )
  return ok(savedAddressOf({ ...row, label }))
}
