import type { DatabaseSync } from 'node:sqlite'
import { type Place, withSnapshot } from './place.ts'
import type { Backup } from './read.ts'
import { quoted } from './rows.ts'
import { shuttingOut } from './shuttingOut.ts'

/** Protects the last administrator. Dropped while all operators are disabled. */
const LAST_ADMINISTRATOR_TRIGGER = 'users_access'

/** The addresses that belong to no operator in the backup. */
export async function unknownOperators(backup: Backup, emails: readonly string[]): Promise<string[]> {
  const emailsInBackup = new Set<unknown>()
  for await (const row of backup.rows('users'))
    if (row.includes('operator')) for (const value of row) emailsInBackup.add(value)
  return emails.filter((email) => !emailsInBackup.has(email))
}

/**
 * Disables all operators except those in `letIn`, and ends open invitations, because a backup does not know whose access was
 * removed later. Each change is audited. `npm run operator -- restore` then restores the first two administrators, who decide
 * about the others.
 */
export async function shutOperatorsOut(place: Place, letIn: readonly string[], nowMs = Date.now()) {
  const before = await withSnapshot(place, async (database) => ({
    letIn: emailsOf(database, 'disabled_at IS NULL'),
    rule: database
      .prepare("SELECT sql FROM sqlite_master WHERE type = 'trigger' AND name = ?")
      .get(LAST_ADMINISTRATOR_TRIGGER),
  }))
  if (before.rule === undefined) throw new Error(`The trigger ${LAST_ADMINISTRATOR_TRIGGER} is not there.`)
  await place.execute([
    `DROP TRIGGER ${quoted(LAST_ADMINISTRATOR_TRIGGER)}`,
    ...shuttingOut(letIn, nowMs),
    String(before.rule.sql),
  ])
  return withSnapshot(place, async (database) => ({
    operators: database
      .prepare(
        "SELECT email, operator_roles AS roles, disabled_at FROM users WHERE role = 'operator' AND id <> 'system' ORDER BY disabled_at IS NOT NULL, email",
      )
      .all()
      .map(({ email, roles, disabled_at }) => ({
        email: String(email),
        roles: String(roles),
        isLetIn: disabled_at === null,
        wasLetIn: before.letIn.includes(String(email)),
      })),
    /** Enabled administrators with a second factor. */
    administrators: count(database, 'SELECT count(*) AS n FROM active_administrators'),
    /** The owners of active reviewer keys. */
    keys: database
      .prepare(
        `SELECT u.email FROM reviewer_keys k JOIN users u ON u.id = k.user_id
         WHERE k.approved_at IS NOT NULL AND k.retired_at IS NULL ORDER BY k.seq`,
      )
      .all()
      .map(({ email }) => String(email)),
    /** Pending proposals, some of which may have been rejected after the backup. */
    waiting: count(database, "SELECT count(*) AS n FROM proposals WHERE status = 'pending'"),
  }))
}

export function reportOn(
  { operators, administrators, keys, waiting }: Awaited<ReturnType<typeof shutOperatorsOut>>,
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

function emailsOf(database: DatabaseSync, where: string): string[] {
  return database
    .prepare(`SELECT email FROM users WHERE role = 'operator' AND id <> 'system' AND ${where}`)
    .all()
    .map(({ email }) => String(email))
}

function count(database: DatabaseSync, query: string): number {
  return Number(database.prepare(query).get()?.n)
}
