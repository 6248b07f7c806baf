import { and, desc, eq, isNull, sql } from 'drizzle-orm'
import { getNetworkFacts, NETWORK_LABELS } from '../../../src/contract/money/coins.ts'
import type * as contract from '../../../src/contract/money/destinations.ts'
import type { SavedAddress } from '../../../src/contract/money/destinations.ts'
import { site } from '../../../src/site.ts'
import { DAY_MS } from '../../../src/time.ts'
import { decodeBitcoinScript } from '../../chains/ownership/bytes.ts'
import { findProofMethod } from '../../chains/ownership/proofMethod.ts'
import { type Answer, type CallOf, created, ok } from '../../http/call.ts'
import { toIso } from '../../http/paging.ts'
import { buildSecurityMail } from '../../identity/credentials/lockToken.ts'
import { isRecentChange } from '../../identity/credentials/recentChange.ts'
import { commitWithProof } from '../../identity/factors/commitWithProof.ts'
import { generateToken, newId } from '../../lib/crypto/tokens.ts'
import { refuse, refuseField } from '../../lib/errors.ts'
import { ownerProofs } from '../../lib/tables/requests.ts'
import { type SavedAddressRow, toSavedAddress } from './addresses.ts'

/** Issues a message for the address's key to sign, valid for a day, instead of an earlier one that nobody signed. */
export async function challengeAddress(
  call: CallOf<typeof contract.challengeAddress>,
  saved: SavedAddressRow,
): Promise<Answer<{ message: string; expiresAt: string }>> {
  const { db, env, actor, nowMs } = call
  const { network, address, destinationHash } = saved
  if (getNetworkFacts(network).family === 'bitcoin' && decodeBitcoinScript(address) === null)
    refuse('conflict', {
      msg: 'This address belongs to several keys or a script, so no single signature proves it.',
    })
  const expiresAt = nowMs + DAY_MS
  // One line of plain letters, because devices show nothing else and some change line ends.
  const message = `${new URL(env.PUBLIC_ORIGIN).host}: investor ${actor.id} owns ${address} on ${NETWORK_LABELS[network]}. Signed to show this, and for nothing else. Valid until ${toIso(expiresAt)}, number ${generateToken(12)}`
  const row = { id: newId(), investor: actor.id, network, address, destinationHash, message }
  await call.commit({
    statements: [
      sql`DELETE FROM owner_proofs
        WHERE investor = ${actor.id} AND destination_hash = ${destinationHash} AND proved_at IS NULL`,
      db.insert(ownerProofs).values({ ...row, createdAt: nowMs, expiresAt }),
    ],
    audit: [{ action: 'address.challenged', subject: saved.id }],
  })
  return created({ message, expiresAt: toIso(expiresAt) })
}

/**
 * Records the signature of the address's newest message. It takes the password: a thief in an open session could prove a wallet of
 * their own. Ends the delay of the destination, unless a security change is recent. Earlier withdrawals keep theirs.
 */
export async function proveAddress(
  call: CallOf<typeof contract.proveAddress>,
  saved: SavedAddressRow,
): Promise<Answer<SavedAddress>> {
  const { db, env, actor, nowMs, body } = call
  const { network, address, destinationHash } = saved
  const { signature, ...proof } = body
  const [issued] = await db
    .select()
    .from(ownerProofs)
    .where(
      and(
        eq(ownerProofs.investor, actor.id),
        eq(ownerProofs.destinationHash, destinationHash),
        isNull(ownerProofs.provedAt),
      ),
    )
    .orderBy(desc(ownerProofs.seq))
    .limit(1)
  if (issued === undefined || issued.expiresAt < nowMs)
    return refuse('conflict', {
      msg: 'Please ask for a new message first. Each is valid for a day and proves once.',
    })
  const method = findProofMethod({ network, address, message: issued.message, signature })
  if (method === null) refuseField('signature', 'This signature does not match the message and the address')
  const mail = await buildSecurityMail(env, actor, nowMs, 'A withdrawal address was proved as yours', [
    `At ${site.brand}, a signature showed that you hold the key of the ${NETWORK_LABELS[network]} address ${address}. Withdrawals to it no longer wait as those to a new destination do.`,
  ])
  await commitWithProof(
    call,
    proof,
    {
      statements: [
        db
          .update(ownerProofs)
          .set({ method, signature, provedAt: nowMs })
          .where(eq(ownerProofs.id, issued.id)),
        ...(isRecentChange(actor.securityChangedAtMs, nowMs)
          ? []
          : [
              sql`UPDATE known_destinations SET held_until = NULL
                WHERE investor = ${actor.id} AND destination_hash = ${destinationHash} AND held_until IS NOT NULL`,
            ]),
      ],
      audit: [{ action: 'address.proved', subject: saved.id, detail: { method } }],
      mails: [mail],
    },
    { withoutFactor: 'password' },
  )
  return ok(toSavedAddress({ ...saved, provedAt: nowMs, onSince: null }, nowMs))
}
