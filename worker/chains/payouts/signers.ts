import type { OperatorPayout, PayoutKey } from '../../../src/contract/console/payouts.ts'
import { isolate } from '../../../src/contract/isolate.ts'
import { formatUsd } from '../../../src/contract/money.ts'
import type { ActorCall } from '../../http/call.ts'
import { refuse } from '../../lib/errors.ts'
import { buildLink, composeMail, quotePerson } from '../../lib/mail/compose.ts'
import type { Mail } from '../../lib/mail/outbox.ts'
import type { ItemFacts, WholePayout } from './read.ts'

/** A mail to each other operator whose signature is missing. They hand it in from their own session. */
export function listSignerMails(
  { env, actor }: ActorCall,
  { treasurers }: Pick<WholePayout, 'treasurers'>,
  { _id, amount, missing, signatures, keys }: OperatorPayout,
): Mail[] {
  // The only key has no holder. The operator who builds the payout usually signs with it.
  if (signatures.need === 1 && keys.every(({ holder }) => holder === null)) return []
  const needs = signatures.need === 1 ? 'your signature' : `${signatures.need} signatures`
  return treasurers
    .filter(({ id }) => id !== actor.id && missing.some((signer) => signer._id === id))
    .map(({ email, name }) =>
      composeMail(email, 'A payout waits for your signature', name, [
        `${quotePerson(actor.displayName)} built a payout of ${formatUsd(amount)}. It takes ${needs}. Compare it in the console, sign it with your key and hand your signature in there.`,
        { label: 'Open the payout', href: buildLink(env, '/operator/payouts', { open: _id }) },
      ]),
    )
}

/** Whether somebody who approved none of the withdrawals can give the last signature with one of these keys. */
export function canBeReleased(
  keys: readonly PayoutKey[],
  items: readonly Pick<ItemFacts, 'approver'>[],
): boolean {
  return keys.some(({ holder }) => holder === null || items.every(({ approver }) => approver !== holder._id))
}

/** Refuses a signature that the key of another operator made, so that nobody signs in somebody else's name. */
export async function assertOwnKeys(
  call: ActorCall,
  payout: WholePayout,
  keys: readonly PayoutKey[],
  made: readonly number[],
): Promise<void> {
  const other = keys.find(
    ({ key, holder }) => made.includes(key) && holder !== null && holder._id !== call.actor.id,
  )
  if (!other?.holder) return
  const detail = { wallet: payout.wallet, key: other.keyName, holder: other.holder._id }
  await call.commit({
    audit: [{ action: 'payout.signed_with_key_of_another', subject: payout.id, detail }],
  })
  const advice = other.holder.canSign
    ? 'They hand it in from their own session.'
    : 'They can no longer sign. Two administrators assign the key to somebody else on the Wallets page.'
  refuse('key_of_another', {
    msg: `This signature was made with the key of ${isolate(other.holder.name)}. ${advice}`,
  })
}
