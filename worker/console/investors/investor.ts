import { desc, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { OperatorInvestor } from '../../../src/contract/console/investors.ts'
import { LOCK_HOURS } from '../../../src/contract/money/destinationLock.ts'
import { toUsd } from '../../../src/contract/money.ts'
import type { Actor } from '../../http/actor.ts'
import type { ActorCall } from '../../http/call.ts'
import { toIso, toIsoOrNull } from '../../http/paging.ts'
import { hasScope } from '../../http/scopes.ts'
import { computeFigures, type Figures, readBooks } from '../../ledger/balances.ts'
import { type RowOf, readTogether, selectRows } from '../../lib/database.ts'
import { refuse } from '../../lib/errors.ts'
import { users } from '../../lib/tables/people.ts'
import { canReadConfidential, isReserved } from '../cases/confidential.ts'

export type InvestorFacts = RowOf<typeof readInvestors>

const u = alias(users, 'u')

/** A fact of the silent freeze that stands on `u`; null for operators who may not read it. */
function selectSilentFreeze<Fact>(fact: SQL<Fact>, reader: string) {
  return sql<Fact | null>`(SELECT ${fact} FROM silent_freezes f
    WHERE f.investor = u.id AND f.ended_at IS NULL AND ${canReadConfidential(reader)})`
}

/** Investors `u` under a condition, newest first. */
export function readInvestors(reader: string, where: SQL, limit: number) {
  return selectRows(buildInvestorFields(reader))
    .from(u)
    .where(sql`u.role = 'investor' AND ${where}`)
    .orderBy(desc(u.seq))
    .limit(limit)
}

/** The facts of investors `u`. */
export function buildInvestorFields(reader: string) {
  return {
    seq: u.seq,
    id: u.id,
    investorName: u.displayName,
    investorEmail: u.email,
    fullname: u.fullname,
    phone: u.phone,
    country: u.country,
    createdAt: u.createdAt,
    emailVerifiedAt: u.emailVerifiedAt,
    kyc: u.kycStatus,
    frozenAt: u.frozenAt,
    frozenReason: u.frozenReason,
    /** When its owner locked it. */
    lockedAt: u.lockedAt,
    /** The operator who first agreed to lift that lock. */
    unlockedBy: sql<string | null>`(
      SELECT operator FROM lock_liftings WHERE investor = u.id AND locked_at = u.locked_at AND step = 1)`,
    unlockedAt: sql<number | null>`(
      SELECT at FROM lock_liftings WHERE investor = u.id AND locked_at = u.locked_at AND step = 1)`,
    unlockedByName: sql<
      string | null
    >`(SELECT o.display_name FROM lock_liftings l JOIN users o ON o.id = l.operator
      WHERE l.investor = u.id AND l.locked_at = u.locked_at AND l.step = 1)`,
    /** The note with that operator’s reason. */
    unlockNote: sql<string | null>`(
      SELECT n.text FROM lock_liftings l JOIN investor_notes n ON n.investor = u.id AND n.author = l.operator AND n.at = l.at
      WHERE l.investor = u.id AND l.locked_at = u.locked_at AND l.step = 1 LIMIT 1)`,
    closedAt: u.closedAt,
    savedDestinationsSince: sql<number | null>`(SELECT on_since FROM destination_locks WHERE investor = u.id
      AND (off_asked_at IS NULL OR off_asked_at > unixepoch('subsec') * 1000 - ${LOCK_HOURS * 3_600_000}))`,
    isErased: sql<0 | 1>`u.erased_at IS NOT NULL`,
    /** Whether a silent freeze stands. Its facts are null for operators who may not read them. */
    isReserved: sql<0 | 1>`${isReserved(sql`u.id`)}`,
    silentReason: selectSilentFreeze(sql<string>`f.reason`, reader),
    silentAt: selectSilentFreeze(sql<number>`f.begun_at`, reader),
    silentBy: selectSilentFreeze(sql<string>`(SELECT display_name FROM users WHERE id = f.begun_by)`, reader),
  }
}

export function toInvestorRow(facts: InvestorFacts): OperatorInvestor {
  return {
    _id: facts.id,
    name: facts.investorName,
    fullname: facts.fullname,
    email: facts.investorEmail,
    phone: facts.phone,
    country: facts.country,
    createdAt: toIso(facts.createdAt),
    emailVerified: facts.emailVerifiedAt !== null,
    kyc: facts.kyc,
    frozen: facts.frozenAt !== null,
    frozenReason: facts.frozenReason,
    lockedAt: toIsoOrNull(facts.lockedAt),
    ...(facts.unlockedBy !== null && {
      firstUnlock: {
        by: facts.unlockedByName ?? '',
        byId: facts.unlockedBy,
        at: toIso(facts.unlockedAt ?? 0),
        reason: facts.unlockNote,
      },
      awaiting: 'second_operator',
    }),
    closedAt: toIsoOrNull(facts.closedAt),
    ...(facts.savedDestinationsSince !== null && {
      savedDestinationsSince: toIso(facts.savedDestinationsSince),
    }),
    ...(facts.isReserved === 1 && { isReserved: true }),
    ...(facts.silentAt !== null && {
      silentFreeze: { at: toIso(facts.silentAt), by: facts.silentBy ?? '', reason: facts.silentReason ?? '' },
    }),
  }
}

export interface Investor {
  readonly facts: InvestorFacts
  readonly figures: Figures
}

/** Loads an investor with their figures, in one round trip. */
export async function loadInvestor(call: ActorCall): Promise<Investor> {
  const id = call.params.id ?? ''
  const [found, books] = await readTogether(
    call.db,
    readInvestors(call.actor.id, sql`u.id = ${id}`, 1),
    readBooks(id),
  )
  const facts = found[0] ?? refuse('not_found')
  return { facts, figures: computeFigures(books) }
}

/** An investor within the scopes of an operator: without figures and reasons of freezes for support, who talks with the person. */
export function limitToScope(actor: Actor, row: OperatorInvestor): OperatorInvestor {
  if (hasScope(actor, 'operator:investors.money')) return row
  const { balances, isReserved, silentFreeze, ...shown } = row
  return { ...shown, frozenReason: null }
}

export function toInvestorDetail({ facts, figures }: Investor): OperatorInvestor {
  return {
    ...toInvestorRow(facts),
    balances: {
      available: toUsd(figures.available),
      deposits: toUsd(figures.deposits),
      withdrawals: toUsd(figures.withdrawals),
      bonus: toUsd(figures.bonus),
      profits: toUsd(figures.profits),
      pendingDeposits: toUsd(figures.pendingDeposits),
      pendingWithdrawals: toUsd(figures.pendingWithdrawals),
      totalBalance: toUsd(figures.totalBalance),
      owed: toUsd(figures.owed),
    },
  }
}
