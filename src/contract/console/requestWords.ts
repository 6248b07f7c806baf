import type { RequestStatus } from '../money/transactions.ts'
import type { StepUpReason } from '../money/withdrawals.ts'
import type { OperatorWithdrawal } from './withdrawals.ts'

/** "Pending": a status as operators read it, on screens and in exported files. */
export function describeStatus(status: string): string {
  return status.charAt(0).toUpperCase() + status.slice(1)
}

/** Operators see "To be paid" for an approved withdrawal. */
export function describeRequestStatus(status: RequestStatus): string {
  return status === 'approved' ? 'To be paid' : describeStatus(status)
}

export function describeProof(proof: OperatorWithdrawal['proof']): string {
  return {
    none: 'Not required',
    email: 'A code sent by e-mail',
    totp: 'A code of the second factor',
    passkey: 'A passkey',
  }[proof]
}

const PROOF_REASONS: Record<StepUpReason, string> = {
  address_book: 'The address book was changed',
  plan: 'A recurring plan withdraws it, confirmed when the plan was made or changed',
  new_destination: 'The destination is new',
  new_device: 'It came from a new device',
  recent_security_change:
    'In the 72 hours before, password, e-mail address or second factor changed, or a mailed link signed in',
  large_share: 'With other withdrawals of that day, it is more than half of the balance',
}

/** Why extra proof was required. Unknown reasons are returned unchanged. */
export function describeProofReason(reason: string): string {
  return Object.entries(PROOF_REASONS).find(([name]) => name === reason)?.[1] ?? reason
}
