import { type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import * as z from 'zod/mini'
import {
  type getInvestorSummary as endpoint,
  type InvestorSummary,
  LATEST_NOTES,
  SUMMARY_COUNT_LIMIT,
} from '../../../src/contract/console/investors.ts'
import { KYC_STATUSES } from '../../../src/contract/identity/kyc.ts'
import { toUsd } from '../../../src/contract/money.ts'
import type { Actor } from '../../http/actor.ts'
import { type ActorCall, type CallOf, ok } from '../../http/call.ts'
import { toIso, toIsoOrNull } from '../../http/paging.ts'
import { computeFigures, readBooks } from '../../ledger/balances.ts'
import { parseStored, type RowOf, readTogether, selectRows } from '../../lib/database.ts'
import { refuse } from '../../lib/errors.ts'
import { users } from '../../lib/tables/people.ts'
import { canReadConfidential, canReadNote, isReserved } from '../cases/confidential.ts'
import { readRiskFacts } from '../risk/facts.ts'
import { readOpenCaseRisks } from '../risk/openCases.ts'
import { deriveRisk, deriveRisks } from '../risk/rules.ts'
import { readNotes, toNote } from './file.ts'

/** A summary of one investor: one round trip, whose cost does not depend on their history. */
export async function showInvestorSummary(_call: CallOf<typeof endpoint>, summary: InvestorSummary) {
  return ok(summary)
}

export async function loadSummary(call: ActorCall): Promise<InvestorSummary> {
  const id = call.params.id ?? ''
  const [found, books, notes, [facts], deposits, withdrawals, kyc, recoveries] = await readTogether(
    call.db,
    readSummary(call.actor, id),
    readBooks(id),
    readNotes(id, null, { limit: LATEST_NOTES - 1 }, call.actor),
    readRiskFacts('investors', sql`${id}`, call),
    ...readOpenCaseRisks(sql`${id}`, call),
  )
  const risks = deriveRisks({ deposits, withdrawals, kyc, recoveries })
  const summary = toInvestorSummary(found[0] ?? refuse('not_found'), computeFigures(books))
  return {
    ...summary,
    open: summary.open.map((openCase) => ({ ...openCase, risk: risks.get(openCase._id) })),
    latestNotes: notes.map(toNote),
    risk: deriveRisk('investors', facts ?? refuse('not_found')),
  }
}

function readSummary(reader: Actor, id: string) {
  const u = alias(users, 'u')
  return selectRows({
    id: u.id,
    name: u.displayName,
    email: u.email,
    createdAt: u.createdAt,
    closedAt: u.closedAt,
    kyc: u.kycStatus,
    kycDecidedAt: sql<number | null>`(
      SELECT k.decided_at FROM kyc_submissions k WHERE k.user_id = u.id AND k.kind = 'identity' ORDER BY k.seq DESC LIMIT 1)`,
    country: u.country,
    bornOn: sql<string | null>`(
      SELECT k.born_on FROM kyc_submissions k WHERE k.user_id = u.id AND k.born_on IS NOT NULL ORDER BY k.seq DESC LIMIT 1)`,
    documentExpiresOn: sql<string | null>`(SELECT k.document_expires_on FROM kyc_submissions k
      WHERE k.user_id = u.id AND k.kind = 'identity' AND k.status = 'approved' ORDER BY k.seq DESC LIMIT 1)`,
    attempts: sql<number>`(SELECT count(*) FROM (
      SELECT 1 FROM kyc_submissions k WHERE k.user_id = u.id AND k.kind = 'identity' LIMIT ${SUMMARY_COUNT_LIMIT}))`,
    lastAttempt: sql<
      string | null
    >`(SELECT json_object('status', k.status, 'reason', k.reason, 'at', k.decided_at)
      FROM kyc_submissions k WHERE k.user_id = u.id AND k.kind = 'identity' AND k.decided_at IS NOT NULL ORDER BY k.seq DESC LIMIT 1)`,
    open: selectOpenCases(),
    hasApp: sql<
      0 | 1
    >`EXISTS (SELECT 1 FROM second_factors f WHERE f.user_id = u.id AND f.enabled_at IS NOT NULL)`,
    hasPasskey: sql<0 | 1>`EXISTS (SELECT 1 FROM passkeys p WHERE p.user_id = u.id)`,
    credited: requestCount(['deposit'], 'approved'),
    depositsRejected: requestCount(['deposit'], 'rejected'),
    paid: requestCount(WITHDRAWALS, 'completed'),
    withdrawalsRejected: requestCount(WITHDRAWALS, 'rejected'),
    lastSignInAt: sql<number | null>`(
      SELECT s.created_at FROM sessions s WHERE s.user_id = u.id ORDER BY s.created_at DESC LIMIT 1)`,
    notes: sql<number>`(SELECT count(*) FROM (SELECT 1 FROM investor_notes n WHERE n.investor = u.id
      AND ${canReadNote(reader)} LIMIT ${SUMMARY_COUNT_LIMIT}))`,
    frozenAt: u.frozenAt,
    frozenReason: u.frozenReason,
    isReserved: sql<0 | 1>`${isReserved(sql`u.id`)}`,
    mayRead: sql<0 | 1>`${canReadConfidential(reader.id)}`,
  })
    .from(u)
    .where(sql`u.id = ${id} AND u.role = 'investor'`)
}

/** JSON. A message belongs to an investor by its sender's address. Of many messages only the newest are read. */
function selectOpenCases(): SQL<string> {
  const selectRequests = (kind: 'deposit' | 'withdrawal', queue: string, status: string) => sql`
    SELECT * FROM (SELECT ${kind} AS kind, r.id AS _id, r.ref, r.created_at AS at, r.amount FROM requests r
      WHERE r.investor = u.id AND r.queue = ${queue} AND r.status = ${status} ORDER BY r.created_at DESC LIMIT ${MOST_OPEN})`
  return sql`(
    SELECT json_group_array(json_object('kind', kind, '_id', _id, 'ref', ref, 'at', at, 'cents', amount)) FROM (
      -- Nested, because D1 joins at most five queries.
      SELECT * FROM (
        SELECT 'kyc' AS kind, k.id AS _id, k.ref, k.created_at AS at, NULL AS amount FROM kyc_submissions k WHERE k.user_id = u.id AND k.status = 'pending'
        UNION ALL SELECT 'recovery', l.id, '', l.filed_at, NULL FROM factor_recoveries l
          WHERE l.investor = u.id AND l.filed_at IS NOT NULL AND l.ended_at IS NULL)
      UNION ALL ${selectRequests('deposit', 'deposits', 'pending')}
      UNION ALL ${selectRequests('withdrawal', 'withdrawals', 'pending')}
      UNION ALL ${selectRequests('withdrawal', 'withdrawals', 'approved')}
      UNION ALL SELECT 'message', m.id, m.ref, m.opened_at, NULL FROM (
        SELECT id, ref, status, opened_at FROM contact_messages WHERE email = u.email ORDER BY seq DESC LIMIT ${MOST_OPEN}) m
      WHERE m.status = 'open'))`
}

const MOST_OPEN = 10
const storedCases = z.array(
  z.object({
    kind: z.enum(['deposit', 'withdrawal', 'kyc', 'message', 'recovery']),
    _id: z.string(),
    ref: z.string(),
    at: z.number(),
    cents: z.nullable(z.number()),
  }),
)
const storedDecision = z.object({
  status: z.enum(KYC_STATUSES),
  reason: z.nullable(z.string()),
  at: z.number(),
})

const WITHDRAWALS = ['withdrawal', 'online-service-withdrawal']

function requestCount(kinds: readonly string[], status: string): SQL<number> {
  return sql`(SELECT count(*) FROM (
    SELECT 1 FROM requests r WHERE r.investor = u.id AND r.kind IN ${kinds} AND r.status = ${status} LIMIT ${SUMMARY_COUNT_LIMIT}))`
}

function parseLastAttempt({ lastAttempt }: RowOf<typeof readSummary>) {
  if (lastAttempt === null) return null
  const decision = parseStored(storedDecision, lastAttempt)
  return { ...decision, at: toIso(decision.at) }
}

function toInvestorSummary(
  facts: RowOf<typeof readSummary>,
  figures: ReturnType<typeof computeFigures>,
): Omit<InvestorSummary, 'latestNotes' | 'risk'> {
  return {
    _id: facts.id,
    name: facts.name,
    email: facts.email,
    createdAt: toIso(facts.createdAt),
    closedAt: toIsoOrNull(facts.closedAt),
    kyc: facts.kyc,
    kycDecidedAt: toIsoOrNull(facts.kycDecidedAt),
    country: facts.country,
    bornOn: facts.bornOn,
    documentExpiresOn: facts.documentExpiresOn,
    identityAttempts: { count: facts.attempts, last: parseLastAttempt(facts) },
    open: parseStored(storedCases, facts.open)
      .toSorted((a, b) => a.at - b.at)
      .map(({ at, cents, ...found }) => ({
        ...found,
        createdAt: toIso(at),
        amount: cents === null ? null : toUsd(cents),
      })),
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
