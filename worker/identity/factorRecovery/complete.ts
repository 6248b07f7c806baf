import { eq, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { DAY_MS } from '../../../src/time.ts'
import { recordAudit } from '../../http/audit.ts'
import {
  type Database,
  type RowOf,
  readTogether,
  runBatch,
  type Statement,
  selectRows,
} from '../../lib/database.ts'
import type { Env } from '../../lib/env.ts'
import { findDatabaseRefusal } from '../../lib/errors.ts'
import { enqueueMail } from '../../lib/mail/outbox.ts'
import { processItems } from '../../lib/processItems.ts'
import { factorRecoveries, users } from '../../lib/tables/people.ts'
import { distrust } from '../credentials/distrust.ts'
import { buildAnnouncementMail, buildCompletedMail, type Owner } from './mails.ts'

/** The most recoveries per run. */
const PAGE = 50
/** More than one recovery takes. */
const STATEMENTS = 30
/** How long before the removal the reminder is mailed. */
const REMINDER_MS = DAY_MS

type DueRecovery = RowOf<typeof readPending>

/**
 * Removes the second factors whose delay is over, and reminds owners a day before. Each recovery is one batch, and the database
 * refuses a second run. Locked accounts are skipped.
 */
export async function completeRecoveries(env: Env, db: Database, nowMs: number): Promise<void> {
  const [due, toRemind] = await readTogether(
    db,
    readPending(sql`r.effective_at <= ${nowMs} AND u.frozen_at IS NULL AND u.closed_at IS NULL`),
    readPending(
      sql`r.effective_at > ${nowMs} AND r.effective_at <= ${nowMs + REMINDER_MS} AND r.reminded_at IS NULL`,
    ),
  )
  const batches = [
    ...due.map((recovery) => () => removeLostFactors(env, db, recovery, nowMs)),
    ...toRemind.map((recovery) => () => sendReminder(env, recovery, nowMs)),
  ]
  const run = async (build: () => Promise<Statement[]>) => runBatch(db, await build())
  // A refusal means that it was stopped, locked or completed meanwhile.
  await processItems(db, STATEMENTS, batches, run, (error) => findDatabaseRefusal(error) !== null)
}

// Uses the partial index `factor_recoveries_due`.
function readPending(where: ReturnType<typeof sql>) {
  const r = alias(factorRecoveries, 'r')
  const u = alias(users, 'u')
  return selectRows({
    ...{ id: r.id, investor: r.investor, email: u.email, displayName: u.displayName },
    effectiveAt: sql<number>`r.effective_at`,
  })
    .from(r)
    .innerJoin(u, eq(u.id, r.investor))
    .where(sql`r.effective_at IS NOT NULL AND r.ended_at IS NULL AND ${where}`)
    .orderBy(r.effectiveAt)
    .limit(PAGE)
}

async function removeLostFactors(
  env: Env,
  db: Database,
  recovery: DueRecovery,
  nowMs: number,
): Promise<Statement[]> {
  const { id, investor } = recovery
  return [
    // First: a trigger refuses it before its time, after a stop, or a second time.
    sql`UPDATE factor_recoveries SET ended_at = ${nowMs}, outcome = 'completed' WHERE id = ${id}`,
    sql`DELETE FROM passkeys WHERE user_id = ${investor}`,
    sql`DELETE FROM second_factors WHERE user_id = ${investor}`,
    sql`DELETE FROM recovery_codes WHERE user_id = ${investor}`,
    ...distrust({ userId: investor, cause: 'factors_removed', nowMs }),
    recordAudit(db, 'system', { action: 'factor_recovery.completed', subject: investor }, nowMs),
    ...(await enqueueMail(env, await buildCompletedMail(env, toOwner(recovery), nowMs), nowMs)),
  ]
}

async function sendReminder(env: Env, recovery: DueRecovery, nowMs: number): Promise<Statement[]> {
  return [
    sql`UPDATE factor_recoveries SET reminded_at = ${nowMs} WHERE id = ${recovery.id}`,
    ...(await enqueueMail(
      env,
      await buildAnnouncementMail(env, toOwner(recovery), recovery, nowMs, true),
      nowMs,
    )),
  ]
}

function toOwner({ investor, email, displayName }: DueRecovery): Owner {
  return { id: investor, email, displayName }
}
