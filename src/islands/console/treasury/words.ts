import type { OperatorTreasury, TreasuryEntry } from '../../../contract/console/treasury.ts'
import type { EntryCode, TreasuryAction } from '../../../contract/console/treasuryActs.ts'

export const ENTRY_LABELS: Record<EntryCode, string> = {
  in: 'Deposit',
  out: 'Withdrawal',
  reverse_in: 'Reversed deposit',
  reverse_out: 'Reversed withdrawal',
  network_fee: 'Network fee of a payout',
  kept: 'Payment that stays in the wallet',
  conversion_out: 'Converted from',
  conversion_in: 'Converted to',
  company_fee: 'Fee of the company',
  funding: 'The company’s own money in',
  drawing: 'The company’s own money out',
  move_out: 'Moved out',
  move_in: 'Moved in',
  exchange: 'Moved to or from an exchange',
}

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
