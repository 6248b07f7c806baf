import { sql } from 'drizzle-orm'
import { recordAudit } from '../../http/audit.ts'
import { newId } from '../../lib/crypto/tokens.ts'
import { buildQuery, type Database, readTogether, runBatch, type Statement } from '../../lib/database.ts'
import { findDatabaseRefusal } from '../../lib/errors.ts'
import { proposals } from '../../lib/tables/operators.ts'
import { hasStatements } from '../../lib/workBudget.ts'
import { SYSTEM } from '../credit/credit.ts'

interface UndonePayment {
  readonly id: string
  readonly request: string
  readonly amount: number
}

/** More than one proposal takes. */
const STATEMENTS = 5

/** The reason of a prepared reversal, which the investor reads if it is approved. */
const REASON = 'The payment of this deposit is no longer on its chain.'

/**
 * Prepares the reversal of each credit whose payment is gone: a proposal that any treasurer can approve. The amount is already frozen by
 * the database. Raises the alarm once for each.
 */
export async function proposeReversals(db: Database, nowMs: number): Promise<void> {
  const [undone] = await readTogether(
    db,
    buildQuery<UndonePayment>(sql`
      SELECT p.id, p.request, p.amount FROM payments p JOIN requests r ON r.id = p.request AND r.status = 'approved'
      WHERE p.state = 'undone' AND NOT EXISTS (
        SELECT 1 FROM proposals o WHERE o.request = p.request AND o.kind = 'reversal'
          AND (o.status = 'pending' OR o.created_at >= p.undone_at))`),
  )
  const failures: unknown[] = []
  for (const payment of undone) {
    if (!hasStatements(db, STATEMENTS)) break
    console.error(
      JSON.stringify({ level: 'alarm', payment: payment.id, problem: 'A credited payment is gone.' }),
    )
    try {
      await runBatch(db, propose(db, payment, nowMs))
    } catch (error) {
      if (findDatabaseRefusal(error) === null) failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
}

function propose(db: Database, { id, request, amount }: UndonePayment, nowMs: number): Statement[] {
  const proposal = newId()
  return [
    db.insert(proposals).values({
      id: proposal,
      kind: 'reversal',
      createdAt: nowMs,
      proposedBy: SYSTEM,
      reason: REASON,
      request,
    }),
    recordAudit(
      db,
      SYSTEM,
      { action: 'payment.undone', subject: request, detail: { payment: id, amountCents: amount } },
      nowMs,
    ),
    recordAudit(
      db,
      SYSTEM,
      { action: 'proposal.created', subject: proposal, detail: { kind: 'reversal' } },
      nowMs,
    ),
  ]
}

/** Undone payments that are final again: their credit counts again, with the new block and proof. */
export function creditAgain(
  db: Database,
  payment: {
    readonly id: string
    readonly request: string
    readonly confirmations: number
    readonly proof: string
  },
  nowMs: number,
): Statement[] {
  const { id, request, confirmations, proof } = payment
  return [
    sql`
      UPDATE payments SET
        state = CASE (SELECT status FROM requests WHERE id = ${request}) WHEN 'approved' THEN 'credited' ELSE 'queued' END,
        reason = CASE (SELECT status FROM requests WHERE id = ${request}) WHEN 'approved' THEN NULL ELSE 'reversed' END,
        confirmations = ${confirmations}, proof = ${proof}, undone_at = NULL, checked_at = ${nowMs}
      WHERE id = ${id} AND state = 'undone'`,
    recordAudit(db, SYSTEM, { action: 'payment.returned', subject: request, detail: { payment: id } }, nowMs),
  ]
}
