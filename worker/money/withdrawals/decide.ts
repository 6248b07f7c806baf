import { mailDateText } from '../../../src/contract/dates.ts'
import { LOCK_HOURS } from '../../../src/contract/money/destinationLock.ts'
import { NEW_DESTINATION_HOURS, type StepUpReason } from '../../../src/contract/money/withdrawals.ts'
import { DAY_MS } from '../../../src/time.ts'
import { refuseFields } from '../../http/fields.ts'
import { isRecentChange } from '../../identity/credentials/recentChange.ts'
import { refuse } from '../../lib/errors.ts'
import { computeUsableFrom } from '../destinationLock/lock.ts'
import { assertMayOpen, findMinimumProblem } from '../requests/limits.ts'
import type { Facts, NewWithdrawal } from './facts.ts'

// Pure decisions about a withdrawal, without reads or writes.

/** Withdrawals filed within this time are added up. */
export const SHARE_WINDOW_MS = DAY_MS
/** How long a new destination is delayed, unless a second factor confirmed it. */
const DELAY_MS = NEW_DESTINATION_HOURS * 3_600_000

/**
 * Refuses in the contract's order: wrong fields, too many open withdrawals, a debt, the investor's lock, too little money, no proof of
 * address.
 */
export function assertMayFile(withdrawal: NewWithdrawal, facts: Facts, nowMs: number): void {
  assertFields(withdrawal, facts)
  assertMayOpen(facts.open)
  if (facts.owedCents > 0) refuse('debt_outstanding')
  assertUnlocked(withdrawal, facts, nowMs)
  if (facts.availableCents < withdrawal.amountCents) refuse('insufficient_funds')
  if (facts.unprovedCents !== null && withdrawal.amountCents > facts.unprovedCents) refuse('address_required')
}

/** Refuses an amount below the minimum and a malformed destination. */
export function assertFields({ amountCents, destination }: NewWithdrawal, facts: Facts): void {
  // Withdrawing everything is always allowed, even below the minimum.
  const takesAll = amountCents === facts.availableCents - facts.undoneCents
  const { network } = destination.details
  const tooSmall = takesAll ? null : findMinimumProblem(facts.minimums, 'withdrawal', amountCents, network)
  const problems = { ...(tooSmall !== null && { amount: tooSmall }), ...destination.problems }
  if (Object.keys(problems).length > 0) refuseFields(problems)
}

/**
 * Refuses a destination that the investor's lock does not allow, beside the field that names it. The database checks it again.
 * @param prefix of the field's name in the form
 */
export function assertUnlocked(
  { destination }: Pick<NewWithdrawal, 'destination'>,
  { lock, destinationKnown }: Pick<Facts, 'lock' | 'destinationKnown'>,
  nowMs: number,
  prefix = '',
): void {
  if (lock === null) return
  const isBank = destination.details.network === null
  const usableFrom = computeUsableFrom(lock)
  if (isBank ? destinationKnown : usableFrom !== null && usableFrom <= nowMs) return
  const msg = isBank
    ? `Your account pays only saved destinations, and you did not confirm this bank account before. Switch “only saved destinations” off in your profile, which takes ${LOCK_HOURS} hours.`
    : usableFrom === null
      ? `Your account pays only saved destinations. Save this address first: you can use it ${LOCK_HOURS} hours later.`
      : `Your account pays only saved destinations. You can use this address from ${mailDateText(usableFrom)}, ${LOCK_HOURS} hours after you saved it.`
  refuse('destination_locked', { msg, fields: { [`${prefix}${isBank ? 'accountNumber' : 'address'}`]: msg } })
}

/** Why a withdrawal needs extra proof; empty if it needs none. */
export function listProofReasons(
  { amountCents }: Pick<NewWithdrawal, 'amountCents'>,
  facts: Pick<Facts, 'destinationKnown' | 'availableCents' | 'filedCents' | 'securityChangedAtMs'>,
  deviceKnown: boolean,
  nowMs: number,
): StepUpReason[] {
  const reasons: StepUpReason[] = []
  if (!facts.destinationKnown) reasons.push('new_destination')
  if (!deviceKnown) reasons.push('new_device')
  if (isRecentChange(facts.securityChangedAtMs, nowMs)) reasons.push('recent_security_change')
  // More than half of the sum of filed and available money. The database applies the same rule to parallel requests.
  if (facts.filedCents + amountCents > facts.availableCents - amountCents) reasons.push('large_share')
  return reasons
}

/**
 * The earliest time of payment, in epoch milliseconds; null if it may be paid at once. A new destination is delayed for a day,
 * and a known one keeps its delay. A proof that lifts the delay ends it for this and later withdrawals. Earlier ones keep
 * theirs, and can be cancelled and filed again.
 */
export function computeDelayEnd(
  facts: Pick<Facts, 'destinationKnown' | 'destinationDelayedUntil'>,
  lifts: boolean,
  nowMs: number,
): number | null {
  if (lifts) return null
  if (!facts.destinationKnown) return nowMs + DELAY_MS
  const { destinationDelayedUntil: until } = facts
  return until !== null && until > nowMs ? until : null
}
