import { and, desc, eq, lt, or, sql } from 'drizzle-orm'
import { coinOfNetwork } from '../../../src/contract/money/coins.ts'
import type * as contract from '../../../src/contract/money/destinations.ts'
import type { SavedAddress } from '../../../src/contract/money/destinations.ts'
import { type ActorCall, type Answer, type CallOf, created, noContent, ok } from '../../http/call.ts'
import { refuseFields } from '../../http/fields.ts'
import { iso, openCursor, pageOf } from '../../http/paging.ts'
import { newId } from '../../lib/crypto/tokens.ts'
import { refuse, refuseField, violates } from '../../lib/errors.ts'
import { savedAddresses } from '../../lib/tables/requests.ts'
import { walletDestination } from '../withdrawals/destination.ts'

/** The actor's saved addresses, newest first. */
export async function listAddresses(
  call: CallOf<typeof contract.listAddresses>,
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

/**
 * Saves an address under a name, validated like a withdrawal to it. Refuses `address_saved` if it is already saved. The first
 * withdrawal to a saved address still counts as one to a new destination.
 */
export async function saveAddress(call: CallOf<typeof contract.saveAddress>): Promise<Answer<SavedAddress>> {
  const { actor, body, db, nowMs } = call
  const { label, network, address } = body
  const destination = await walletDestination(body)
  if (Object.keys(destination.problems).length > 0) refuseFields(destination.problems)
  const row = {
    id: newId(),
    investor: actor.id,
    label,
    network,
    address,
    destinationHash: destination.hash,
    createdAt: nowMs,
  }
  await refuseDuplicateName(() =>
    call.commit({
      statements: [db.insert(savedAddresses).values(row)],
      audit: [{ action: 'address.saved', subject: row.id }],
    }),
  )
  return created(savedAddressOf(row))
}

export async function renameAddress(
  call: CallOf<typeof contract.renameAddress>,
  row: SavedAddressRow,
): Promise<Answer<SavedAddress>> {
  const { label } = call.body
  await refuseDuplicateName(() =>
    call.commit({
      statements: [sql`UPDATE saved_addresses SET label = ${label} WHERE id = ${row.id}`],
      audit: [{ action: 'address.renamed', subject: row.id }],
    }),
  )
  return ok(savedAddressOf({ ...row, label }))
}

/** Deletes a saved address. Its destination stays known, and filed withdrawals are unaffected. */
export async function deleteAddress(call: ActorCall, row: SavedAddressRow): Promise<Answer<undefined>> {
  await call.commit({
    statements: [sql`DELETE FROM saved_addresses WHERE id = ${row.id}`],
    audit: [{ action: 'address.deleted', subject: row.id }],
  })
  return noContent()
}

export type SavedAddressRow = typeof savedAddresses.$inferSelect

/** A saved address as the API answers it. */
function savedAddressOf(row: Omit<SavedAddressRow, 'seq'>): SavedAddress {
  return {
    _id: row.id,
    label: row.label,
    type: coinOfNetwork(row.network),
    network: row.network,
    address: row.address,
    createdAt: iso(row.createdAt),
  }
}

/** Loads the actor's saved address `:id`. Refuses `not_found`. */
export async function ownAddress({ db, actor, params }: ActorCall): Promise<SavedAddressRow> {
  const [row] = await db
    .select()
    .from(savedAddresses)
    .where(and(eq(savedAddresses.id, params.id ?? ''), eq(savedAddresses.investor, actor.id)))
  return row ?? refuse('not_found')
}

/** Refuses a name that another address of the investor has, ignoring case. */
async function refuseDuplicateName<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (violates(error, 'UNIQUE', 'saved_addresses.label'))
      refuseField('label', 'You already use this name for another address')
    throw error
  }
}
