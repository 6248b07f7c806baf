import { and, eq } from 'drizzle-orm'
import { coinOfNetwork } from '../../../src/contract/money/coins.ts'
import type { SavedAddress } from '../../../src/contract/money/destinations.ts'
import type { ActorCall } from '../../http/call.ts'
import { iso } from '../../http/paging.ts'
import { refuse, refuseField, violates } from '../../lib/errors.ts'
import { savedAddresses } from '../../lib/tables/requests.ts'

export type SavedAddressRow = typeof savedAddresses.$inferSelect

/** A saved address as the API answers it. */
export function savedAddressOf(row: Omit<SavedAddressRow, 'seq'>): SavedAddress {
  return {
    _id: row.id,
    label: row.label,
    type: coinOfNetwork(row.network),
    network: row.network,
    address: row.address,
    createdAt: iso(row.createdAt),
  }
}

/** The saved address that `:id` names, if it is the actor's own; refuses `not_found`. */
export async function ownAddress({ db, actor, params }: ActorCall): Promise<SavedAddressRow> {
  const [row] = await db
    .select()
    .from(savedAddresses)
    .where(and(eq(savedAddresses.id, params.id ?? ''), eq(savedAddresses.investor, actor.id)))
  return row ?? refuse('not_found')
}

/** Runs what gives an address a name. Two of somebody's addresses never have the same, however it is written. */
export async function naming(run: () => Promise<void>): Promise<void> {
  try {
    await run()
  } catch (error) {
    if (violates(error, 'UNIQUE', 'saved_addresses.label'))
      refuseField('label', 'Another address of yours has this name')
    throw error
  }
}
