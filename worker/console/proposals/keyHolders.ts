import { eq, sql } from 'drizzle-orm'
import type * as z from 'zod/mini'
import type { keyHoldersProposal } from '../../../src/contract/console/proposalBodies.ts'
import { readTreasurers } from '../../chains/payouts/read.ts'
import { findKeyHolder, getKeyName, readKeyHolders } from '../../chains/watchWallets/keyHolders.ts'
import { readWallet } from '../../chains/watchWallets/signers.ts'
import type { AuditEntry } from '../../http/audit.ts'
import type { ActorCall } from '../../http/call.ts'
import { readTogether, selectRows } from '../../lib/database.ts'
import { refuse, refuseField } from '../../lib/errors.ts'
import { watchWallets } from '../../lib/tables/payments.ts'
import type { ProposalEffect } from './effect.ts'
import { type NewProposal, type ProposalOfKind, readPendingProposals } from './proposal.ts'

/**
 * Proposes who holds each key of an active watch-only wallet. The database checks the holders again when it is approved, and its view
 * `key_holders` shows the newest approval.
 */
export async function proposeKeyHolders(
  { db, env }: ActorCall,
  { kind, wallet: id, holders, reason }: z.output<typeof keyHoldersProposal>,
): Promise<NewProposal> {
  const [[wallet], treasurers, present, pending] = await readTogether(
    db,
    selectRows({
      chain: watchWallets.chain,
      descriptor: watchWallets.descriptor,
      retiredAt: watchWallets.retiredAt,
    })
      .from(watchWallets)
      .where(eq(watchWallets.id, id)),
    readTreasurers(),
    readKeyHolders(sql`h.wallet = ${id}`),
    readPendingProposals(sql`kind = ${kind} AND json_extract(payload, '$.wallet') = ${id}`),
  )
  if (wallet === undefined) return refuseField('wallet', 'There is no such watch-only wallet')
  const { chain, descriptor } = wallet
  const { signers } = readWallet(env, chain, descriptor)
  if (holders.length !== signers.length)
    refuseField('holders', `This wallet has ${signers.length} keys. Please name the holder of each, or null`)
  const named = holders.filter((holder) => holder !== null)
  const people = treasurers.filter((treasurer) => named.includes(treasurer.id))
  if (named.some((holder) => !people.some((person) => person.id === holder)))
    refuseField('holders', 'Only a treasurer whose account is active can hold a key')
  if (people.length !== named.length)
    refuseField('holders', 'One person cannot hold two keys, because each signature is of another person')
  if (signers.every(({ key }) => holders[key] === (findKeyHolder(present, id, key)?._id ?? null)))
    refuseField('holders', 'Nothing would change')
  if (wallet.retiredAt !== null) refuse('already_decided', { msg: 'This wallet is retired.' })
  if (pending.length > 0) refuse('conflict', { msg: 'The holders of its keys are already proposed.' })
  const keys = signers.map((signer) => ({ keyName: getKeyName(signer), holder: holders[signer.key] ?? null }))
  return {
    kind,
    reason,
    payload: { wallet: id, chain, keys },
    people: people.map((person) => ({ _id: person.id, name: person.name })),
  }
}

/** The approved proposal itself says who holds the keys. Each key has its audit line. */
export function buildKeyHoldersEffect({ id, payload }: ProposalOfKind<'key_holders'>): ProposalEffect {
  const { wallet, chain, keys } = payload
  return {
    statements: [],
    audit: keys.map(({ keyName, holder }): AuditEntry => {
      const detail = { proposal: id, chain, key: keyName, holder }
      return { action: 'watch_wallet.key_assigned', subject: wallet, detail }
    }),
  }
}
