import { type SQL, sql } from 'drizzle-orm'
import type { OperatorInvestor } from '../../../src/contract/console/investors.ts'
import { toUsd } from '../../../src/contract/money.ts'
import type { ActorCall } from '../../http/call.ts'
import { toIso, toIsoOrNull } from '../../http/paging.ts'
import { computeFigures, type Figures, readBooks } from '../../ledger/balances.ts'
import { buildQuery, type RowQuery, readTogether } from '../../lib/database.ts'
import { refuse } from '../../lib/errors.ts'
import { canReadConfidential, isReserved } from '../cases/confidential.ts'

export interface InvestorFacts {
  readonly seq: number
  readonly id: string
  readonly investorName: string
  readonly investorEmail: string
  readonly fullname: string
  readonly phone: string
  readonly country: string
  readonly createdAt: number
  readonly emailVerifiedAt: number | null
  readonly kyc: OperatorInvestor['kyc']
  readonly frozenAt: number | null
  readonly frozenReason: string | null
  /** When its owner locked it. */
  readonly lockedAt: number | null
  /** The operator who first agreed to lift that lock. */
  readonly unlockedBy: string | null
  readonly unlockedByName: string | null
  readonly closedAt: number | null
  readonly isErased: 0 | 1
  /** Whether a silent freeze stands. Its facts are null for operators who may not read them. */
  readonly isReserved: 0 | 1
  readonly silentReason: string | null
  readonly silentBy: string | null
  readonly silentAt: number | null
}

/** Columns of `users u` for `InvestorFacts`, as one operator may read them. */
export const selectInvestorColumns = (reader: string) => sql`
  u.seq, u.id, u.display_name AS investorName, u.email AS investorEmail, u.fullname, u.phone, u.country,
  u.created_at AS createdAt, u.email_verified_at AS emailVerifiedAt, u.kyc_status AS kyc,
  u.frozen_at AS frozenAt, u.frozen_reason AS frozenReason, u.locked_at AS lockedAt,
  (SELECT operator FROM lock_liftings WHERE investor = u.id AND locked_at = u.locked_at AND step = 1) AS unlockedBy,
  (SELECT o.display_name FROM lock_liftings l JOIN users o ON o.id = l.operator
   WHERE l.investor = u.id AND l.locked_at = u.locked_at AND l.step = 1) AS unlockedByName, u.closed_at AS closedAt,
  u.erased_at IS NOT NULL AS isErased, ${isReserved(sql`u.id`)} AS isReserved,
  ${selectSilentFreeze(sql`f.reason`, reader)} AS silentReason, ${selectSilentFreeze(sql`f.begun_at`, reader)} AS silentAt,
  ${selectSilentFreeze(sql`(SELECT display_name FROM users WHERE id = f.begun_by)`, reader)} AS silentBy`

/** A fact of the silent freeze that stands on `u`; null for operators who may not read it. */
function selectSilentFreeze(fact: SQL, reader: string): SQL {
  return sql`(SELECT ${fact} FROM silent_freezes f
    WHERE f.investor = u.id AND f.ended_at IS NULL AND ${canReadConfidential(reader)})`
}

/** Investors `u` under a condition, newest first, using `index` if it is given. */
export function readInvestors(
  reader: string,
  where: SQL,
  limit: number,
  index?: string,
): RowQuery<InvestorFacts> {
  return buildQuery(sql`
    SELECT ${selectInvestorColumns(reader)} FROM users u ${index === undefined ? sql`` : sql`INDEXED BY ${sql.identifier(index)}`}
    WHERE u.role = 'investor' AND ${where} ORDER BY u.seq DESC LIMIT ${limit}`)
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
      firstUnlock: { by: facts.unlockedByName ?? '', byId: facts.unlockedBy },
      awaiting: 'second_operator',
    }),
    closedAt: toIsoOrNull(facts.closedAt),
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
