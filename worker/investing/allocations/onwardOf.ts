import type { Onward } from '../../../src/contract/investing/redeem.ts'
import type { StepUpReason } from '../../../src/contract/money/withdrawals.ts'
import type { SentProof } from '../../http/factorProof.ts'
import { bankDestination, type Destination, walletDestination } from '../../money/withdrawals/destination.ts'
import type { NewWithdrawal } from '../../money/withdrawals/facts.ts'
import type { Proof } from '../../money/withdrawals/proof.ts'

/** The withdrawal that the proceeds of a redemption are for, as it is kept until they are there. */
export interface KeptOnward {
  readonly kind: NewWithdrawal['kind']
  readonly destination: Pick<Destination, 'hash' | 'words' | 'details'>
  readonly sessionId: string
  readonly proof: Pick<Proof, 'by' | 'passkey'>
  readonly reasons: readonly StepUpReason[]
}

/** The withdrawal of the proceeds, as it is asked for. */
export async function withdrawalOf(
  onward: Onward,
  amountCents: number,
  proof: SentProof,
): Promise<NewWithdrawal> {
  if (onward.way === 'wallet') {
    const destination = await walletDestination(onward.fields)
    return { kind: 'withdrawal', amountCents, destination: within(destination), proof }
  }
  // Neither the amount nor the proof is part of it.
  const aside = { amount: amountCents, code: undefined, passkey: undefined }
  const destination = await bankDestination({ ...onward.fields, ...aside })
  return { kind: 'online-service-withdrawal', amountCents, destination: within(destination), proof }
}

// What is wrong with a field is said where the field stands.
function within(destination: Destination): Destination {
  const problems = Object.fromEntries(
    Object.entries(destination.problems).map(([field, problem]) => [`thenWithdraw.${field}`, problem]),
  )
  return { ...destination, problems }
}

/** As it was kept: this module alone writes it. */
export function readOnward(json: string): KeptOnward {
  return JSON.parse(json) as KeptOnward
}

export function keepOnward(kept: KeptOnward): string {
  const { hash, words, details } = kept.destination
  return JSON.stringify({ ...kept, destination: { hash, words, details } })
}

/** Where it goes, for its owner. */
export function onwardWords(json: string): string {
  return readOnward(json).destination.words
}
