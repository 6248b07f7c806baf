import type { OperatorTreasury, TreasuryEntry } from '../../../contract/console/treasury.ts'
import type { TreasuryAction } from '../../../contract/console/treasuryActs.ts'

export const ACTION_LABELS: Record<TreasuryAction, string> = {
  statement: 'Balance on a statement',
  funding: 'The company’s own money in',
  drawing: 'The company’s own money out',
  fee: 'Fee',
  conversion: 'Conversion',
  move: 'Move between places',
  place: 'New place',
}

/** Who proves a place, before the time, and the words while nothing does. */
export const PROOF_LABELS: Record<
  OperatorTreasury['places'][number]['proof'],
  { readonly by: string; readonly missing: string }
> = {
  chain: { by: 'Its chain,', missing: 'Not counted yet' },
  statement: { by: 'Statement of', missing: 'No statement yet' },
  exchange: { by: 'The exchange,', missing: 'Not compared yet' },
}

/** What caused an entry, where it has no reference. */
export const CAUSE_LABELS: Record<NonNullable<TreasuryEntry['cause']>['kind'], string> = {
  deposit: 'Deposit',
  withdrawal: 'Withdrawal',
  payout: 'Payout',
  payment: 'Payment',
  proposal: 'Proposal and document',
}

export type WaitingProposal = OperatorTreasury['waiting'][number]

export function findWaiting({ waiting }: OperatorTreasury, kind: WaitingProposal['kind']) {
  return waiting.find((proposal) => proposal.kind === kind)
}

export function formatEntryCount(count: number): string {
  return count === 1
    ? 'One proposed entry waits for another treasurer'
    : `${count} proposed entries wait for another treasurer`
}
