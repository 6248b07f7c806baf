import { sql } from 'drizzle-orm'
import type { Statement } from '../../lib/database.ts'

/**
 * Tables whose rows about a person are deleted when the account is closed, with the column that names the person. A test
 * requires every table with personal data in this list or in `KEPT_AT_CLOSING`.
 */
export const DELETED_AT_CLOSING: Readonly<Record<string, string>> = {
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
  received_notifications: 'user_id',
  activity: 'user_id',
  preferences: 'user_id',
  liability_leaves: 'investor',
}

/** Tables with personal data that closing does not delete, with the reason. */
export const KEPT_AT_CLOSING: Readonly<Record<string, string>> = {
  users: 'kept until the person is erased: the owner and state of the account',
  kyc_submissions: 'kept until shredded: the law requires the identity of people who moved money',
  requests: 'the books: kept, by ids',
  request_events: 'the books: kept, by ids',
  credit_approvals: 'the books: kept, by ids',
  withdrawn_approvals: 'the books: kept, by ids',
  payout_stops: 'the books: kept, by ids',
  withdrawn_payout_approvals: 'the books: kept, by ids',
  proposals: 'the books: kept, by ids',
  accounts: 'the books: kept, by ids',
  balance_checkpoints: 'the books: kept, by ids',
  deposit_addresses: 'the books: kept, by ids, because payments to them may still arrive',
  payments: 'the books: kept, by ids',
  unknown_receipts: 'the books: kept, by ids',
  referral_bonuses: 'the books: kept, by ids',
  unit_orders: 'the books: kept, by ids',
  positions: 'the books: kept, by ids',
  unit_movements: 'the books: kept, by ids',
  position_history: 'the books: kept, by ids',
  reviewer_keys: 'belongs to operators, who do not close their accounts',
  operator_invitations: 'belongs to operators; deleted after 30 days',
  notification_sends: 'belongs to operators, who do not close their accounts',
  case_assignments: 'belongs to operators, who do not close their accounts',
  lock_liftings: 'records who lifted a lock: kept, by ids',
  sessions: 'ended at closing, deleted 30 days after they expire',
  email_tokens: 'ended at closing, deleted seven days after they expire',
  email_changes: 'cancelled at closing, deleted seven days after they expire',
  idempotency: 'deleted after 25 hours',
  investor_notes: 'operators’ notes: deleted when the person is erased',
  silent_freezes: 'reasons of silent freezes: deleted when the person is erased, which waits for their end',
  contact_messages: 'messages to support, with their replies: deleted when the person is erased',
  registrations: 'end after 24 hours, with their mails',
  newsletter_subscribers: 'has its own consent; each mail has an unsubscribe link',
}

export function deleteAtClosing(userId: string): Statement[] {
  return Object.entries(DELETED_AT_CLOSING).map(
    ([table, owner]) => sql`DELETE FROM ${sql.identifier(table)} WHERE ${sql.identifier(owner)} = ${userId}`,
  )
}
