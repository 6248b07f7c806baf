import { toSqlLiteral } from './rows.ts'

/**
 * Disables all operators except those in `letIn`, and ends open invitations. The database refuses it while it protects the last
 * administrator, unless two stay. Pauses recurring plans, because the dates that they ran since the backup are lost.
 */
export function buildLockOutSql(letIn: readonly string[], nowMs: number): readonly string[] {
  return [
    `UPDATE users SET disabled_at = ${nowMs}, disabled_by = 'owner', disabled_reason = 'Restored from a backup'
      WHERE role = 'operator' AND id NOT IN ('system', 'practice') AND disabled_at IS NULL AND email NOT IN (${letIn.map(toSqlLiteral).join(', ')})`,
    `UPDATE operator_invitations SET expires_at = ${nowMs} WHERE accepted_at IS NULL AND expires_at > ${nowMs}`,
    `UPDATE plans SET status = 'paused', reason = 'restored', status_at = ${nowMs} WHERE status = 'active'`,
  ]
}
