import { sql } from 'drizzle-orm'
import { type Database, reading, readTogether, runBatch, type Statement } from '../../lib/database.ts'
import type { Env } from '../../lib/env.ts'
import { composeMail, linkTo } from '../../lib/mail/compose.ts'
import { enqueueMails, type Mail } from '../../lib/mail/outbox.ts'

/** What is found beside what was told waits so long, so that figures that move make no mail each time. */
const AGAIN_MS = 20 * 3_600_000

interface CheckState {
  readonly name: string
  readonly finding: string | null
  readonly told: string | null
  readonly toldAt: number | null
}

interface Administrator {
  readonly email: string
  readonly name: string
}

/** What a check looks at, in the subject of a mail. */
const CHECKED: Readonly<Record<string, string>> = {
  schema: 'the database’s rules',
  ledger: 'the ledger',
  everything: 'the ledger',
  auditLog: 'the audit log',
  wrappingKeys: 'the wrapping keys',
}

/**
 * Tells each administrator by mail what the self-checks found: a finding once, however long it stands, and one that differs from it
 * a day later at the earliest. A check that is in order again begins anew.
 */
export async function mailFindings(env: Env, db: Database, nowMs: number): Promise<void> {
  const [standings, administrators] = await readTogether(
    db,
    reading<CheckState>(sql`
      SELECT name, finding, told, told_at AS toldAt FROM self_checks WHERE finding IS NOT told`),
    reading<Administrator>(sql`
      SELECT email, display_name AS name FROM users
      WHERE role = 'operator' AND disabled_at IS NULL AND instr(' ' || operator_roles || ' ', ' administrator ') > 0`),
  )
  const statements: Statement[] = []
  for (const standing of standings) {
    if (!hasNews(standing)) statements.push(known(standing, standing.toldAt))
    else if (administrators.length > 0 && mayTell(standing, nowMs)) {
      const mails = administrators.map((administrator) => mailOf(env, administrator, standing))
      statements.push(...(await enqueueMails(env, mails, nowMs)), known(standing, nowMs))
    }
  }
  await runBatch(db, statements)
}

function known({ name, finding }: CheckState, toldAt: number | null): Statement {
  return sql`UPDATE self_checks SET told = ${finding}, told_at = ${toldAt} WHERE name = ${name}`
}

/** Something is wrong that was not told yet. */
function hasNews({ finding, told }: CheckState): boolean {
  const known = told?.split('. ') ?? []
  return finding?.split('. ').some((sentence) => !known.includes(sentence)) ?? false
}

function mayTell({ told, toldAt }: CheckState, nowMs: number): boolean {
  return told === null || nowMs - (toldAt ?? 0) >= AGAIN_MS
}

function mailOf(env: Env, { email, name }: Administrator, { name: check, finding }: CheckState): Mail {
  const checked = CHECKED[check] ?? check
  return composeMail(email, `The self-check found something wrong with ${checked}`, name, [
    `the platform compares ${checked} with what must be true, and found a difference:`,
    `${finding}.`,
    'Until it is understood, approve and complete nothing. The operations handbook says what to do, under “Tampering was found”. You are written to once, not at each check.',
    { label: 'Open the console', href: linkTo(env, '/operator') },
  ])
}
