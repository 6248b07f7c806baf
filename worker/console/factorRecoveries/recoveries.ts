import { desc, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { CaseStep } from '../../../src/contract/console/cases.ts'
import {
  type FactorRecovery,
  listFactorRecoveries,
  type rejectFactorRecovery,
} from '../../../src/contract/console/factorRecoveries.ts'
import { describeFactors, describeRecoveryStatus } from '../../../src/contract/console/recoveryWords.ts'
import type { QueryOf } from '../../../src/contract/endpoint.ts'
import { type ActorCall, type CallOf, ok } from '../../http/call.ts'
import { buildFilters } from '../../http/filters.ts'
import { toIso, toIsoOrNull } from '../../http/paging.ts'
import { buildSeqPage, createQueue } from '../../http/queue.ts'
import { buildDecisionColumns, toStep } from '../../http/steps.ts'
import { buildRejectedMail } from '../../identity/factorRecovery/mails.ts'
import { type RowOf, readTogether, selectRows } from '../../lib/database.ts'
import { refuse } from '../../lib/errors.ts'
import { kycSubmissions } from '../../lib/tables/kyc.ts'
import { proposals } from '../../lib/tables/operators.ts'
import { factorRecoveries as factorRecoveryTable, users } from '../../lib/tables/people.ts'
import { selectAccepted, withAccepted } from '../cases/accepted.ts'
import { addInternalNote } from '../cases/internalNote.ts'
import { toInvestor } from '../cases/requests.ts'
import { selectMatchingInvestors } from '../cases/search.ts'
import { assertNotAssigned, isAssignedTo, isWaitingFor, parseWork, selectWork } from '../cases/workState.ts'
import { readDocumentViewOfRecovery } from '../kyc/views.ts'
import { readRiskFacts } from '../risk/facts.ts'
import { RISK_COLUMNS, readByRisk } from '../risk/queue.ts'

export const factorRecoveryQueue = createQueue(listFactorRecoveries, {
  read: async (call, after, rows) => {
    const { status, assigned, waits, query } = call.query
    const isOpen = sql`r.ended_at IS NULL`
    const { indexed, read } = buildFilters(call.query, {
      ...{ id: sql`r.id`, at: sql`r.filed_at`, investor: sql`r.investor` },
    })
    const found = query === undefined ? sql`1` : sql`r.investor IN (${selectMatchingInvestors(query)})`
    const filtered = sql`${indexed} AND ${read ?? sql`1`} AND ${found}`
    const narrowed = sql`r.filed_at IS NOT NULL AND ${matchStatus(status)} AND ${filtered} AND ${isAssignedTo(assigned, sql`r.id`, call)}
      AND ${isWaitingFor(waits, sql`'factor_recovery'`, sql`r.id`)}`
    return readByRisk<Recovery>(call, 'recoveries', after, rows, {
      select: ({ order, after, rows, also }) => {
        const { isAfter, by } = buildSeqPage(sql`r.seq`, order, after)
        return sql`SELECT r.id FROM factor_recoveries r WHERE ${narrowed} AND ${isAfter} AND ${also} ORDER BY ${by} LIMIT ${rows}`
      },
      isOpen,
      read: (ids, risks) => readTogether(call.db, readRecoveries(sql`r.id IN (${ids})`, rows), risks),
      position: ({ seq }) => ({ at: 0, seq }),
    })
  },
  row: (recovery, call) => ({ ...toRecoveryRow(recovery, call), risk: recovery.risk }),
  file: {
    name: 'recoveries',
    columns: {
      Id: (row) => row.id,
      'Reported (UTC)': (row) => toIso(row.filedAt),
      Status: (row) =>
        describeRecoveryStatus({
          status: deriveStatus(row),
          proposal:
            row.proposal === null ? null : { _id: row.proposal, proposedBy: row.proposedByName ?? '' },
        }),
      Investor: (row) => row.investor,
      Name: (row) => row.investorName,
      'E-mail': (row) => row.investorEmail,
      'Second factors now': (row) => describeFactors(listMethods(row)),
      'Identity document': (row) => row.documentRef ?? '',
      'Removed from (UTC)': (row) => toIsoOrNull(row.effectiveAt) ?? '',
      'Ended (UTC)': (row) => toIsoOrNull(row.endedAt) ?? '',
      ...RISK_COLUMNS,
      ...buildDecisionColumns(toRecoverySteps),
    },
  },
})

function listMethods({ hasPasskey, hasTotp }: Recovery): FactorRecovery['methods'] {
  return [...(hasPasskey === 1 ? (['passkey'] as const) : []), ...(hasTotp === 1 ? (['totp'] as const) : [])]
}

const IS_PROPOSED = sql`EXISTS (
  SELECT 1 FROM proposals q WHERE q.investor = r.investor AND q.kind = 'factor_recovery' AND q.status = 'pending'
    AND json_extract(q.payload, '$.recovery') = r.id)`

function matchStatus(status: QueryOf<typeof listFactorRecoveries>['status']): SQL {
  switch (status) {
    case undefined:
      return sql`1`
    case 'open':
      return sql`(r.ended_at IS NULL AND r.effective_at IS NULL AND NOT ${IS_PROPOSED})`
    case 'undecided':
      return sql`(r.ended_at IS NULL AND r.effective_at IS NULL)`
    case 'proposed':
      return sql`(r.ended_at IS NULL AND ${IS_PROPOSED})`
    case 'approved':
      return sql`(r.ended_at IS NULL AND r.effective_at IS NOT NULL)`
    case 'ended':
      return sql`r.ended_at IS NOT NULL`
  }
}

/** Rejects the removal of a second factor, even after two reviewers approved it: one operator is enough to keep a factor. The reason is kept as a note for operators. */
export async function rejectRecovery(call: CallOf<typeof rejectFactorRecovery>, recovery: Recovery) {
  const { db, env, nowMs, body } = call
  if (recovery.outcome !== null) refuse('already_decided')
  assertNotAssigned(recovery, call)
  const { id, investor, investorName: displayName, investorEmail: email } = recovery
  const ended = { endedBy: call.actor.id, endedByName: call.actor.displayName }
  return call.commit({
    statements: [
      db
        .update(factorRecoveryTable)
        .set({ endedAt: nowMs, outcome: 'rejected' })
        .where(eq(factorRecoveryTable.id, id)),
      ...addInternalNote(call, investor, 'The removal of the second factor was rejected', body.reason),
    ],
    audit: [{ action: 'factor_recovery.rejected', subject: investor }],
    mails: [await buildRejectedMail(env, { id: investor, email, displayName }, nowMs)],
    answer: ok(
      toRecoveryRow({ ...recovery, outcome: 'rejected', endedAt: nowMs, ...ended, work: null }, call),
    ),
  })
}

/** A filed request to remove a lost second factor, with the facts that reviewers compare. */
export type Recovery = RowOf<typeof readRecoveries>

/** Filed requests `r` under a condition, newest first. */
export function readRecoveries(where: SQL, limit: number) {
  const [r, u, a] = [alias(factorRecoveryTable, 'r'), alias(users, 'u'), alias(users, 'a')]
  const [k, p] = [alias(kycSubmissions, 'k'), alias(proposals, 'p')]
  const [b, e] = [alias(users, 'b'), alias(users, 'e')]
  return selectRows({
    ...getTableColumns(r),
    investorName: u.displayName,
    investorEmail: u.email,
    phone: u.phone,
    filedAt: sql<number>`r.filed_at`,
    hasTotp: sql<
      0 | 1
    >`EXISTS (SELECT 1 FROM second_factors f WHERE f.user_id = u.id AND f.enabled_at IS NOT NULL)`,
    hasPasskey: sql<0 | 1>`EXISTS (SELECT 1 FROM passkeys y WHERE y.user_id = u.id)`,
    documentId: k.id,
    documentRef: k.ref,
    accepted: selectAccepted(sql`r.id`),
    proposal: p.id,
    ...{
      proposedAt: p.createdAt,
      proposedBy: p.proposedBy,
      proposedByName: a.displayName,
      proposedFor: p.reason,
    },
    ...{ approvedAt: p.decidedAt, approvedBy: b.id, approvedByName: b.displayName, ownCheck: p.ownCheck },
    ...{ endedBy: e.id, endedByName: e.displayName },
    work: selectWork(
      sql`iif(r.ended_at IS NULL AND r.effective_at IS NULL, 'factor_recovery', NULL)`,
      sql`r.id`,
      sql`r.filed_at`,
    ),
  })
    .from(r)
    .innerJoin(u, eq(u.id, r.investor))
    .leftJoin(k, sql`k.user_id = u.id AND k.kind = 'identity' AND k.status = 'approved'`)
    .leftJoin(
      p,
      sql`p.investor = r.investor AND p.kind = 'factor_recovery'
        AND p.status IN ('pending', 'approved') AND json_extract(p.payload, '$.recovery') = r.id`,
    )
    .leftJoin(a, eq(a.id, p.proposedBy))
    .leftJoin(b, sql`b.id = p.decided_by AND p.status = 'approved'`)
    .leftJoin(
      e,
      sql`e.id = CASE r.outcome WHEN 'stopped' THEN r.investor ELSE (
        SELECT actor FROM audit_log WHERE subject = r.investor AND at = r.ended_at AND action LIKE 'factor_recovery.%' LIMIT 1) END`,
    )
    .where(sql`r.filed_at IS NOT NULL AND ${where}`)
    .orderBy(desc(r.seq))
    .limit(limit)
}

export async function loadRecovery(call: ActorCall): Promise<Recovery> {
  const [[recovery]] = await readTogether(call.db, readRecoveries(sql`r.id = ${call.params.id ?? ''}`, 1))
  return recovery ?? refuse('not_found')
}

/** Loads a recovery, the facts of its risk and the caller's view of the identity document in one round trip. */
export async function loadRecoveryToPropose(call: ActorCall) {
  const id = sql`${call.params.id ?? ''}`
  const [[recovery], [risk], [view]] = await readTogether(
    call.db,
    readRecoveries(sql`r.id = ${id}`, 1),
    readRiskFacts('recoveries', id, call, true),
    readDocumentViewOfRecovery(call, id),
  )
  return { recovery: recovery ?? refuse('not_found'), risk, view }
}

export function toRecoveryRow(recovery: Recovery, call: Pick<ActorCall, 'nowMs'>): FactorRecovery {
  const { documentId, documentRef, proposal, proposedByName, effectiveAt, endedAt } = recovery
  return {
    _id: recovery.id,
    investor: toInvestor(recovery),
    phone: recovery.phone,
    status: deriveStatus(recovery),
    createdAt: toIso(recovery.filedAt),
    methods: listMethods(recovery),
    document: documentId === null ? null : { _id: documentId, ref: documentRef ?? '' },
    proposal: proposal === null ? null : { _id: proposal, proposedBy: proposedByName ?? '' },
    effectiveAt: toIsoOrNull(effectiveAt),
    endedAt: toIsoOrNull(endedAt),
    ...parseWork(recovery, call),
    steps: toRecoverySteps(recovery),
  }
}

function toRecoverySteps(recovery: Recovery): CaseStep[] {
  const { filedAt, investor, investorName, proposedAt, approvedAt, endedAt, outcome } = recovery
  const steps = [
    toStep('filed', filedAt, investor, investorName),
    ...(proposedAt === null
      ? []
      : [toStep('proposed', proposedAt, recovery.proposedBy, recovery.proposedByName, recovery.proposedFor)]),
    ...(approvedAt === null || recovery.approvedBy === null
      ? []
      : [toStep('approved', approvedAt, recovery.approvedBy, recovery.approvedByName, recovery.ownCheck)]),
    ...(endedAt === null || outcome === null
      ? []
      : [toStep(outcome, endedAt, recovery.endedBy, recovery.endedByName)]),
  ]
  return withAccepted(steps, recovery)
}

function deriveStatus({ outcome, effectiveAt, proposal }: Recovery): FactorRecovery['status'] {
  if (outcome !== null) return outcome
  if (effectiveAt !== null) return 'approved'
  return proposal === null ? 'filed' : 'proposed'
}
