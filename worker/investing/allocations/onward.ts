import { eq, sql } from 'drizzle-orm'
import { recordAudit } from '../../http/audit.ts'
import { newId, newRef } from '../../lib/crypto/tokens.ts'
import { type Database, reading, readTogether, runBatch, type Statement } from '../../lib/database.ts'
import type { Env } from '../../lib/env.ts'
import { refusalOfDatabase } from '../../lib/errors.ts'
import { enqueueMail } from '../../lib/mail/outbox.ts'
import { unitOrders } from '../../lib/tables/strategies.ts'
import { minimumProblem, readMinimums } from '../../money/requests/minimums.ts'
import { filingStatements } from '../../money/withdrawals/request.ts'
import { onwardFiled, onwardStopped } from './mails.ts'
import { type KeptOnward, readOnward } from './onwardOf.ts'

/** How many one run takes up; what is left over follows a minute later. */
const PAGE = 50

interface Due {
  readonly id: string
  readonly ref: string
  readonly investor: string
  readonly onward: string
  readonly email: string
  readonly name: string
  /** What the units brought, less what was repaid of it, in cents. */
  readonly proceeds: number
  readonly available: number
  readonly mayWithdraw: 0 | 1
  readonly heldUntil: number | null
}

/**
 * Files the withdrawals that redemptions were for, now that these are settled: each in a batch of its own, with what it brought.
 * Where one cannot be filed (the account was frozen, too many are open, the amount is too small, a known destination takes a larger
 * share by now) the money stays available, and its owner is told. Killed anywhere and run again, each is filed once.
 */
export async function fileOnward(env: Env, db: Database, nowMs: number): Promise<void> {
  const [due, minimums] = await readTogether(db, readDue(nowMs), readMinimums())
  const failures: unknown[] = []
  for (const order of due) {
    try {
      await fileOne(env, db, order, minimums, nowMs)
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
}

async function fileOne(
  env: Env,
  db: Database,
  order: Due,
  minimums: readonly { value: string }[],
  nowMs: number,
): Promise<void> {
  const amountCents = Math.min(order.proceeds, order.available)
  const isTooSmall =
    amountCents < order.available && minimumProblem(minimums, 'withdrawal', amountCents) !== null
  if (order.mayWithdraw === 0 || amountCents <= 0 || isTooSmall) return stop(env, db, order, nowMs)
  try {
    await runBatch(db, await filed(env, db, order, amountCents, nowMs))
  } catch (error) {
    const code = refusalOfDatabase(error)?.code
    // Somebody proved or lifted something at this very moment, or the database is busy: the next run looks again.
    if (code === 'destination_on_hold' || code === 'unavailable') return
    // Another run filed it.
    if (await isDone(db, order.id)) return
    if (code === undefined) throw error
    await stop(env, db, order, nowMs)
  }
}

// `unit_orders_onward` is the index of just these.
function readDue(nowMs: number) {
  return reading<Due>(sql`
    SELECT o.id, o.ref, o.investor, o.onward, u.email, u.display_name AS name,
           m.cents - coalesce((SELECT t.amount FROM transfers t WHERE t.id = o.id || ':repay'), 0) AS proceeds,
           coalesce((SELECT a.balance FROM accounts a WHERE a.id = o.investor || ':available'), 0) AS available,
           u.frozen_at IS NULL AND u.closed_at IS NULL AND (u.kyc_status = 'approved'
             OR coalesce((SELECT value FROM settings WHERE key = 'kycRequired'), 'true') <> 'true') AS mayWithdraw,
           (SELECT k.held_until FROM known_destinations k
            WHERE k.investor = o.investor AND k.destination_hash = json_extract(o.onward, '$.destination.hash')
              AND k.held_until > ${nowMs}) AS heldUntil
    FROM unit_orders o JOIN unit_movements m ON m.ref = o.id JOIN users u ON u.id = o.investor
    WHERE o.onward IS NOT NULL AND o.onward_at IS NULL AND o.status = 'settled' ORDER BY o.seq LIMIT ${PAGE}`)
}

async function filed(
  env: Env,
  db: Database,
  order: Due,
  amountCents: number,
  nowMs: number,
): Promise<Statement[]> {
  const kept: KeptOnward = readOnward(order.onward)
  const id = newId()
  const ref = newRef('WDR')
  return [
    ...filingStatements(db, {
      ...kept,
      id,
      ref,
      investor: order.investor,
      actor: order.investor,
      amountCents,
      heldUntil: order.heldUntil,
      nowMs,
    }),
    done(db, order.id, nowMs, id),
    recordAudit(
      db,
      order.investor,
      {
        action: 'withdrawal.requested',
        subject: id,
        detail: { amountCents, kind: kept.kind, order: order.id },
      },
      nowMs,
    ),
    ...(await enqueueMail(env, db, onwardFiled(env, order, ref, amountCents, kept.destination.words), nowMs)),
  ]
}

async function stop(env: Env, db: Database, order: Due, nowMs: number): Promise<void> {
  return runBatch(db, [
    done(db, order.id, nowMs, null),
    recordAudit(db, 'system', { action: 'redemption.not_withdrawn', subject: order.id }, nowMs),
    ...(await enqueueMail(env, db, onwardStopped(env, order), nowMs)),
  ])
}

// Where it goes is not kept beyond its purpose. The database refuses a second time.
function done(db: Database, id: string, nowMs: number, withdrawal: string | null): Statement {
  return db.update(unitOrders).set({ onward: null, onwardAt: nowMs, withdrawal }).where(eq(unitOrders.id, id))
}

async function isDone(db: Database, id: string): Promise<boolean> {
  const [rows] = await readTogether(
    db,
    reading<{ at: number | null }>(sql`SELECT onward_at AS at FROM unit_orders WHERE id = ${id}`),
  )
  return rows[0]?.at !== null
}
