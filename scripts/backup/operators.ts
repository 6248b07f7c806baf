import type { Place } from './place.ts'
import type { Backup } from './read.ts'
import { quoteName } from './rows.ts'
import { buildLockOutSql } from './shuttingOut.ts'

/** Protects the last administrator. Dropped while all operators are disabled. */
const LAST_ADMINISTRATOR_TRIGGER = 'users_access'

/** The addresses that belong to no operator in the backup. */
export async function listUnknownOperators(backup: Backup, emails: readonly string[]): Promise<string[]> {
  const emailsInBackup = new Set<unknown>()
  for await (const row of backup.rows('users'))
    if (row.includes('operator')) for (const value of row) emailsInBackup.add(value)
  return emails.filter((email) => !emailsInBackup.has(email))
}

/**
 * Disables all operators except those in `letIn`, and ends what would act for people (`buildLockOutSql`), because a backup does not know
 * whose access was removed and what people changed later. Each disabled operator is audited. `npm run operator -- restore` then restores the first two administrators, who decide
 * about the others.
 */
export async function lockOperatorsOut(place: Place, letIn: readonly string[], nowMs = Date.now()) {
  const [enabled = [], [rule] = []] = await place.query([
    `SELECT email FROM users WHERE ${IS_OPERATOR} AND disabled_at IS NULL`,
    `SELECT sql FROM sqlite_master WHERE type = 'trigger' AND name = '${LAST_ADMINISTRATOR_TRIGGER}'`,
  ])
  if (rule === undefined) throw new Error(`The trigger ${LAST_ADMINISTRATOR_TRIGGER} is not there.`)
  await place.execute([
    `DROP TRIGGER ${quoteName(LAST_ADMINISTRATOR_TRIGGER)}`,
    ...buildLockOutSql(letIn, nowMs),
    String(rule.sql),
  ])
  const [operators = [], [counts] = [], keys = []] = await place.query([
    `SELECT email, operator_roles AS roles, disabled_at FROM users WHERE ${IS_OPERATOR} ORDER BY disabled_at IS NOT NULL, email`,
    `SELECT (SELECT count(*) FROM active_administrators) AS administrators,
      (SELECT count(*) FROM proposals WHERE status = 'pending') AS waiting`,
    `SELECT u.email FROM reviewer_keys k JOIN users u ON u.id = k.user_id
      WHERE k.approved_at IS NOT NULL AND k.retired_at IS NULL ORDER BY k.seq`,
  ])
  return {
    operators: operators.map(({ email, roles, disabled_at }) => ({
      email: String(email),
      roles: String(roles),
      isLetIn: disabled_at === null,
      wasLetIn: enabled.some((operator) => operator.email === email),
    })),
    /** Enabled administrators with a second factor. */
    administrators: Number(counts?.administrators),
    /** The owners of active reviewer keys. */
    keys: keys.map(({ email }) => String(email)),
    /** Pending proposals, some of which may have been rejected after the backup. */
    waiting: Number(counts?.waiting),
  }
}

const IS_OPERATOR = "role = 'operator' AND id NOT IN ('system', 'practice')"

export function reportOn(
  { operators, administrators, keys, waiting }: Awaited<ReturnType<typeof lockOperatorsOut>>,
  madeAt: string,
): string {
  const lines = operators.map(({ email, roles, isLetIn, wasLetIn }) =>
    [
      isLetIn ? '  LET IN   ' : '  shut out ',
      email.padEnd(32),
      roles || 'no role',
      isLetIn || wasLetIn ? '' : ' (as in the backup)',
    ]
      .join(' ')
      .trimEnd(),
  )
  return [
    `WHO OPERATES NOW. Roles are those of ${madeAt}: what was given or taken away since is not known here.`,
    ...lines,
    ...(administrators >= 2
      ? []
      : [
          `${administrators} of the 2 administrators that it takes can act. Let the first two in, each with a new password and second factor:`,
          '  npm run operator -- restore you@example.org',
        ]),
    'The others are let in by two administrators (proposals of the kind operator), who first make sure that nobody took their access away since.',
    ...(keys.length === 0
      ? []
      : [`Reviewer keys that count again: ${keys.join(', ')}. Retire those that were retired since.`]),
    ...(waiting === 0
      ? []
      : [`Proposals that wait again: ${waiting}. Reject those that were rejected since.`]),
  ].join('\n')
}
