import { eq, sql } from 'drizzle-orm'
import * as endpoints from '../../../src/contract/console/proposals.ts'
import { ROLES_OF_PROPOSALS } from '../../../src/contract/roles.ts'
import { type ActorCall, createItemRoute, ok } from '../../http/call.ts'
import { assertRole } from '../../http/scopes.ts'
import { assertFactor, commitWithFactor } from '../../identity/factors/actFactor.ts'
import { refuseAsFrozen } from '../../ledger/frozen.ts'
import { buildQuery, readTogether, type Statement } from '../../lib/database.ts'
import { findDatabaseRefusal, refuse } from '../../lib/errors.ts'
import { proposals } from '../../lib/tables/operators.ts'
import type { RequestFacts } from '../cases/requests.ts'
import { refuseOwn } from '../operators/operators.ts'
import { buildEffect } from './effect.ts'
import { type ProposalFacts, readProposals, toProposalRow } from './proposal.ts'

/** A proposal, with its request if it is a reversal. */
export interface ProposalToDecide {
  readonly proposal: ProposalFacts
  readonly request: ReversedRequest | null
  /** The referral bonus that its reversal takes back. */
  readonly bonus: EarnedBonus | null
}

export interface EarnedBonus {
  readonly id: string
  readonly referrer: string
  readonly investorName: string
  readonly investorEmail: string
  /** In cents. */
  readonly amount: number
}

export type ReversedRequest = Pick<
  RequestFacts,
  'id' | 'ref' | 'kind' | 'status' | 'amount' | 'investor' | 'investorName' | 'investorEmail'
> & {
  /** Whether its payment was credited and is gone from its chain. */
  readonly isUndone: 0 | 1
}

/** Loads the proposal in one round trip. Refuses an operator without a role for its kind. */
async function loadProposal(call: ActorCall): Promise<ProposalToDecide> {
  const id = call.params.id ?? ''
  const [[proposal], [request], [bonus]] = await readTogether(
    call.db,
    readProposals(sql`p.id = ${id}`, 1),
    buildQuery<ReversedRequest>(sql`
      SELECT r.id, r.ref, r.kind, r.status, r.amount, r.investor, u.display_name AS investorName,
             u.email AS investorEmail,
             EXISTS (SELECT 1 FROM payments WHERE request = r.id AND state = 'undone') AS isUndone
      FROM requests r JOIN users u ON u.id = r.investor
      WHERE r.id = (SELECT request FROM proposals WHERE id = ${id})`),
    buildQuery<EarnedBonus>(sql`
      SELECT b.id, b.referrer, u.display_name AS investorName, u.email AS investorEmail, b.amount
      FROM referral_bonuses b JOIN users u ON u.id = b.referrer
      WHERE b.deposit = (SELECT request FROM proposals WHERE id = ${id})
        AND b.granted_at IS NOT NULL AND b.reversed_at IS NULL AND u.closed_at IS NULL`),
  )
  if (proposal === undefined) return refuse('not_found')
  assertRole(call.actor, ROLES_OF_PROPOSALS[proposal.kind])
  return { proposal, request: request ?? null, bonus: bonus ?? null }
}

/** Approves another operator's proposal. It takes effect in the same batch, or stays pending with a 409. */
export const approveProposal = createItemRoute(
  endpoints.approveProposal,
  loadProposal,
  async (call, found) => {
    const { actor } = call
    const { proposal } = found
    if (proposal.status !== 'pending') refuse('already_decided')
    const act = { amountCents: getMovedCents(found) }
    await assertFactor(call, act)
    if (proposal.proposedBy === actor.id) refuse('second_operator_required')
    refuseOwn(call, proposal.operator ?? '')
    const effect = await buildEffect(call, found)
    const { statement, row } = decide(call, proposal, 'approved')
    const approval = commitWithFactor(call, act, {
      statements: [statement, ...effect.statements],
      audit: [
        { action: 'proposal.approved', subject: proposal.id, detail: { kind: proposal.kind } },
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
  },
)

/** The money that a proposal moves: the bonus, or the amount of the reversed request. */
function getMovedCents({ proposal, request }: ProposalToDecide): number {
  return proposal.amount ?? request?.amount ?? 0
}

/** Rejects a proposal with a reason. Its proposer may withdraw it this way. A trigger refuses a decided one. */
export const rejectProposal = createItemRoute(
  endpoints.rejectProposal,
  loadProposal,
  async (call, { proposal }) => {
    const { reason } = call.body
    const { statement, row } = decide(call, proposal, 'rejected', reason)
    return call.commit({
      statements: [statement],
      audit: [{ action: 'proposal.rejected', subject: proposal.id, detail: { kind: proposal.kind } }],
      answer: ok(row),
    })
  },
)

/** The statement that records a decision, and the proposal's row after it. */
function decide(
  { db, actor, nowMs }: ActorCall,
  proposal: ProposalFacts,
  status: 'approved' | 'rejected',
  rejection: string | null = null,
): { readonly statement: Statement; readonly row: endpoints.Proposal } {
  const decision = { status, decidedBy: actor.id, decidedAt: nowMs, rejection }
  return {
    statement: db.update(proposals).set(decision).where(eq(proposals.id, proposal.id)),
    row: toProposalRow({ ...proposal, ...decision, decidedByName: actor.displayName }),
  }
}
