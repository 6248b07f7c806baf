import { toSqlLiteral } from './rows.ts'

/**
 * Disables all operators except those in `letIn`, and ends open invitations. The database refuses it while it protects the last
 * administrator, unless two stay. Pauses recurring plans, ends stops, revokes keys, and keeps the proceeds of redemptions in the account,
 * because what their owners changed since the backup is lost. Notifies these owners.
 */
export function buildLockOutSql(letIn: readonly string[], nowMs: number): readonly string[] {
  return [
    `UPDATE users SET disabled_at = ${nowMs}, disabled_by = 'owner', disabled_reason = 'Restored from a backup'
      WHERE role = 'operator' AND id NOT IN ('system', 'practice') AND disabled_at IS NULL AND email NOT IN (${letIn.map(toSqlLiteral).join(', ')})`,
    `UPDATE operator_invitations SET expires_at = ${nowMs} WHERE accepted_at IS NULL AND expires_at > ${nowMs}`,
    `INSERT INTO received_notifications (id, user_id, title, content, created_at)
      SELECT lower(hex(randomblob(16))), investor, 'We restored a backup', '${NOTIFICATION}', ${nowMs} FROM (
        SELECT investor FROM plans WHERE status = 'active' UNION SELECT investor FROM position_stops WHERE status = 'active'
        UNION SELECT investor FROM read_keys WHERE ${OPENS} UNION SELECT investor FROM unit_orders WHERE ${WITHDRAWS})`,
    `UPDATE plans SET status = 'paused', reason = 'restored', status_at = ${nowMs} WHERE status = 'active'`,
    `UPDATE position_stops SET status = 'ended', ended_at = ${nowMs} WHERE status = 'active'`,
    `UPDATE read_keys SET revoked_at = ${nowMs} WHERE ${OPENS}`,
    `UPDATE unit_orders SET onward = NULL, onward_at = iif(status = 'settled', ${nowMs}, NULL) WHERE ${WITHDRAWS}`,
  ]
}

const OPENS = 'revoked_at IS NULL'
const WITHDRAWS = 'onward IS NOT NULL AND onward_at IS NULL'
const NOTIFICATION =
  'Recurring plans are paused, stops have ended, keys for programs and guest links are revoked, and the proceeds of redemptions stay in your account. What you did since the backup is lost. Please check it, then resume your plans, set your stops and make your keys again.'
