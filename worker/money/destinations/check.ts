import { and, eq } from 'drizzle-orm'
import type * as contract from '../../../src/contract/money/destinations.ts'
import type { DestinationDelay } from '../../../src/contract/money/destinations.ts'
import { type ActorCall, type Answer, type CallOf, ok } from '../../http/call.ts'
import { refuseFields } from '../../http/fields.ts'
import { toIso } from '../../http/paging.ts'
import { canLiftDelay } from '../../identity/credentials/recentChange.ts'
import { readTogether, selectRows, selectValues } from '../../lib/database.ts'
import { knownDestinations } from '../../lib/tables/requests.ts'
import { computeDelayEnd } from '../withdrawals/decide.ts'
import { buildWalletDestination, hashBank } from '../withdrawals/destination.ts'
import { isProofTrusted, selectProvedAt } from '../withdrawals/ownerProofs.ts'

/** Says whether a wallet is new to the actor, and until when a withdrawal to it is delayed. Informational: filing decides again. */
export async function checkWallet(
  call: CallOf<typeof contract.checkWallet>,
): Promise<Answer<DestinationDelay>> {
  const { hash, problems } = await buildWalletDestination(call.body)
  if (Object.keys(problems).length > 0) refuseFields(problems)
  return checkDelay(call, hash)
}

/** The same for a bank account. */
export async function checkBankAccount(
  call: CallOf<typeof contract.checkBankAccount>,
): Promise<Answer<DestinationDelay>> {
  return checkDelay(call, await hashBank(call.body))
}

async function checkDelay({ actor, db, nowMs }: ActorCall, hash: string): Promise<Answer<DestinationDelay>> {
  const { investor, destinationHash } = knownDestinations
  const [[known], [own]] = await readTogether(
    db,
    selectRows({ heldUntil: knownDestinations.heldUntil })
      .from(knownDestinations)
      .where(and(eq(investor, actor.id), eq(destinationHash, hash))),
    selectValues({ provedAt: selectProvedAt(actor.id, hash) }),
  )
  const lifts =
    canLiftDelay(actor, nowMs) || isProofTrusted(own?.provedAt ?? null, actor.securityChangedAtMs, nowMs)
  const isKnown = known !== undefined
  const facts = { destinationKnown: isKnown, destinationDelayedUntil: known?.heldUntil ?? null }
  const until = computeDelayEnd(facts, !isKnown && lifts, nowMs)
  return ok({ isKnown, heldUntil: until === null ? null : toIso(until) })
}
