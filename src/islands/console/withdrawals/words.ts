import type { OperatorWithdrawal } from '../../../contract/console/withdrawals.ts'
import type { RequestStatus } from '../../../contract/money/transactions.ts'
import type { BankIdentityField, StepUpReason } from '../../../contract/money/withdrawals.ts'
import { coinOnNetwork } from '../cases/coinWords.ts'

/** How a withdrawal is paid: by a coin on its network, or by the bank. */
export function methodOf({ type, network, bank }: Pick<OperatorWithdrawal, 'type' | 'network' | 'bank'>) {
  return type === null || network === null
    ? `Bank: ${bank?.bankName ?? 'not named'}`
    : coinOnNetwork(type, network)
}

/** An approved withdrawal is one to be paid: the operator's word for it. */
export function statusWord(status: RequestStatus): string {
  return status === 'approved' ? 'To be paid' : status.charAt(0).toUpperCase() + status.slice(1)
}

/** The proof that was given, in words. */
export function proofWords(proof: OperatorWithdrawal['proof']): string {
  return {
    none: 'None was asked for',
    email: 'A code sent by e-mail',
    totp: 'A code of the second factor',
    passkey: 'A passkey',
  }[proof]
}

const REASONS: Record<StepUpReason, string> = {
  new_destination: 'The destination is new',
  new_device: 'It came from a new device',
  recent_security_change: 'Password, e-mail address or second factor changed within 72 hours before',
  large_share: 'It is more than half of the balance, with what was asked for within a day',
}

/** Why a withdrawal waits for a day. */
export const HOLD_REASON =
  'The destination is new, and was confirmed by e-mail alone or within 72 hours of a change of security'

/** Whether a withdrawal is not to be paid yet. */
export function isOnHold({ heldUntil }: Pick<OperatorWithdrawal, 'heldUntil'>, nowMs: number): boolean {
  return heldUntil !== null && Date.parse(heldUntil) > nowMs
}

/** Fields of a bank destination in words: 'account holder name, branch code'. */
export function changedWords(fields: readonly BankIdentityField[]): string {
  return fields.map((field) => field.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)).join(', ')
}

/** Why extra proof was asked for, in words; one that is not known stays as it came. */
export function reasonWords(reason: string): string {
  return Object.entries(REASONS).find(([known]) => known === reason)?.[1] ?? reason
}
