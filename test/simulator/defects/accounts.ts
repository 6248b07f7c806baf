import type { Defect } from './defect.ts'

/** What protects an account: passwords, mailboxes, locks, second factors, closing. */
export const ACCOUNT_DEFECTS: readonly Defect[] = [
  {
    name: 'reset-keeps-sessions',
    harm: 'A thief stays signed in after the owner took a new password.',
    file: 'worker/identity/credentials/distrust.ts',
    find: '  sessions: ({ userId, keepSession, nowMs }) => endSessions(userId, nowMs, keepSession),\n',
    replace: '',
  },
  {
    name: 'new-password-stops-no-recovery',
    harm: "A thief's request to remove the second factor goes on after the owner took a new password.",
    file: 'worker/identity/credentials/distrust.ts',
    find: "        outcome = CASE WHEN filed_at IS NOT NULL THEN 'stopped' END,\n        expires_at = CASE WHEN filed_at IS NULL THEN min(expires_at, ${nowMs}) END\n      WHERE investor = ${userId} AND ended_at IS NULL`",
    replace:
      "        outcome = CASE WHEN filed_at IS NOT NULL THEN 'stopped' END,\n        expires_at = CASE WHEN filed_at IS NULL THEN min(expires_at, ${nowMs}) END\n      WHERE investor = ${userId} AND ended_at IS NULL AND filed_at IS NULL`",
    tests: ['worker/identity/factorRecovery/factorRecovery.worker.test.ts'],
  },
  {
    name: 'reset-stops-no-payouts',
    harm: "A thief's withdrawal is paid although the owner reset the password.",
    file: 'worker/identity/credentials/distrust.ts',
    find: `    stopPayouts(
      userId,
      cause,`,
    replace: `    stopPayouts(
      cause === 'password_reset' ? '' : userId,
      cause,`,
    tests: ['worker/ledger/stopPayouts.worker.test.ts'],
  },
  {
    name: 'reset-keeps-destinations',
    harm: 'A thief is paid at once to the address that was confirmed before the reset.',
    file: 'worker/identity/credentials/distrust.ts',
    find: 'DELETE FROM known_destinations WHERE investor = ${at.userId}',
    replace:
      "DELETE FROM known_destinations WHERE ${at.cause} <> 'password_reset' AND investor = ${at.userId}",
    tests: ['worker/ledger/stopPayouts.worker.test.ts'],
  },
  {
    name: 'lock-keeps-sessions',
    harm: 'A thief stays signed in after the owner locked the account.',
    file: 'worker/identity/credentials/distrust.ts',
    find: '  sessions: ({ userId, keepSession, nowMs }) => endSessions(userId, nowMs, keepSession),',
    replace:
      "  sessions: ({ userId, cause, keepSession, nowMs }) => endSessions(cause === 'account_locked' ? '' : userId, nowMs, keepSession),",
  },
  {
    name: 'lock-keeps-destinations',
    harm: 'A thief is paid at once to the address that was confirmed before the lock.',
    file: 'worker/identity/credentials/distrust.ts',
    find: 'DELETE FROM known_destinations WHERE investor = ${at.userId}',
    replace:
      "DELETE FROM known_destinations WHERE ${at.cause} <> 'account_locked' AND investor = ${at.userId}",
    tests: ['worker/ledger/stopPayouts.worker.test.ts'],
  },
  {
    name: 'address-change-stops-no-payouts',
    harm: 'A thief who moves the account to another mailbox is paid without a new decision.',
    file: 'worker/identity/credentials/distrust.ts',
    find: `    stopPayouts(
      userId,
      cause,`,
    replace: `    stopPayouts(
      cause === 'email_changed' ? '' : userId,
      cause,`,
    tests: ['worker/ledger/stopPayouts.worker.test.ts'],
  },
  {
    name: 'stop-keeps-browsers',
    harm: "A thief's browser stays known, so the owner gets no mail when the thief signs in again.",
    file: 'worker/identity/credentials/distrust.ts',
    find: 'WHERE user_id = ${userId} AND device_hash IS NOT',
    replace: "WHERE user_id = ${userId} AND device_hash = '' AND device_hash IS NOT",
    tests: ['worker/identity/credentials/distrust.worker.test.ts'],
  },
  {
    name: 'stop-keeps-saved-addresses',
    harm: "The owner pays the thief later, to an address that the thief saved under the owner's name.",
    file: 'worker/identity/credentials/distrust.ts',
    find: 'DELETE FROM saved_addresses WHERE investor = ${at.userId}',
    replace: "DELETE FROM saved_addresses WHERE investor = '' AND investor = ${at.userId}",
    tests: ['worker/identity/credentials/distrust.worker.test.ts'],
  },
  {
    name: 'recovery-stops-no-payouts',
    harm: 'Who had the second factor removed with a stolen mailbox is paid what they asked for before.',
    file: 'worker/identity/credentials/distrust.ts',
    find: `    stopPayouts(
      userId,
      cause,`,
    replace: `    stopPayouts(
      cause === 'factors_removed' ? '' : userId,
      cause,`,
    tests: ['worker/identity/factorRecovery/factorRecovery.worker.test.ts'],
  },
  {
    name: 'locked-account-acts',
    harm: 'An investor whose account is locked is asked for a document of identity instead of being told so.',
    file: 'worker/http/actor.ts',
    find: 'breaks: ({ frozen }) => frozen,',
    replace: 'breaks: () => false,',
    // The database refuses every act of a locked account, too.
    tests: ['worker/money/withdrawals/request.worker.test.ts'],
  },
  {
    name: 'closing-hides-a-withdrawal',
    harm: 'An investor is told that the account can be closed, and it cannot.',
    file: 'worker/identity/closing/show.ts',
    find: '    withdrawals > 0 && {',
    replace: '    withdrawals > 1 && {',
    tests: ['worker/identity/closing/close.worker.test.ts'],
  },
  {
    name: 'recent-change-for-a-day',
    harm: 'A thief who waits a day after changing the password withdraws without extra proof.',
    file: 'worker/money/requests/recentChange.ts',
    find: '= 72 * 3_600_000',
    replace: '= 24 * 3_600_000',
    tests: ['worker/money/withdrawals/decide.test.ts'],
  },
  {
    name: 'disabled-operator-stays-signed-in',
    harm: 'An operator who left reads the accounts of all investors.',
    file: 'migrations/0001_people.sql',
    find: `  UPDATE sessions SET ended_at = NEW.disabled_at WHERE user_id = NEW.id AND ended_at IS NULL;
  INSERT INTO audit_log`,
    replace: '  INSERT INTO audit_log',
  },
  {
    name: 'new-app-not-noted',
    harm: 'A thief who turns on an authenticator app is paid without delay.',
    file: 'migrations/0001_people.sql',
    find: `AFTER UPDATE OF enabled_at ON second_factors
WHEN NEW.enabled_at IS NOT NULL`,
    replace: `AFTER UPDATE OF enabled_at ON second_factors
WHEN NEW.enabled_at IS NULL`,
  },
]
