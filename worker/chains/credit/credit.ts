import { and, eq, isNull, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { getCoinOfNetwork } from '../../../src/contract/money/coins.ts'
import { formatPaymentQuantity, type QueueReason } from '../../../src/contract/money/payments.ts'
import { formatCents } from '../../../src/contract/money.ts'
import { recordAudit } from '../../http/audit.ts'
import { computeQuantity, formatQuantity, parseUnits, takeIntoCustody } from '../../ledger/custody.ts'
import { recordDueBonus } from '../../ledger/dueBonus.ts'
import { credit } from '../../ledger/post.ts'
import { recordEvent } from '../../ledger/requestEvents.ts'
import { newId, newRef } from '../../lib/crypto/tokens.ts'
import {
  type Database,
  type RowOf,
  readTogether,
  runBatch,
  type Statement,
  selectRows,
} from '../../lib/database.ts'
import type { Env } from '../../lib/env.ts'
import { findDatabaseRefusal, isConstraintError } from '../../lib/errors.ts'
import { buildLink, composeNews } from '../../lib/mail/compose.ts'
import { enqueueMails, type Mail } from '../../lib/mail/outbox.ts'
import { payments } from '../../lib/tables/payments.ts'
import { users } from '../../lib/tables/people.ts'
import { depositDetails, requests } from '../../lib/tables/requests.ts'
import { hasStatements } from '../../lib/workBudget.ts'
import { selectAnnouncedDeposit } from './finalise.ts'

/** The platform itself in the ledger, the requests and the audit log. */
export const SYSTEM = 'system'
/** The most credits per run. Each takes about twenty statements, and a Worker may send a thousand. */
const PAGE = 20
/** More than one credit takes. */
const STATEMENTS = 40

type CreditablePayment = RowOf<typeof readCreditable>

/**
 * Credits final payments by the system. Each is one batch: the deposit (filed if it was not announced), the link to its payment, the
 * approval, the ledger, custody, audit line and mail. Above the automatic limit the payment is only linked, and two operators approve.
 * A payment to a frozen account waits. Everything that the database refuses otherwise is tried again at the next run.
 */
export async function creditPayments(env: Env, db: Database, nowMs: number): Promise<void> {
  const failures: unknown[] = []
  const tried = new Map<string, string>()
  while (hasStatements(db, STATEMENTS)) {
    // Read anew after each credit, because it takes an announced deposit.
    const [[payment]] = await readTogether(db, readCreditable(tried))
    if (payment === undefined || tried.size >= PAGE) break
    tried.set(payment.id, payment.investor)
    try {
      await creditOne(env, db, payment, nowMs)
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
}

/** A final payment of the investor whose turn it is: a thousand payments of one keep no other waiting. */
function readCreditable(tried: ReadonlyMap<string, string>) {
  const [p, u, announced] = [alias(payments, 'p'), alias(users, 'u'), alias(requests, 'announced')]
  const { id, network, reference, address, investor } = p
  return selectRows({
    ...{ id, network, reference, address, investor, email: u.email, displayName: u.displayName },
    units: sql<string>`CAST(p.units AS TEXT)`,
    // A final payment has both.
    amount: sql<number>`p.amount`,
    rate: sql<string>`p.rate`,
    /** The announced deposit that it pays; null: the system files one. */
    announced: announced.id,
    announcedRef: announced.ref,
  })
    .from(p)
    .innerJoin(u, eq(u.id, investor))
    .leftJoin(announced, eq(announced.id, selectAnnouncedDeposit()))
    .where(sql`p.state = 'final' AND p.request IS NULL AND u.frozen_at IS NULL
      AND NOT EXISTS (SELECT 1 FROM silent_freezes WHERE investor = p.investor AND ended_at IS NULL)
      AND p.id NOT IN (SELECT value FROM json_each(${JSON.stringify([...tried.keys()])}))`)
    .orderBy(
      sql`(SELECT count(*) FROM json_each(${JSON.stringify([...tried.values()])}) WHERE value = p.investor), p.final_at, p.seq`,
    )
    .limit(1)
}

async function creditOne(env: Env, db: Database, payment: CreditablePayment, nowMs: number): Promise<void> {
  const request = payment.announced ?? newId()
  const ref = payment.announcedRef ?? newRef('DEP')
  const { id, state } = payments
  const isFinal = and(eq(id, payment.id), eq(state, 'final'))
  const bound = db
    .update(payments)
    .set({ request })
    .where(and(isFinal, isNull(payments.request)))
  const linked = [...insertDeposit(db, payment, request, ref, nowMs), bound]
  const sendToQueue = (reason: QueueReason) =>
    runBatch(db, [db.update(payments).set({ state: 'queued', reason }).where(isFinal)])
  try {
    await runBatch(db, [...linked, ...(await approve(env, db, payment, { request, ref }, nowMs))])
  } catch (error) {
    if (isFiled(error)) return
    switch (findDatabaseRefusal(error)?.code) {
      // Above the automatic limit: two operators decide.
      case 'second_operator_required':
        return runBatch(db, linked).catch((second: unknown) => {
          if (!isFiled(second)) throw second
        })
      case 'reference_used':
        return sendToQueue('reference_used')
      case 'account_closed':
        return sendToQueue('account_closed')
      // Frozen or cancelled meanwhile, too many open deposits, or the day's ceiling: it waits.
      case 'account_frozen':
      case 'decisions_reserved':
      case 'daily_credit_ceiling':
      case 'too_many_open':
      case 'already_decided':
      case 'payment_not_proved':
      case 'unavailable':
        return
      default:
        throw error
    }
  }
}

/** Whether the payment has a deposit already, or is final no longer. */
function isFiled(error: unknown): boolean {
  return isConstraintError(error, 'NOT NULL', 'requests.investor')
}

/** Files the deposit of a payment that was not announced. */
function insertDeposit(
  db: Database,
  payment: CreditablePayment,
  request: string,
  ref: string,
  nowMs: number,
): Statement[] {
  if (payment.announced !== null) return []
  const { id, network, address, amount } = payment
  return [
    db.insert(requests).values({
      id: request,
      ref,
      // NOT NULL aborts the batch if another run has filed one meanwhile, or the payment left its block.
      investor: sql`(SELECT investor FROM payments WHERE id = ${id} AND state = 'final' AND request IS NULL)`,
      kind: 'deposit',
      queue: 'deposits',
      amount,
      asked: amount,
      createdAt: nowMs,
    }),
    db.insert(depositDetails).values({
      request,
      coin: getCoinOfNetwork(network),
      network,
      paymentTo: address,
      receiptKey: '',
      receiptType: '',
    }),
  ]
}

async function approve(
  env: Env,
  db: Database,
  payment: CreditablePayment,
  { request, ref }: { readonly request: string; readonly ref: string },
  nowMs: number,
): Promise<Statement[]> {
  const { id, network, investor, amount: amountCents, rate, reference } = payment
  const coin = getCoinOfNetwork(network)
  const units = BigInt(payment.units)
  const quantity = formatQuantity(coin, units)
  const unitsAtRate = parseUnits(coin, computeQuantity(coin, amountCents, rate))
  return [
    recordEvent(db, {
      request,
      investor,
      status: 'approved',
      actor: SYSTEM,
      atMs: nowMs,
      amountCents,
      reference,
      arrived: { units, unitsAtRate },
    }),
    credit(db, { id: request, investor, amountCents }, { actor: SYSTEM, nowMs }),
    db.update(depositDetails).set({ quantity, rate }).where(eq(depositDetails.request, request)),
    takeIntoCustody({ request, asset: coin, units, nowMs }),
    recordDueBonus({ id: request, investor }, nowMs),
    markCredited(request, nowMs),
    recordAudit(
      db,
      SYSTEM,
      { action: 'deposit.credited', subject: request, detail: { amountCents, payment: id } },
      nowMs,
    ),
    ...(await enqueueMails(env, [buildCreditedMail(env, payment, ref, quantity)], nowMs)),
  ]
}

/** Marks the payment of a deposit as credited, after the deposit's approval in the same batch. */
export function markCredited(request: string, nowMs: number): Statement {
  return sql`UPDATE payments SET state = 'credited', credited_at = ${nowMs} WHERE request = ${request} AND state = 'final'`
}

function buildCreditedMail(env: Env, payment: CreditablePayment, ref: string, quantity: string): Mail {
  const { email, displayName, amount, network } = payment
  return composeNews(email, `Your deposit ${ref} was credited`, displayName, [
    `Your payment of ${formatPaymentQuantity(network, quantity)} is confirmed. We credited ${formatCents(amount)} to your account for your deposit ${ref}.`,
    'You can invest it now. You could lose all the money you invest.',
    { label: 'Choose a strategy', href: buildLink(env, '/dashboard/strategies') },
  ])
}
