import { eq, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import * as z from 'zod/mini'
import { mailDateText } from '../../../src/contract/dates.ts'
import type { ThenWithdraw } from '../../../src/contract/investing/allocations.ts'
import { COINS, NETWORKS } from '../../../src/contract/money/coins.ts'
import { STEP_UP_REASONS } from '../../../src/contract/money/withdrawals.ts'
import { formatCents } from '../../../src/contract/money.ts'
import { recordAudit } from '../../http/audit.ts'
import { newId, newRef } from '../../lib/crypto/tokens.ts'
import {
  type Database,
  parseStored,
  type RowOf,
  readTogether,
  runBatch,
  type Statement,
  selectRows,
} from '../../lib/database.ts'
import type { Env } from '../../lib/env.ts'
import { findDatabaseRefusal } from '../../lib/errors.ts'
import { buildLink, composeNews } from '../../lib/mail/compose.ts'
import { enqueueMail, type Mail } from '../../lib/mail/outbox.ts'
import { unitMovements } from '../../lib/tables/ledger.ts'
import { users } from '../../lib/tables/people.ts'
import { unitOrders } from '../../lib/tables/strategies.ts'
import { hasBudget } from '../../lib/workBudget.ts'
import { findMinimumProblem, readMinimums } from '../../money/requests/limits.ts'
import {
  buildBankDestination,
  buildWalletDestination,
  type Destination,
} from '../../money/withdrawals/destination.ts'
import { buildWithdrawal, type NewWithdrawal, type ProofFields } from '../../money/withdrawals/facts.ts'
import type { Proof } from '../../money/withdrawals/proof.ts'
import { insertWithdrawal } from '../../money/withdrawals/request.ts'

/** The most redemptions of one run. */
const PAGE = 50
/** More than one of them takes. */
const STATEMENTS = 35

type DueRedemption = RowOf<typeof readDue>

/**
 * Files the withdrawals that settled redemptions asked for, each in a batch of its own. If one cannot be filed (frozen
 * account, deleted address, too many open, amount too small, a larger share by now) the money stays available and its owner is mailed.
 * Killed anywhere and run again, each is filed once.
 */
export async function requestOnwardWithdrawals(env: Env, db: Database, nowMs: number): Promise<void> {
  const [due, minimums] = await readTogether(db, readDue(nowMs), readMinimums())
  const failures: unknown[] = []
  for (const order of due) {
    if (!hasBudget(db, STATEMENTS)) break
    try {
      await requestOnwardWithdrawal(env, db, order, minimums, nowMs)
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
}

async function requestOnwardWithdrawal(
  env: Env,
  db: Database,
  order: DueRedemption,
  minimums: readonly { value: string }[],
  nowMs: number,
): Promise<void> {
  const { destination, mostCents = order.proceeds } = parseStored(storedOnward, order.onward)
  const amountCents = Math.min(mostCents, order.available)
  const { network } = destination.details
  const isTooSmall =
    amountCents < order.available && findMinimumProblem(minimums, 'withdrawal', amountCents, network) !== null
  if (order.mayWithdraw === 0 || order.isDeleted || amountCents <= 0 || isTooSmall)
    return stop(env, db, order, nowMs)
  try {
    await runBatch(db, await buildOnwardStatements(env, db, order, amountCents, nowMs))
  } catch (error) {
    const code = findDatabaseRefusal(error)?.code
    // A destination changed at this moment, or the database is busy: the next run tries again.
    if (code === 'destination_on_hold' || code === 'unavailable') return
    // Another run filed it.
    if (await isDone(db, order.id)) return
    if (code === undefined) throw error
    await stop(env, db, order, nowMs)
  }
}

// Uses the partial index `unit_orders_onward`.
function readDue(nowMs: number) {
  const o = alias(unitOrders, 'o')
  const m = alias(unitMovements, 'm')
  const u = alias(users, 'u')
  return selectRows({
    ...{ id: o.id, ref: o.ref, investor: o.investor, email: u.email, name: u.displayName },
    onward: sql<string>`o.onward`,
    /** The proceeds of the units less debt repayments, in cents. */
    proceeds: sql<number>`m.cents - coalesce((SELECT t.amount FROM transfers t WHERE t.id = o.id || ':repay'), 0)`,
    available: sql<number>`coalesce((SELECT a.balance FROM accounts a WHERE a.id = o.investor || ':available'), 0)`,
    mayWithdraw: sql<0 | 1>`u.frozen_at IS NULL AND u.closed_at IS NULL AND (u.kyc_status = 'approved'
      OR coalesce((SELECT value FROM settings WHERE key = 'kycRequired'), 'true') <> 'true')`,
    /** Whether the owner deleted the saved address to which the plan that filed it pays. */
    isDeleted: sql<0 | 1>`EXISTS (SELECT 1 FROM plan_runs WHERE unit_order = o.id) AND NOT EXISTS (
      SELECT 1 FROM saved_addresses s
      WHERE s.investor = o.investor AND s.destination_hash = json_extract(o.onward, '$.destination.hash'))`,
    heldUntil: sql<number | null>`(SELECT k.held_until FROM known_destinations k
      WHERE k.investor = o.investor AND k.destination_hash = json_extract(o.onward, '$.destination.hash')
        AND k.held_until > ${nowMs})`,
  })
    .from(o)
    .innerJoin(m, eq(m.ref, o.id))
    .innerJoin(u, eq(u.id, o.investor))
    .where(sql`o.onward IS NOT NULL AND o.onward_at IS NULL AND o.status = 'settled'`)
    .orderBy(o.seq)
    .limit(PAGE)
}

async function buildOnwardStatements(
  env: Env,
  db: Database,
  order: DueRedemption,
  amountCents: number,
  nowMs: number,
): Promise<Statement[]> {
  const kept: KeptOnward = parseStored(storedOnward, order.onward)
  const id = newId()
  const ref = newRef('WDR')
  return [
    ...insertWithdrawal(db, {
      ...kept,
      id,
      ref,
      investor: order.investor,
      amountCents,
      heldUntil: order.heldUntil,
      nowMs,
    }),
    markOnwardDone(order.id, nowMs, id),
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
    ...(await enqueueMail(
      env,
      buildOnwardFiledMail(env, order, ref, amountCents, kept.destination.words),
      nowMs,
    )),
  ]
}

async function stop(env: Env, db: Database, order: DueRedemption, nowMs: number): Promise<void> {
  return runBatch(db, [
    markOnwardDone(order.id, nowMs, null),
    recordAudit(db, 'system', { action: 'redemption.not_withdrawn', subject: order.id }, nowMs),
    ...(await enqueueMail(env, buildOnwardStoppedMail(env, order), nowMs)),
  ])
}

// The destination is deleted once it served its purpose. The database refuses a second time.
function markOnwardDone(id: string, nowMs: number, withdrawal: string | null): Statement {
  return sql`UPDATE unit_orders SET onward = NULL, onward_at = ${nowMs}, withdrawal = ${withdrawal}
    WHERE id = ${id}`
}

async function isDone(db: Database, id: string): Promise<boolean> {
  const rows = await db.select({ at: unitOrders.onwardAt }).from(unitOrders).where(eq(unitOrders.id, id))
  return rows[0]?.at !== null
}

const optionalText = z.optional(z.nullable(z.string()))

/** A withdrawal with its proof, as it is stored until it is filed. */
export const storedOnward = z.object({
  kind: z.enum(['withdrawal', 'online-service-withdrawal']),
  destination: z.object({
    hash: z.string(),
    words: z.string(),
    details: z.object({
      coin: z.optional(z.nullable(z.enum(COINS))),
      network: z.optional(z.nullable(z.enum(NETWORKS))),
      address: optionalText,
      bank: optionalText,
      accountHash: optionalText,
    }),
  }),
  sessionId: z.string(),
  proof: z.object({ by: z.enum(['none', 'email', 'totp', 'passkey']), passkey: z.nullable(z.string()) }),
  reasons: z.readonly(z.array(z.enum(STEP_UP_REASONS))),
  /** The most that is withdrawn, if it is not the proceeds: a plan redeems only what is missing. */
  mostCents: z.optional(z.number()),
})
type KeptOnward = z.output<typeof storedOnward>

/** The withdrawal of the proceeds, as it is requested. */
export async function buildOnwardWithdrawal(
  investor: string,
  onward: ThenWithdraw,
  amountCents: number,
  proof: ProofFields,
): Promise<NewWithdrawal> {
  if (onward.way === 'wallet') {
    const destination = mapProblemFields(await buildWalletDestination(onward.fields))
    return buildWithdrawal(investor, { kind: 'withdrawal', amountCents, destination }, proof)
  }
  // Neither the amount nor the proof is part of it.
  const aside = { amount: amountCents, code: undefined, passkey: undefined }
  const destination = mapProblemFields(await buildBankDestination({ ...onward.fields, ...aside }))
  return buildWithdrawal(investor, { kind: 'online-service-withdrawal', amountCents, destination }, proof)
}

// Problems are named by the field in the form.
function mapProblemFields(destination: Destination): Destination {
  const problems = Object.fromEntries(
    Object.entries(destination.problems).map(([field, problem]) => [`thenWithdraw.${field}`, problem]),
  )
  return { ...destination, problems }
}

/** The stored form of the withdrawal, with its proof. */
export function serializeOnward(
  { kind, destination }: NewWithdrawal,
  { by, passkey, reasons }: Proof,
  sessionId: string,
): string {
  const { hash, words, details } = destination
  const kept: KeptOnward = {
    ...{ kind, sessionId, reasons },
    destination: { hash, words, details },
    proof: { by, passkey },
  }
  return JSON.stringify(kept)
}

/** The destination, for its owner. */
export function describeOnward(json: string): string {
  return parseStored(storedOnward, json).destination.words
}

type SettledRedemption = Pick<DueRedemption, 'ref' | 'email' | 'name' | 'heldUntil'>

/** Says that the proceeds are being withdrawn, and until when the withdrawal is delayed. */
function buildOnwardFiledMail(
  env: Env,
  { ref, email, name, heldUntil }: SettledRedemption,
  withdrawal: string,
  amountCents: number,
  destination: string,
): Mail {
  return composeNews(email, `Your redemption ${ref} is settled`, name, [
    `As you asked, we requested the withdrawal ${withdrawal} of ${formatCents(amountCents)} to ${destination}. It awaits approval. You can cancel it until it is approved.`,
    ...(heldUntil === null
      ? []
      : [
          `It is delayed until ${mailDateText(heldUntil)}, because the destination was new. We will not pay it before then.`,
        ]),
    { label: 'Your transaction history', href: buildLink(env, '/dashboard/transaction-history') },
  ])
}

/** Says that the money stays in the account, and the possible reasons. */
function buildOnwardStoppedMail(env: Env, { ref, email, name }: SettledRedemption): Mail {
  return composeNews(email, `Your redemption ${ref} is settled, but was not withdrawn`, name, [
    'We could not request the withdrawal that you asked for. The money is available in your account.',
    'Possible reasons: your account is frozen, your identity or your address is not verified, you deleted the saved address, you have 20 open withdrawals, the amount is below the minimum, or the withdrawal needs a new confirmation.',
    { label: 'Withdraw it', href: buildLink(env, '/dashboard/withdrawal') },
  ])
}
