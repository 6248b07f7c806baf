import type { BodyOf } from '../../../src/contract/endpoint.ts'
import type { saveAddress as endpoint, SavedAddress } from '../../../src/contract/money/destinations.ts'
import { type ActorCall, type Answer, type CheckedCall, created } from '../../http/call.ts'
import { refuseFields } from '../../http/fields.ts'
import { newId } from '../../lib/crypto/tokens.ts'
import { savedAddresses } from '../../lib/tables/requests.ts'
import { walletDestination } from '../withdrawals/destination.ts'
import { naming, savedAddressOf } from './savedAddress.ts'

/**
 * Saves an address under a name, checked as a withdrawal to it would be. An address is saved once, however it is written:
 * again is 409 `address_saved`. Saving confirms nothing: a first withdrawal to it is still one to a new destination.
 */
export async function saveAddress(
  call: CheckedCall<BodyOf<typeof endpoint>, unknown> & ActorCall,
): Promise<Answer<SavedAddress>> {
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
  await naming(() =>
    call.commit({
      statements: [db.insert(savedAddresses).values(row)],
      audit: [{ action: 'address.saved', subject: row.id }],
    }),
  )
  return created(savedAddressOf(row))
}
