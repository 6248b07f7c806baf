import { eq, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import * as endpoints from '../../../src/contract/console/proposals.ts'
import { ROLES_OF_PROPOSALS } from '../../../src/contract/roles.ts'
import { type ActorCall, type CallOf, ok } from '../../http/call.ts'
import { assertRole } from '../../http/scopes.ts'
import { assertFactor, commitWithFactor } from '../../identity/factors/actFactor.ts'
import { refuseAsFrozen } from '../../ledger/frozen.ts'
import { type RowOf, readTogether, type Statement, selectRows } from '../../lib/database.ts'
import { findDatabaseRefusal, refuse, refuseField } from '../../lib/errors.ts'
import { caseAssignments, proposals } from '../../lib/tables/operators.ts'
import { payments } from '../../lib/tables/payments.ts'
import { referralBonuses, users } from '../../lib/tables/people.ts'
import { assertNotAssigned, parseWork } from '../cases/workState.ts'
import { assertViewed, type DocumentView, readDocumentViewOfRecovery } from '../kyc/views.ts'
import { refuseOwn } from '../operators/operators.ts'
import { acceptRisk } from '../risk/accept.ts'
import type { RiskFacts } from '../risk/rules.ts'
import { buildEffect } from './effect.ts'
import { getMovedCents, type ProposalFacts, parseProposal, readProposals, toProposalRow } from './proposal.ts'
import { readProposalRisks } from './risk.ts'

export interface ProposalToDecide {
  readonly proposal: ProposalFacts
  /** Whether it reverses a credit whose payment is gone from its chain. */
  readonly isUndone: boolean
  /** The referral bonus that its reversal takes back. */
  readonly bonus: EarnedBonus | null
  /** The facts of its risk while it is pending, if it concerns an investor. */
  readonly risk: RiskFacts | undefined
  /** The caller's view of the identity document, of a removal of a lost second factor. */
  readonly view: DocumentView | undefined
}

/** Amount in cents. */
export type EarnedBonus = RowOf<typeof readEarnedBonus>

function readEarnedBonus(request: SQL) {
  const [b, u] = [alias(referralBonuses, 'b'), alias(users, 'u')]
  return selectRows({
    id: b.id,
    referrer: b.referrer,
    investorName: u.displayName,
    investorEmail: u.email,
    amount: b.amount,
  })
    .from(b)
    .innerJoin(u, eq(u.id, b.referrer))
    .where(
      sql`b.deposit = ${request} AND b.granted_at IS NOT NULL AND b.reversed_at IS NULL AND u.closed_at IS NULL`,
    )
}

/** Loads the proposal in one round trip. Refuses an operator without a role for its kind. */
export async function loadProposal(call: ActorCall): Promise<ProposalToDecide> {
  const id = call.params.id ?? ''
  const request = sql`(SELECT request FROM proposals WHERE id = ${id})`
  const lost = sql`(
    SELECT json_extract(payload, '$.recovery') FROM proposals WHERE id = ${id} AND kind = 'factor_recovery')`
  const [[row], undone, [bonus], [view], [recovery], [investor]] = await readTogether(
    call.db,
    readProposals(sql`p.id = ${id}`, 1),
    selectRows({ id: payments.id }).from(payments).where(sql`request = ${request} AND state = 'undone'`),
    readEarnedBonus(request),
    readDocumentViewOfRecovery(call, lost),
    ...readProposalRisks(sql`${id}`, call),
  )
  if (row === undefined) return refuse('not_found')
  assertRole(call.actor, ROLES_OF_PROPOSALS[row.kind])
  return {
    proposal: parseProposal(row),
    isUndone: undone.length > 0,
    bonus: bonus ?? null,
    risk: recovery ?? investor,
    view,
  }
}

/** Approves another operator's proposal. It takes effect in the same batch, or stays pending with a 409. */
export async function approveProposal(
  call: CallOf<typeof endpoints.approveProposal>,
  found: ProposalToDecide,
) {
  const { actor } = call
  const { proposal } = found
  if (proposal.status !== 'pending') refuse('already_decided')
  assertNotAssigned(proposal, call)
  const ownCheck = call.body?.reason ?? null
  if (proposal.kind === 'factor_recovery' && ownCheck === null)
    refuseField('reason', 'Please say how you checked the identity yourself')
  if (proposal.proposedBy !== actor.id) assertViewed(found.view)
  const act = { amountCents: getMovedCents(proposal) }
  await assertFactor(call, act)
  if (proposal.proposedBy === actor.id) refuse('second_operator_required')
  if (proposal.kind === 'operator') refuseOwn(call, proposal.operator ?? '')
  const effect = await buildEffect(call, found)
  const accepting = acceptProposalRisk(call, found)
  const accepted = { ...proposal, accepted: accepting.accepted }
  const { statements, row } = decide(call, accepted, 'approved', null, ownCheck)
  const approval = commitWithFactor(call, act, {
    statements: [...accepting.statements, ...statements, ...effect.statements],
    audit: [
      { action: 'proposal.approved', subject: proposal.id, detail: { kind: proposal.kind } },
      ...accepting.audit,
      ...effect.audit,
    ],
    mails: effect.mails ?? [],
    answer: ok(row),
  })
  return approval.catch((error: unknown) => {
    const code = findDatabaseRefusal(error)?.code
    // The decider is another operator, so this refusal means that a later decision about the setting already took effect.
    if (code === 'second_operator_required') return refuse('conflict')
    if (code === 'account_frozen') return refuseAsFrozen()
    throw error
  })
}

/** The note and the audit line of an approval in favour of an investor at a high risk. Refuses one without a reason. */
function acceptProposalRisk(
  call: CallOf<typeof endpoints.approveProposal>,
  { proposal, risk }: ProposalToDecide,
) {
  const { id, kind, accepted } = proposal
  if (kind === 'bonus' && risk != null && risk.frozenNowAt !== null) refuseAsFrozen()
  const facts = endpoints.KINDS_FOR_INVESTORS.has(kind) ? risk : undefined
  const decided = { id, ref: endpoints.PROPOSAL_LABELS[kind], investor: risk?.investor ?? '', accepted }
  return acceptRisk(
    call,
    kind === 'factor_recovery' ? 'recoveries' : 'investors',
    facts,
    decided,
    call.body?.riskReason,
  )
}

/** Rejects a proposal with a reason. Its proposer may withdraw it this way. A trigger refuses a decided one. */
export async function rejectProposal(
  call: CallOf<typeof endpoints.rejectProposal>,
  { proposal }: ProposalToDecide,
) {
  const { reason } = call.body
  if (proposal.status === 'pending') assertNotAssigned(proposal, call)
  const { statements, row } = decide(call, proposal, 'rejected', reason)
  return call.commit({
    statements,
    audit: [{ action: 'proposal.rejected', subject: proposal.id, detail: { kind: proposal.kind } }],
    answer: ok(row),
  })
}

/** The statements that record a decision and end the assignment, and the proposal's row after it. */
function decide(
  { db, actor, nowMs }: ActorCall,
  proposal: ProposalFacts,
  status: 'approved' | 'rejected',
  rejection: string | null = null,
  ownCheck: string | null = null,
): { readonly statements: readonly Statement[]; readonly row: endpoints.Proposal } {
  const decision = { status, decidedBy: actor.id, decidedAt: nowMs, rejection, ownCheck }
  const caseId = proposal.kind === 'factor_recovery' ? proposal.payload.recovery : proposal.id
  return {
    statements: [
      db.update(proposals).set(decision).where(eq(proposals.id, proposal.id)),
      db.delete(caseAssignments).where(eq(caseAssignments.caseId, caseId)),
    ],
    row: {
      ...toProposalRow({ ...proposal, ...decision, decidedByName: actor.displayName }),
      ...parseWork({ work: null }, { nowMs }),
    },
  }
}
