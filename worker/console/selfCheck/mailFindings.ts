import { eq, sql } from 'drizzle-orm'
import {
  type Database,
  type RowOf,
  readTogether,
  runBatch,
  type Statement,
  selectRows,
} from '../../lib/database.ts'
import type { Env } from '../../lib/env.ts'
import { buildLink, composeMail } from '../../lib/mail/compose.ts'
import { enqueueMails, type Mail } from '../../lib/mail/outbox.ts'
import { users } from '../../lib/tables/people.ts'
import { selfChecks } from '../../lib/tables/platform.ts'

/** The least time between two mails about one check, so that a changing figure does not send a mail at each run. */
const AGAIN_MS = 20 * 3_600_000

type CheckState = RowOf<typeof readNews>
type Administrator = RowOf<typeof readAdministrators>

function readNews() {
  const { name, finding, told: mailed, toldAt: mailedAt } = selfChecks
  return selectRows({ name, finding, mailed, mailedAt }).from(selfChecks).where(sql`finding IS NOT told`)
}

function readAdministrators() {
  return selectRows({ email: users.email, name: users.displayName })
    .from(users)
    .where(
      sql`role = 'operator' AND disabled_at IS NULL AND instr(' ' || operator_roles || ' ', ' administrator ') > 0`,
    )
}

/** The subject of each check in mails. */
const CHECKED: Readonly<Record<string, string>> = {
  schema: 'the database rules',
  size: 'the size of the database',
  ledger: 'the ledger',
  everything: 'the ledger',
  auditLog: 'the audit log',
  gaps: 'the explanations of strategies’ days',
  payments: 'payments on chains',
  chainServers: 'the servers of the chains',
  exchange: 'the exchange',
  treasury: 'the treasury',
  silentFreezes: 'silent freezes',
  wrappingKeys: 'the wrapping keys',
  restore: 'the restore from a backup',
}

/** What to do about a finding that is no sign of tampering. */
const TO_DO: Readonly<Record<string, string>> = {
  restore:
    'Nobody may use this platform: operators whose access was removed may be active. Finish the restore, or begin again with a new database. The runbook says how, under “Restoring”.',
  size: 'A full database refuses every change. Find the table that grows (the operations handbook says how), and what fills it.',
  silentFreezes:
    'An operator with the role for confidential notes renews or ends each of them, on the investor’s page.',
  chainServers:
    'While a server fails, payments of its chain are shown and not credited. The operations handbook says what to do, under “Deposits that the chain proves”.',
  treasury:
    'The page “Treasury” of the console shows each place. Book the missing entry, with its document, or move money there.',
  exchange:
    'The page “Exchange” of the console shows what differs. A second comparison in a row that differs suspends the strategies that trade there. Until then, and while the exchange cannot be asked, orders wait.',
}

/**
 * Mails new findings of the self-checks to each administrator: each finding once, and a different one at most once a day. A
 * check that passes starts over.
 */
export async function mailFindings(env: Env, db: Database, nowMs: number): Promise<void> {
  const [checks, administrators] = await readTogether(db, readNews(), readAdministrators())
  const statements: Statement[] = []
  for (const check of checks) {
    if (!hasNews(check)) statements.push(markMailed(db, check, check.mailedAt))
    else if (administrators.length > 0 && canMail(check, nowMs)) {
      const mails = administrators.map((administrator) => buildFindingMail(env, administrator, check))
      statements.push(...(await enqueueMails(env, mails, nowMs)), markMailed(db, check, nowMs))
    }
  }
  await runBatch(db, statements)
}

function markMailed(db: Database, { name, finding }: CheckState, mailedAt: number | null): Statement {
  return db.update(selfChecks).set({ told: finding, toldAt: mailedAt }).where(eq(selfChecks.name, name))
}

/** Whether there is a finding that was not mailed yet. */
function hasNews({ finding, mailed }: CheckState): boolean {
  const sentences = mailed?.split('. ') ?? []
  return finding?.split('. ').some((sentence) => !sentences.includes(sentence)) ?? false
}

function canMail({ mailed, mailedAt }: CheckState, nowMs: number): boolean {
  return mailed === null || nowMs - (mailedAt ?? 0) >= AGAIN_MS
}

function buildFindingMail(
  env: Env,
  { email, name }: Administrator,
  { name: check, finding }: CheckState,
): Mail {
  const checked = CHECKED[check] ?? check
  return composeMail(email, `The self-check found a problem with ${checked}`, name, [
    `A regular check of ${checked} found a difference:`,
    `${finding}.`,
    `${TO_DO[check] ?? 'Do not approve or complete anything until the cause is known. The operations handbook says what to do, under “Tampering was found”.'} You get one mail about this finding, not one for each check.`,
    { label: 'Open the console', href: buildLink(env, '/operator') },
  ])
}
