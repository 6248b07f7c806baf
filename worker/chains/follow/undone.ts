import { and, eq, sql } from 'drizzle-orm'
import { recordAudit } from '../../http/audit.ts'
import { newId } from '../../lib/crypto/tokens.ts'
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
import { proposals } from '../../lib/tables/operators.ts'
import { payments } from '../../lib/tables/payments.ts'
import { requests } from '../../lib/tables/requests.ts'
import { hasStatements } from '../../lib/workBudget.ts'
import { SYSTEM } from '../credit/credit.ts'
import { type DeepPayment, priceFinalPayments } from '../credit/finalise.ts'

/** More than one proposal takes. */
const STATEMENTS = 5

/** The reason of a prepared reversal, which the investor reads if it is approved, and that of its end. */
const REASON = 'The payment of this deposit is no longer on its chain.'
const RETURNED = 'The payment of this deposit is back on its chain.'

/**
 * Prepares the reversal of each credit whose payment is gone: a proposal that any treasurer can approve. The amount is already frozen by
 * the database. Raises the alarm once for each.
 */
export async function proposeReversals(db: Database, nowMs: number): Promise<void> {
  const [undone] = await readTogether(db, readUndone())
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

function readUndone() {
  return selectRows({ id: payments.id, request: requests.id, amount: payments.amount })
    .from(payments)
    .innerJoin(requests, and(eq(requests.id, payments.request), eq(requests.status, 'approved')))
    .where(sql`${payments.state} = 'undone' AND NOT EXISTS (
      SELECT 1 FROM proposals o WHERE o.request = ${payments.request} AND o.kind = 'reversal'
        AND (o.status = 'pending' OR o.created_at >= ${payments.undoneAt}))`)
}

function propose(
  db: Database,
  { id, request, amount }: RowOf<typeof readUndone>,
  nowMs: number,
): Statement[] {
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

/** A payment that is final, and the deposit that it was credited to before it was undone. */
type FinalPayment = DeepPayment & Pick<typeof payments.$inferSelect, 'state' | 'request'>

/**
 * Prices confirming payments, and credits undone ones again that are back, with their new block and proof. The reversals that were prepared
 * for these end.
 */
export async function recordFinal(
  env: Env,
  db: Database,
  final: readonly FinalPayment[],
  nowMs: number,
): Promise<void> {
  const confirming = final.filter(({ state }) => state === 'confirming')
  const returned = final.flatMap(({ state, request, ...payment }) =>
    state === 'undone' && request !== null ? [{ ...payment, request }] : [],
  )
  const [prepared] = await readTogether(db, readPrepared(returned.map(({ request }) => request)))
  await runBatch(db, [
    ...(await priceFinalPayments(env, db, confirming, nowMs)),
    ...returned.flatMap((payment) => creditAgain(db, payment, nowMs)),
    ...prepared.flatMap(({ id }) => withdrawReversal(db, id, nowMs)),
  ])
}

/** The pending reversals that the system prepared for these deposits. */
function readPrepared(deposits: readonly string[]) {
  return selectRows({ id: proposals.id })
    .from(proposals)
    .where(sql`request IN (SELECT value FROM json_each(${JSON.stringify(deposits)})) AND status = 'pending'
      AND kind = 'reversal' AND proposed_by = ${SYSTEM}`)
}

function withdrawReversal(db: Database, id: string, nowMs: number): Statement[] {
  return [
    db
      .update(proposals)
      .set({ status: 'rejected', decidedBy: SYSTEM, decidedAt: nowMs, rejection: RETURNED })
      .where(eq(proposals.id, id)),
    recordAudit(
      db,
      SYSTEM,
      { action: 'proposal.rejected', subject: id, detail: { kind: 'reversal' } },
      nowMs,
    ),
  ]
}

function creditAgain(
  db: Database,
  { request, id, confirmations, proof }: DeepPayment & { readonly request: string },
  nowMs: number,
): Statement[] {
  const isApproved = sql`(SELECT status FROM requests WHERE id = ${request}) = 'approved'`
  return [
    sql`
      UPDATE payments SET state = iif(${isApproved}, 'credited', 'queued'), reason = iif(${isApproved}, NULL, 'reversed'),
        confirmations = ${confirmations}, proof = ${proof}, undone_at = NULL, checked_at = ${nowMs}
      WHERE id = ${id} AND state = 'undone'`,
    recordAudit(db, SYSTEM, { action: 'payment.returned', subject: request, detail: { payment: id } }, nowMs),
  ]
}
