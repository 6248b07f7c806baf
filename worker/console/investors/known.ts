import { type SQL, sql } from 'drizzle-orm'
import {
  getInvestorSummary as endpoint,
  type InvestorSummary,
  SUMMARY_COUNT_LIMIT,
} from '../../../src/contract/console/investors.ts'
import { toUsd } from '../../../src/contract/money.ts'
import { type ActorCall, createItemRoute, ok } from '../../http/call.ts'
import { toIso, toIsoOrNull } from '../../http/paging.ts'
import { computeFigures, readBooks } from '../../ledger/balances.ts'
import { buildQuery, readTogether } from '../../lib/database.ts'
import { refuse } from '../../lib/errors.ts'
import { canReadConfidential, isReserved } from '../cases/confidential.ts'
import { findSharedTraits, readTraits } from './sharedTraits.ts'

interface SummaryFacts extends Pick<InvestorSummary, 'name' | 'email' | 'kyc' | 'notes' | 'frozenReason'> {
  readonly id: string
  readonly createdAt: number
  readonly closedAt: number | null
  readonly kycDecidedAt: number | null
  readonly hasApp: number
  readonly hasPasskey: number
  readonly credited: number
  readonly depositsRejected: number
  readonly paid: number
  readonly withdrawalsRejected: number
  readonly lastSignInAt: number | null
  readonly frozenAt: number | null
  readonly isReserved: 0 | 1
  readonly mayRead: 0 | 1
}

/** A summary of one investor: one round trip, whose cost does not depend on their history. */
export const showInvestorSummary = createItemRoute(endpoint, loadSummary, async (_call, summary) =>
  ok(summary),
)

async function loadSummary(call: ActorCall): Promise<InvestorSummary> {
  const id = call.params.id ?? ''
  const [found, books, traits] = await readTogether(
    call.db,
    buildQuery<SummaryFacts>(sql`
      SELECT u.id, u.display_name AS name, u.email, u.created_at AS createdAt, u.closed_at AS closedAt, u.kyc_status AS kyc,
        (SELECT k.decided_at FROM kyc_submissions k WHERE k.user_id = u.id ORDER BY k.seq DESC LIMIT 1) AS kycDecidedAt,
        EXISTS (SELECT 1 FROM second_factors f WHERE f.user_id = u.id AND f.enabled_at IS NOT NULL) AS hasApp,
        EXISTS (SELECT 1 FROM passkeys p WHERE p.user_id = u.id) AS hasPasskey,
        ${requestCount(['deposit'], 'approved')} AS credited,
        ${requestCount(['deposit'], 'rejected')} AS depositsRejected,
        ${requestCount(WITHDRAWALS, 'completed')} AS paid,
        ${requestCount(WITHDRAWALS, 'rejected')} AS withdrawalsRejected,
        (SELECT s.created_at FROM sessions s WHERE s.user_id = u.id ORDER BY s.created_at DESC LIMIT 1) AS lastSignInAt,
        (SELECT count(*) FROM (SELECT 1 FROM investor_notes n WHERE n.investor = u.id
          AND (n.confidential = 0 OR ${canReadConfidential(call.actor.id)}) LIMIT ${SUMMARY_COUNT_LIMIT})) AS notes,
        u.frozen_at AS frozenAt, u.frozen_reason AS frozenReason, ${isReserved(sql`u.id`)} AS isReserved,
        ${canReadConfidential(call.actor.id)} AS mayRead
      FROM users u WHERE u.id = ${id} AND u.role = 'investor'`),
    readBooks(id),
    readTraits(id),
  )
  return {
    ...toInvestorSummary(found[0] ?? refuse('not_found'), computeFigures(books)),
    shared: findSharedTraits(traits),
  }
}

const WITHDRAWALS = ['withdrawal', 'online-service-withdrawal']

function requestCount(kinds: readonly string[], status: string): SQL {
  return sql`(SELECT count(*) FROM (
    SELECT 1 FROM requests r WHERE r.investor = u.id AND r.kind IN ${kinds} AND r.status = ${status} LIMIT ${SUMMARY_COUNT_LIMIT}))`
}

function toInvestorSummary(
  facts: SummaryFacts,
  figures: ReturnType<typeof computeFigures>,
): Omit<InvestorSummary, 'shared'> {
  return {
    _id: facts.id,
    name: facts.name,
    email: facts.email,
    createdAt: toIso(facts.createdAt),
    closedAt: toIsoOrNull(facts.closedAt),
    kyc: facts.kyc,
    kycDecidedAt: toIsoOrNull(facts.kycDecidedAt),
    secondFactor: facts.hasApp ? (facts.hasPasskey ? 'both' : 'app') : facts.hasPasskey ? 'passkey' : 'none',
    available: toUsd(figures.available),
    totalBalance: toUsd(figures.totalBalance),
    bonus: toUsd(figures.bonus),
    owed: toUsd(figures.owed),
    deposits: { done: facts.credited, amount: toUsd(figures.deposits), rejected: facts.depositsRejected },
    withdrawals: {
      done: facts.paid,
      amount: toUsd(figures.withdrawals),
      rejected: facts.withdrawalsRejected,
    },
    lastSignInAt: toIsoOrNull(facts.lastSignInAt),
    notes: facts.notes,
    frozenAt: toIsoOrNull(facts.frozenAt),
    frozenReason: facts.frozenReason,
    ...(facts.isReserved === 1 && { reserved: facts.mayRead === 1 ? 'silent_freeze' : 'role' }),
  }
}
