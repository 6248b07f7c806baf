import { sql } from 'drizzle-orm'
import type { Statement } from '../../lib/database.ts'

/**
 * Tables whose rows about a person are deleted when the account is closed, with the column that names the person. A new
 * table joins this list or the next; a test demands it.
 */
export const FORGOTTEN_AT_CLOSING: Readonly<Record<string, string>> = {
  saved_addresses: 'investor',
  known_destinations: 'investor',
  withdrawal_codes: 'investor',
  devices: 'user_id',
  second_factors: 'user_id',
  recovery_codes: 'user_id',
  code_failures: 'user_id',
  passkeys: 'user_id',
  passkey_challenges: 'user_id',
  factor_recoveries: 'investor',
  notifications: 'user_id',
  activity: 'user_id',
  preferences: 'user_id',
  liability_leaves: 'investor',
}

/** Tables about persons that closing does not empty, and why. */
export const KEPT_AT_CLOSING: Readonly<Record<string, string>> = {
  users: 'kept until the person is erased: who had the account, and that it is closed',
  kyc_submissions: 'kept until it is shredded: who moved money, as the law asks',
  requests: 'the books: kept, by ids',
  request_events: 'the books: kept, by ids',
  credit_approvals: 'the books: kept, by ids',
  withdrawn_approvals: 'the books: kept, by ids',
  payout_stops: 'the books: kept, by ids',
  withdrawn_payout_approvals: 'the books: kept, by ids',
  proposals: 'the books: kept, by ids',
  accounts: 'the books: kept, by ids',
  referral_bonuses: 'the books: kept, by ids',
  unit_orders: 'the books: kept, by ids',
  positions: 'the books: kept, by ids',
  unit_movements: 'the books: kept, by ids',
  reviewer_keys: 'an operator’s, and operators do not close their accounts',
  operator_invitations: 'of operators; deleted after 30 days',
  notification_sends: 'an operator’s, and operators do not close their accounts',
  lock_liftings: 'who lifted a lock: kept, by ids',
  sessions: 'ended at closing, deleted 30 days after they expire',
  email_tokens: 'ended at closing, deleted seven days after they expire',
  email_changes: 'called off at closing, deleted seven days after it expired',
  idempotency: 'deleted after 25 hours',
  investor_notes: 'what operators noted: deleted when the person is erased',
  contact_messages: 'what somebody wrote to support: deleted when the person is erased',
  newsletter_subscribers: 'a consent of its own, which its reader ends in each mail',
}

export function forgetAtClosing(userId: string): Statement[] {
  return Object.entries(FORGOTTEN_AT_CLOSING).map(
    ([table, owner]) => sql`DELETE FROM ${sql.identifier(table)} WHERE ${sql.identifier(owner)} = ${userId}`,
  )
}
